// The database: prepared statements, all-or-nothing writes, transactions and notices.
import pg from 'pg'
import { type Connection, isConnectionFault } from './connection.ts'
import { type Listener, openNotices, type Subscription } from './notices.ts'
import { type OpenTransaction, transactionDoor } from './open-transaction.ts'
import { parametersOf, type Statement, together, type Write } from './statement.ts'
import { WriteBatcher } from './write-batcher.ts'

export type { Connection } from './connection.ts'
export type { Listener, Subscription } from './notices.ts'
export type { OpenTransaction } from './open-transaction.ts'
export { guardedStatement, type Statement, statement, statementOfRows, type Write } from './statement.ts'

export interface Queries {
  rows<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  row<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row | undefined>
}

export interface Db extends Queries {
  /** All of the writes (INSERT, UPDATE, DELETE) or none, in one round trip. */
  atomically(writes: readonly Write[]): Promise<void>
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
  /** On a connection of its own; whoever asks for it ends it. */
  begin(): Promise<OpenTransaction>
  /** Calls back for every notice on the channel, and when notices may have been missed. */
  listen(channel: string, listener: Listener): Promise<Subscription>
  readonly pool: pg.Pool
  close(): Promise<void>
}

// A query that takes longer than this holds a connection that others wait for.
const statementTimeoutMs = 30_000
// Waiting longer for a free connection only makes an overload last.
const acquireTimeoutMs = 5_000
// A plan that was made while a queue was short is kept when it is long; only one that goes by an index stays good.
const byIndex = '-c enable_seqscan=off'

export interface DbLimits {
  readonly pool: number
  readonly uploads: number
}

/** A number alone is the size of the pool, for whoever uploads little. */
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
  // An idle connection that breaks is replaced by the pool; nobody is waiting on it.
  pool.on('error', onError)
  // One that breaks while it is lent out fails the query under way; the event itself must not end the process.
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
    begin: transactionDoor(connection, uploads),
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
    // Whatever went wrong, also a refusal of ours, the connection serves the next as soon as this is undone.
    if (!broken) await client.query('ROLLBACK').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}

/** The name of the constraint a write ran into, if that is what happened. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/** A guarded write did not find its row as it should be; raised by must_apply() in sql/functions. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === 'PY001'

/** The server does not take these values, now or later: trying again would not help. */
export const isBadData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23)/.test(error.code ?? '')
