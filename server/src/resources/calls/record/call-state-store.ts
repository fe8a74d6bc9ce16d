// The states of running calls in the database, sealed: they hold the keys of encrypted sound.
import { type Db, isBadData, statement } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop } from '../../../platform/loop.ts'
import type { SealedColumn } from '../../../platform/reseal.ts'
import type { Vault } from '../../../platform/secrets.ts'

const put = statement(`
  INSERT INTO call_states (session_id, carrier, state)
  SELECT c.session_id, s.carrier, s.state
  FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS s(session_id, carrier, state) JOIN calls c USING (session_id)
  WHERE NOT c.finished
  ON CONFLICT (session_id) DO UPDATE SET state = EXCLUDED.state`)

const remove = statement('DELETE FROM call_states WHERE session_id = ANY($1::uuid[])')

const purpose = 'call-state'

export const sealedCallStates: SealedColumn = {
  table: 'call_states',
  column: 'state',
  primaryKey: ['session_id'],
  purpose,
  place: 't.session_id',
  workspace: 'NULL',
}

const idleMs = 60_000
const brokenMs = 250

interface CallStateUpdate {
  readonly carrier: string
  /** null: the call is over. */
  readonly state: string | null
}

export interface CallStateWriterParts {
  readonly db: Db
  readonly vault: Vault
  readonly log: Pick<Log, 'warn'>
}

/** Only the latest state of a call matters: while one is being written, the next replace each other. */
export function openCallStateWriter({ db, vault, log }: CallStateWriterParts) {
  let latest = new Map<string, CallStateUpdate>()

  const write = async (): Promise<void> => {
    const writing = latest
    latest = new Map()
    const rows = [...writing].flatMap(([sessionId, { carrier, state }]) =>
      state === null ? [] : { sessionId, carrier, state: vault.seal(null, purpose, sessionId, state) },
    )
    const ended = [...writing].flatMap(([sessionId, { state }]) => (state === null ? sessionId : []))
    try {
      if (rows.length > 0)
        await db.rows(put, [
          rows.map(({ sessionId }) => sessionId),
          rows.map(({ carrier }) => carrier),
          rows.map(({ state }) => state),
        ])
      if (ended.length > 0) await db.rows(remove, [ended])
    } catch (error) {
      if (!isBadData(error)) latest = new Map([...writing, ...latest])
      throw error
    }
  }
  const loop = startLoop(
    async () => {
      if (latest.size > 0) await write()
      return latest.size > 0 ? 0 : idleMs
    },
    (err) => {
      log.warn({ err, calls: latest.size }, 'states of calls wait for the database')
      return brokenMs
    },
  )
  return {
    keep(sessionId: string, kept: CallStateUpdate): void {
      latest.set(sessionId, kept)
      loop.wake()
    },
    /** Writes what is left; what cannot be written is given up. */
    async close(): Promise<void> {
      await loop.stop()
      if (latest.size > 0) await write().catch((err) => log.warn({ err }, 'states of calls not stored'))
    },
  }
}

export const openCallState = (vault: Vault, sessionId: string, sealed: Buffer): string =>
  vault.open(purpose, sessionId, sealed)

export const removeCallStates = (db: Db, sessionIds: readonly string[]) => db.rows(remove, [sessionIds])
