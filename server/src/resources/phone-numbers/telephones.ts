// Telephones that are logged in, in the database: any process finds them, and they outlive a restart.
import { type Db, statement } from '../../platform/db/db.ts'
import type { Telephone, Telephones } from '../../ports/telephones.ts'

const select = statement(`
  SELECT phone_number_id, username, contact, transport, address, port, expires_at FROM telephones
  WHERE phone_number_id = $1 AND username = $2 AND expires_at > now() ORDER BY expires_at DESC`)

// Of two requests with one Call-ID the higher number counts (RFC 3261 §10.3).
const upsert = statement(`
  INSERT INTO telephones (phone_number_id, username, contact, transport, address, port, call_id, sequence, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (phone_number_id, username, contact) DO UPDATE SET transport = EXCLUDED.transport,
    address = EXCLUDED.address, port = EXCLUDED.port, call_id = EXCLUDED.call_id, sequence = EXCLUDED.sequence,
    expires_at = EXCLUDED.expires_at
  WHERE telephones.call_id <> EXCLUDED.call_id OR telephones.sequence < EXCLUDED.sequence
  RETURNING 1`)

// The limit leaves room for a telephone on the desk, one in the pocket and several in browsers. Further ones are left
// over from crashes.
const mostPerUser = 10
const trim = statement(`
  DELETE FROM telephones WHERE expires_at <= now() OR (phone_number_id, username, contact) IN (
    SELECT phone_number_id, username, contact FROM telephones WHERE phone_number_id = $1 AND username = $2
    ORDER BY expires_at DESC OFFSET ${mostPerUser})`)

const remove = statement(
  'DELETE FROM telephones WHERE phone_number_id = $1 AND username = $2 AND ($3::text IS NULL OR contact = $3)',
)

interface Row {
  phone_number_id: string
  username: string
  contact: string
  transport: Telephone['transport']
  address: string
  port: number
  expires_at: Date
}

export const openTelephones = (db: Db): Telephones => ({
  async of(numberId, username) {
    const rows = await db.rows<Row>(select, [numberId, username])
    return rows.map(({ phone_number_id, expires_at, ...row }) => ({
      ...row,
      numberId: phone_number_id,
      expiresAt: expires_at,
    }))
  },
  async bind({ numberId, username, contact, transport, address, port, callId, sequence, expiresAt }) {
    const values = [numberId, username, contact, transport, address, port, callId, sequence, expiresAt]
    const isBound = (await db.row(upsert, values)) !== undefined
    await db.rows(trim, [numberId, username])
    return isBound
  },
  async unbind(numberId, username, contact) {
    await db.rows(remove, [numberId, username, contact])
  },
})
