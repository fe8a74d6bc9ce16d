// What a connection pooler in transaction mode, such as PgBouncer, does with our statements.
//
// A statement is prepared on whichever server connection happens to be free. A pooler that keeps track of names prepares
// it wherever it is used, under a name of its own (PgBouncer since 1.21); others pass ours on, and the next client finds
// it missing or taken.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Connection, sessionTimeout } from './connection.ts'

export interface Pooler {
  readonly keepsNames: boolean
  /** Parameters of connections that it should set and does not; see docs/operations/database.md. */
  readonly unset: readonly string[]
}

// As `byIndex` and the timeouts in db.ts set them where there is no pooler, which would not pass them on.
const wanted = `
  SELECT name FROM pg_settings
  WHERE name IN ('enable_seqscan', 'jit') AND setting <> 'off'
    OR name = 'plan_cache_mode' AND setting <> 'force_generic_plan'
    OR name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'
  ORDER BY name`

export async function probePooler(connection: Connection): Promise<Pooler> {
  const client = new pg.Client({ ...connection, ...sessionTimeout })
  client.on('error', () => {})
  await client.connect()
  try {
    const name = `parley-${randomUUID()}`
    const known = 'SELECT 1 FROM pg_prepared_statements WHERE name = $1'
    // One transaction: one server connection, on which nothing may be left behind.
    await client.query('BEGIN')
    const { rows: own } = await client.query({ name, text: known, values: [name] })
    if (own.length > 0) await client.query(`DEALLOCATE ${pg.escapeIdentifier(name)}`)
    const { rows: unset } = await client.query<{ name: string }>(wanted)
    await client.query('COMMIT')
    return { keepsNames: own.length === 0, unset: unset.map((row) => row.name) }
  } finally {
    await client.end().catch(() => {})
  }
}
