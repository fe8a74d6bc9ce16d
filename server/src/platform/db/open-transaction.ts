// A transaction with a connection of its own, for what is written while somebody sends it.
//
// It may last as long as a slow sender takes, so it must not hold one of the connections that others wait for.
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { Semaphore } from './semaphore.ts'
import { parametersOf, together, type Write } from './statement.ts'

/** Rows in the text form of COPY. */
export interface Copying {
  write(lines: string): Promise<void>
  end(): Promise<void>
}

export interface OpenTransaction {
  /** `COPY … FROM STDIN` */
  copy(sql: string): Copying
  /** These writes and everything before, or nothing; the connection is closed either way. */
  commit(writes: readonly Write[]): Promise<void>
  /** What is not committed is gone with the connection. */
  rollback(): void
}

// Longer than a request may take to arrive.
const timeoutMs = 90_000

// Each holds a connection of the server; who comes later waits before the first byte is read.
const mostAtOnce = 8

/** Opens transactions, a few at a time. */
export function transactionDoor(connection: pg.ClientConfig): () => Promise<OpenTransaction> {
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
  // Whatever is under way fails with it; the event itself must not end the process.
  client.on('error', () => {})
  // However it ends, also when it could not begin.
  client.once('end', onEnd)
  // Not by a command: a COPY that was not ended would wait for more. Without its client the server undoes it.
  const rollback = () => void client.connection.stream.destroy()
  await client.connect()
  await client.query('BEGIN').catch((error) => {
    rollback()
    throw error
  })

  return {
    rollback,

    copy(sql) {
      const stream = client.query(from(sql))
      const ended = finished(stream)
      // Heard by whoever writes or ends next.
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
        throw error
      }
    },
  }
}
