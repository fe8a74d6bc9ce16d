// A transaction on a connection of its own, for data that is written while a client sends it.
//
// It lasts as long as a slow client takes, so it must not occupy a connection of the pool.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { told } from './connection.ts'
import { parametersOf, type Queries, type Statement, together, type Write } from './statement.ts'

class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  async enter(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands the slot to the longest waiter. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/** Takes rows in COPY's text format. */
export interface RowCopy {
  write(lines: string): Promise<void>
  end(): Promise<void>
}

export interface OpenTransaction extends Pick<Queries, 'row'> {
  /** `COPY … FROM STDIN` */
  copy(sql: string): RowCopy
  /** Commits these writes and everything before, or nothing; closes the connection either way. */
  commit(writes: readonly Write[]): Promise<void>
  /** Discards what is not committed. */
  rollback(): void
}

// The limit is longer than a request may take to arrive.
const timeoutMs = 90_000

// If the server does not roll back in this time, the connection is cut.
const undoMs = 2_000

/** Limits concurrent transactions; further ones wait before the first byte of their body is read. */
export function transactionOpener(
  connection: pg.ClientConfig,
  mostAtOnce: number,
): () => Promise<OpenTransaction> {
  const turnstile = new Semaphore(mostAtOnce)
  return async () => {
    await turnstile.enter()
    return openTransaction(connection, () => turnstile.leave())
  }
}

async function openTransaction(connection: pg.ClientConfig, onEnd: () => void): Promise<OpenTransaction> {
  const client = new pg.Client({
    ...connection,
    application_name: 'parley upload',
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
  })
  // The running query fails; an unhandled event would end the process.
  client.on('error', () => {})
  // This event always comes, even if the transaction could not begin.
  client.once('end', onEnd)
  let copying: Writable | undefined
  let undone = false
  // Sends ROLLBACK instead of cutting the connection, which the server would count for a moment longer than we do.
  const rollback = () => {
    if (undone) return
    undone = true
    const timeout = setTimeout(() => client.connection.stream.destroy(), undoMs).unref()
    client.once('end', () => clearTimeout(timeout))
    // An unfinished COPY must fail first, so that the server reads the next command.
    copying?.destroy()
    void client
      .query('ROLLBACK')
      .catch(() => {})
      .then(() => client.end())
      .catch(() => {})
  }
  await client.connect().catch((error) => {
    throw told(error)
  })
  await client.query('BEGIN').catch((error) => {
    rollback()
    throw told(error)
  })

  return {
    rollback,

    row: async <Row>({ text }: Statement, values: readonly unknown[] = []) =>
      (await client.query(text, values as unknown[])).rows[0] as Row | undefined,

    copy(sql) {
      const stream = client.query(from(sql))
      copying = stream
      const ended = finished(stream)
      // The next write, or the end, reports the error.
      ended.catch(() => {})
      return {
        async write(lines) {
          if (!stream.write(lines)) await Promise.race([once(stream, 'drain'), ended])
        },
        async end() {
          stream.end()
          await ended
        },
      }
    },

    async commit(writes) {
      try {
        if (writes.length > 0) {
          const { text } = together(writes.map(({ statement }) => statement))
          await client.query(text, writes.flatMap(parametersOf))
        }
        await client.query('COMMIT')
        await client.end()
      } catch (error) {
        rollback()
        throw told(error)
      }
    },
  }
}
