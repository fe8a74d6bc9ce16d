// The database: prepared statements, all-or-nothing writes, transactions and notices.
import pg from 'pg'
import { type OpenTransaction, transactionDoor } from './open-transaction.ts'
import { parametersOf, type Statement, together, type Write } from './statement.ts'
import { WriteBatcher } from './write-batcher.ts'

export type { OpenTransaction } from './open-transaction.ts'
export { type Statement, statement, statementOfRows, type Write } from './statement.ts'

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

export interface Listener {
  notice(payload: string): void
  /** The connection was lost: whatever the notices keep fresh is stale until `resumed`. */
  lost(): void
  resumed(): void
}

export interface Subscription {
  close(): Promise<void>
}

export type Connection = pg.ClientConfig

// A query that takes longer than this holds a connection that others wait for.
const statementTimeoutMs = 30_000
// Waiting longer for a free connection only makes an overload last.
const acquireTimeoutMs = 5_000
const listenRetryMs = 500
// A plan that was made while a queue was short is kept when it is long; only one that goes by an index stays good.
const byIndex = '-c enable_seqscan=off'

export function openDb(connection: Connection, maxConnections: number, onError: (error: Error) => void): Db {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
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
    begin: transactionDoor(connection),
    listen: (channel, listener) => listen(connection, channel, listener),
    close: () => pool.end(),
  }
}

const queriesOn = (on: pg.Pool | pg.PoolClient): Queries => {
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []) =>
    (await on.query({ ...statement, values: values as unknown[] })).rows as Row[]
  return { rows, row: async <Row>(s: Statement, v?: readonly unknown[]) => (await rows<Row>(s, v))[0] }
}

async function transaction<T>(pool: pg.Pool, run: (tx: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('BEGIN')
    const result = await run(queriesOn(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    broken = isBroken(error)
    if (!broken) await client.query('ROLLBACK').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}

/** An answer from the server carries an SQLSTATE; anything else means the connection is gone. */
export const isBroken = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(57|08)/.test(error.code ?? '')

/** The name of the constraint a write ran into, if that is what happened. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/** The server does not take these values, now or later: trying again would not help. */
export const isBadData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23)/.test(error.code ?? '')

async function listen(connection: Connection, channel: string, listener: Listener): Promise<Subscription> {
  let closed = false
  let client: pg.Client
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    client = new pg.Client({ ...connection, application_name: 'parley' })
    client.on('notification', ({ payload }) => listener.notice(payload ?? ''))
    client.on('error', () => {})
    client.on('end', () => {
      if (closed) return
      listener.lost()
      retryLater()
    })
    await client.connect()
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    listener.resumed()
  }
  const retryLater = () => {
    clearTimeout(retry)
    retry = setTimeout(() => connect().catch(() => !closed && retryLater()), listenRetryMs).unref()
  }

  await connect().catch((error) => {
    if (!isBroken(error)) throw error
    // It went away in the middle of our start, and will be back.
    listener.lost()
    retryLater()
  })
  return {
    async close() {
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
