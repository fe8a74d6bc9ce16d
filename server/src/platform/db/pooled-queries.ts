// Statements on the pool of connections.
//
// A connection that cannot be had is asked for again for a while, so that a request survives a restart of the
// database or a change of the primary. A statement that was sent is never sent again: nobody knows whether it was
// executed.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseUnavailable, isConnectionFault, isRefused, told } from './connection.ts'
import type { Queries, Statement } from './statement.ts'

const retryMs = 100

export interface PooledOptions {
  /** The server parses and plans a statement once per connection. */
  readonly named: boolean
  /** How long a connection is asked for. */
  readonly patienceMs: number
}

export interface PooledQueries extends Queries {
  run(statement: Statement, values: readonly unknown[]): Promise<pg.QueryResult>
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
}

export function pooledQueries(pool: pg.Pool, { named, patienceMs }: PooledOptions): PooledQueries {
  const queryOf = ({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig => ({
    ...(named && { name }),
    text,
    values: values as unknown[],
  })

  const run = (statement: Statement, values: readonly unknown[]) =>
    untilServed(pool, patienceMs, async (client) => {
      let broken = false
      try {
        return await client.query(queryOf(statement, values))
      } catch (error) {
        broken = isConnectionFault(error)
        throw error
      } finally {
        client.release(broken)
      }
    })

  return {
    run,
    ...queriesBy(run),
    async transaction(act) {
      const client = await untilServed(pool, patienceMs, async (connected) => connected)
      let broken = false
      const noting = (error: unknown): never => {
        broken ||= isConnectionFault(error)
        throw told(error)
      }
      const say = (sql: string) => client.query(sql).catch(noting)
      try {
        await say('BEGIN')
        const result = await act(
          queriesBy((asked, values) => client.query(queryOf(asked, values)).catch(noting)),
        )
        await say('COMMIT')
        return result
      } catch (error) {
        // After any error, including our own, the connection can be reused once the transaction is rolled back.
        if (!broken) await client.query('ROLLBACK').catch(() => (broken = true))
        throw error
      } finally {
        client.release(broken)
      }
    },
  }
}

function queriesBy(run: PooledQueries['run']): Queries {
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []) =>
    (await run(statement, values)).rows as Row[]
  return { rows, row: async <Row>(s: Statement, v?: readonly unknown[]) => (await rows<Row>(s, v))[0] }
}

/** Tries again as long as nothing can have been executed. */
async function untilServed<T>(
  pool: pg.Pool,
  patienceMs: number,
  use: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const giveUpAtMs = performance.now() + patienceMs
  for (;;) {
    let client: pg.PoolClient | undefined
    try {
      client = await pool.connect()
      return await use(client)
    } catch (error) {
      if (!isConnectionFault(error)) throw error
      const mayRepeat = client === undefined || isRefused(error)
      if (!mayRepeat || pool.ending || performance.now() + retryMs > giveUpAtMs)
        throw new DatabaseUnavailable(error)
    }
    await sleep(retryMs)
  }
}
