// The database: prepared statements, all-or-nothing writes, transactions and notices.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import pg from 'pg'

/** SQL with a name of its own, so that the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export const statement = (text: string): Statement => ({
  // 63 bytes is PostgreSQL's limit for a name; a hash of the text can neither clash nor go stale.
  name: createHash('sha256').update(text).digest('base64url'),
  text,
})

/** One statement with its values, to be run later. */
export interface Write {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

export interface Queries {
  rows<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  row<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row | undefined>
}

export interface Db extends Queries {
  /** All of the writes (INSERT, UPDATE, DELETE) or none, in one round trip. */
  atomically(writes: readonly Write[]): Promise<void>
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
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

export function openDb(connection: Connection, maxConnections: number, onError: (error: Error) => void): Db {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    pipeline: true,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'parley',
  } as pg.PoolConfig)
  // An idle connection that breaks is replaced by the pool; nobody is waiting on it.
  pool.on('error', onError)
  // One that breaks while it is lent out fails the query under way; the event itself must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    ...queriesOn(pool),
    pool,
    atomically: (writes) => atomically(pool, writes),
    transaction: (run) => transaction(pool, run),
    listen: (channel, listener) => listen(connection, channel, listener),
    close: () => pool.end(),
  }
}

const queriesOn = (on: pg.Pool | pg.PoolClient): Queries => {
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []) =>
    (await on.query({ ...statement, values: values as unknown[] })).rows as Row[]
  return { rows, row: async <Row>(s: Statement, v?: readonly unknown[]) => (await rows<Row>(s, v))[0] }
}

/**
 * Several writes as one statement, each in a WITH clause of its own: one message to the server instead of a
 * transaction around many. They see the same snapshot, and not each other's rows.
 */
async function atomically(pool: pg.Pool, writes: readonly Write[]): Promise<void> {
  const [only] = writes
  const { name, text } =
    writes.length === 1 && only ? only.statement : together(writes.map((write) => write.statement))
  await pool.query({ name, text, values: writes.flatMap((write) => write.values) })
}

const joined = new Map<string, Statement>()

function together(statements: readonly Statement[]): Statement {
  const names = statements.map(({ name }) => name).join()
  const known = joined.get(names)
  if (known) return known
  let values = 0
  const clauses = statements.map(({ text }, at) => {
    // PostgreSQL never runs a SELECT in a WITH clause that nobody reads.
    assert(/^\s*(INSERT|UPDATE|DELETE)\b/.test(text), 'only writes can be joined')
    const shift = values
    const renumbered = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      values = Math.max(values, shift + Number(number))
      return `$${shift + Number(number)}`
    })
    return `w${at} AS (${renumbered})`
  })
  const made = statement(`WITH ${clauses.join(', ')} SELECT`)
  joined.set(names, made)
  return made
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
const isBroken = (error: unknown): boolean =>
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

  await connect()
  return {
    async close() {
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
