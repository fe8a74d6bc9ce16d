// The database: prepared statements, atomic writes, transactions and notifications.
import pg from 'pg'
import { type Connection, type ConnectionShares, keepAlive } from './connection.ts'
import { type Listener, openNotices, type Subscription } from './notices.ts'
import { type OpenTransaction, transactionOpener } from './open-transaction.ts'
import { pooledQueries } from './pooled-queries.ts'
import { readerOf } from './replica.ts'
import { parametersOf, type Queries, together, type Write } from './statement.ts'
import { WriteBatcher } from './write-batcher.ts'

export { type Connection, DatabaseUnavailable } from './connection.ts'
export type { Listener, Subscription } from './notices.ts'
export type { OpenTransaction } from './open-transaction.ts'
export {
  guardedStatement,
  type Queries,
  type Statement,
  statement,
  statementOfRows,
  type Write,
} from './statement.ts'

export interface Db extends Queries {
  /** Applies all of the writes (INSERT, UPDATE, DELETE) or none, in one round trip. */
  atomically(writes: readonly Write[]): Promise<void>
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
  /** Begins a transaction on a connection of its own; the caller must end it. */
  begin(): Promise<OpenTransaction>
  /** Calls back for every notification on the channel, and when some may have been missed. */
  listen(channel: string, listener: Listener): Promise<Subscription>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// A slower query blocks a connection that others wait for.
const statementTimeoutMs = 30_000
// A server that is cut off never answers, and TCP notices only after a quarter of an hour. One that is alive has
// reported its own timeout by then.
const answerTimeoutMs = statementTimeoutMs + 5_000
// Waiting longer for a free connection only prolongs an overload.
const acquireTimeoutMs = 5_000
// Until a new connection has read the catalogue and planned its statements, it costs as much as a few hundred of
// them; pg would close one after ten seconds, between two bursts.
const idleTimeoutMillis = 60_000
// A read on a replica can always go to the primary instead.
const replicaTimeoutMs = 1_000
// A plan made while a queue was short is reused when it is long; only index scans stay good. One plan for all values:
// with partitions, planning takes longer than most statements. Nothing is compiled: where a small table has to be
// read whole, PostgreSQL before 18 takes the plan for a costly one, and spends 100 ms on its machine code.
const byIndex = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c jit=off'

export interface DbOptions {
  /**
   * PostgreSQL itself, for what needs a session of its own, if the connection leads to a pooler in transaction mode.
   */
  readonly sessions?: Connection | undefined
  /** The server of lists and search. */
  readonly replica?: Connection | undefined
  /** False for a pooler that does not keep track of names (find-database.ts). */
  readonly namedStatements?: boolean
}

/** A bare number is the pool size, for callers with few uploads. */
export function openDb(
  connection: Connection,
  limits: ConnectionShares | number,
  onError: (error: Error) => void,
  { sessions = connection, replica, namedStatements: named = true }: DbOptions = {},
): Db {
  const { pool: most, uploads } = typeof limits === 'number' ? { pool: limits, uploads: 1 } : limits
  const open = (to: Connection, timeoutMs: number) =>
    openPool(to, most, sessions !== connection, timeoutMs, onError)
  const pool = open(connection, acquireTimeoutMs)
  const queries = pooledQueries(pool, { named, patienceMs: acquireTimeoutMs })
  const batcher = new WriteBatcher(queries.run)
  const notices = openNotices(sessions)
  const replicas = replica && open(replica, replicaTimeoutMs)
  const reader = replicas && {
    reader: readerOf({
      primary: queries,
      replica: pooledQueries(replicas, { named, patienceMs: 0 }),
      onError,
    }),
  }

  return {
    ...queries,
    ...reader,
    pool,
    async atomically(writes) {
      const whole = together(writes.map((write) => write.statement))
      if (whole.ofRows)
        await batcher.write(
          whole,
          writes.flatMap((write) => write.values),
        )
      else await queries.run(whole, writes.flatMap(parametersOf))
    },
    begin: transactionOpener(sessions, uploads),
    listen: notices.listen,
    async close() {
      await notices.close()
      await Promise.all([pool.end(), replicas?.end()])
    },
  }
}

/** A pooler refuses or ignores parameters of a session; it has to set them itself. */
function openPool(
  connection: Connection,
  most: number,
  isPooler: boolean,
  connectionTimeoutMillis: number,
  onError: (error: Error) => void,
): pg.Pool {
  const parameters = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    options: [connection.options, byIndex].join(' ').trim(),
  }
  const pool = new pg.Pool({
    ...connection,
    ...(!isPooler && parameters),
    ...keepAlive,
    max: most,
    pipeline: true,
    connectionTimeoutMillis,
    idleTimeoutMillis,
    query_timeout: answerTimeoutMs,
    application_name: 'parley',
  } as pg.PoolConfig)
  // The pool replaces an idle connection that breaks; no query is affected.
  pool.on('error', onError)
  // If a connection breaks while in use, the running query fails; an unhandled event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The name of the constraint that a write violated, if that was the error. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/** A guarded write did not find its row in the expected state; raised by must_apply() in sql/functions. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === 'PY001'

/** What the statement names is not there: a table, a type, a function, or the library behind it. */
export const isUndefined = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(42|58P01)/.test(error.code ?? '')

/** The server rejects these values permanently: retrying would not help. */
export const isBadData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23)/.test(error.code ?? '')
