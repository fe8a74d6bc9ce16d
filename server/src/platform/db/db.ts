// The database: prepared statements, atomic writes, transactions and notifications.
import pg from 'pg'
import { type Connection, isConnectionFault } from './connection.ts'
import { type Listener, openNotices, type Subscription } from './notices.ts'
import { type OpenTransaction, transactionOpener } from './open-transaction.ts'
import { parametersOf, type Queries, type Statement, together, type Write } from './statement.ts'
import { WriteBatcher } from './write-batcher.ts'

export type { Connection } from './connection.ts'
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
  /** All of the writes (INSERT, UPDATE, DELETE) or none, in one round trip. */
  atomically(writes: readonly Write[]): Promise<void>
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
  /** On a connection of its own; the caller must end it. */
  begin(): Promise<OpenTransaction>
  /** Calls back for every notification on the channel, and when some may have been missed. */
  listen(channel: string, listener: Listener): Promise<Subscription>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// A slower query blocks a connection that others wait for.
const statementTimeoutMs = 30_000
// Waiting longer for a free connection only prolongs an overload.
const acquireTimeoutMs = 5_000
// A plan made while a queue was short is reused when it is long; only index scans stay good. One plan for all values: with
// partitions, planning takes longer than most statements.
const byIndex = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan'

export interface DbLimits {
  readonly pool: number
  readonly uploads: number
}

/** A bare number is the pool size, for callers with few uploads. */
export function openDb(
  connection: Connection,
  limits: DbLimits | number,
  onError: (error: Error) => void,
): Db {
  const { pool: pooled, uploads } = typeof limits === 'number' ? { pool: limits, uploads: 1 } : limits
  const pool = new pg.Pool({
    ...connection,
    max: pooled,
    pipeline: true,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'parley',
    options: [connection.options, byIndex].join(' ').trim(),
  } as pg.PoolConfig)
  // The pool replaces an idle connection that breaks; no query is affected.
  pool.on('error', onError)
  // If a connection breaks while in use, the running query fails; an unhandled event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))

  const run = ({ name, text }: Statement, values: unknown[]) => pool.query({ name, text, values })
  const batcher = new WriteBatcher(run)
  const notices = openNotices(connection)

  return {
    ...queriesOn(pool),
    pool,
    async atomically(writes) {
      const whole = together(writes.map((write) => write.statement))
      if (whole.ofRows)
        await batcher.write(
          whole,
          writes.flatMap((write) => write.values),
        )
      else await run(whole, writes.flatMap(parametersOf))
    },
    transaction: (run) => transaction(pool, run),
    begin: transactionOpener(connection, uploads),
    listen: notices.listen,
    async close() {
      await notices.close()
      await pool.end()
    },
  }
}

const queriesOn = (on: pg.Pool | pg.PoolClient, onFault?: (error: unknown) => void): Queries => {
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []) => {
    const asked = on.query({ ...statement, values: values as unknown[] })
    if (onFault) asked.catch(onFault)
    return (await asked).rows as Row[]
  }
  return { rows, row: async <Row>(s: Statement, v?: readonly unknown[]) => (await rows<Row>(s, v))[0] }
}

async function transaction<T>(pool: pg.Pool, run: (tx: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  const onFault = (error: unknown) => {
    broken ||= isConnectionFault(error)
  }
  const say = (sql: string) =>
    client.query(sql).catch((error) => {
      onFault(error)
      throw error
    })
  try {
    await say('BEGIN')
    const result = await run(queriesOn(client, onFault))
    await say('COMMIT')
    return result
  } catch (error) {
    // After any error, including our own, the connection can be reused once the transaction is rolled back.
    if (!broken) await client.query('ROLLBACK').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}

/** The name of the constraint that a write violated, if that was the error. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/** A guarded write did not find its row in the expected state; raised by must_apply() in sql/functions. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === 'PY001'

/** The server rejects these values permanently: retrying would not help. */
export const isBadData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23)/.test(error.code ?? '')
