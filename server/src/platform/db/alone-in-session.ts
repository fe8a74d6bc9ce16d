// Long work on the database that one process at a time does, such as making an index: in a session of its own,
// without the time limit of the others.
import pg from 'pg'
import type { Connection } from './connection.ts'

/**
 * Returns false if another process is doing the work. When aborted it throws; the server completes the current
 * statement.
 */
export async function aloneInSession(
  connection: Connection,
  lockId: number,
  signal: AbortSignal,
  run: (client: pg.Client) => Promise<void>,
): Promise<boolean> {
  const client = new pg.Client({ ...connection, application_name: 'parley upkeep' })
  // The running query fails; an unhandled event would end the process.
  client.on('error', () => {})
  // Ending the client cuts the connection if a query is under way.
  const cut = () => void client.end().catch(() => {})
  signal.addEventListener('abort', cut)
  try {
    signal.throwIfAborted()
    await client.connect()
    const { rows } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_lock($1) AS is_ours', [
      lockId,
    ])
    if (!rows[0]?.is_ours) return false
    try {
      await run(client)
    } finally {
      // The lock is released here, because the end of the session is not awaited.
      await client.query('SELECT pg_advisory_unlock($1)', [lockId]).catch(() => {})
    }
    return true
  } finally {
    signal.removeEventListener('abort', cut)
    await client.end().catch(() => {})
  }
}
