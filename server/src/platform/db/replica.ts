// Lists and search on a replica that is never behind what a user has seen.
//
// Before a read, the primary is asked how far its log goes, once for all reads that arrive meanwhile. The replica waits
// until it has replayed that much. If it takes too long, or fails, the primary is asked instead.
import pg from 'pg'
import { ReadBatcher } from './read-batcher.ts'
import { type Queries, type Statement, statement } from './statement.ts'

// A healthy replica is a few milliseconds behind; beyond this it is quicker to ask the primary.
const mostBehindMs = 200
// How long a replica that failed, or is behind, is left alone.
const restMs = 2_000

// What is acknowledged is flushed, and only what is flushed is sent to replicas.
const position = statement('SELECT pg_current_wal_flush_lsn()::text AS lsn')
const awaitReplay = statement(`SELECT await_replay($1::pg_lsn, ${mostBehindMs})`)

export interface ReplicaParts {
  readonly primary: Queries
  /** `transaction`: the wait and the read must reach the same server, also through a pooler. */
  readonly replica: { transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T> }
  readonly onError: (error: Error) => void
}

export function readerOf({ primary, replica, onError }: ReplicaParts): Queries {
  const positions = new ReadBatcher<null, { lsn: string }>(
    () => primary.rows<{ lsn: string }>(position),
    () => true,
  )
  let isAway = false
  let restsUntilMs = Number.NEGATIVE_INFINITY

  const rest = (error: unknown) => {
    if (!isAway) onError(error as Error)
    isAway = true
    restsUntilMs = performance.now() + restMs
  }

  const rows = async <Row>(asked: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
    if (performance.now() < restsUntilMs) return primary.rows<Row>(asked, values)
    // Only the first read after the rest tries the replica again.
    if (isAway) restsUntilMs = performance.now() + restMs
    const now = await positions.find(null)
    try {
      const read = await replica.transaction(async (tx) => {
        // The wait and the read are sent together: if the replica stays behind, the transaction is aborted and the
        // read is not executed.
        const [, found] = await Promise.all([tx.rows(awaitReplay, [now?.lsn]), tx.rows<Row>(asked, values)])
        return found
      })
      isAway = false
      restsUntilMs = Number.NEGATIVE_INFINITY
      return read
    } catch (error) {
      // The read is not repeated, since the primary would take as long.
      if (isTimeout(error)) throw error
      rest(error)
      return primary.rows<Row>(asked, values)
    }
  }
  return { rows, row: async <Row>(s: Statement, v?: readonly unknown[]) => (await rows<Row>(s, v))[0] }
}

const isTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014'
