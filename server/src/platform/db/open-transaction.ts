// A transaction with a connection of its own, for what is written while somebody sends it.
//
// It may last as long as a slow sender takes, so it must not hold one of the connections that others wait for.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
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

// A server that does not undo a transaction in this time is cut off.
const undoMs = 2_000

/** Opens at most so many transactions at once; later ones wait before the first byte of their body is read. */
export function transactionDoor(
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
  // Whatever is under way fails with it; the event itself must not end the process.
  client.on('error', () => {})
  // However it ends, also when it could not begin.
  client.once('end', onEnd)
  let copying: Writable | undefined
  let undone = false
  // In words, not by cutting the connection: the server would count it for a moment longer than we do.
  const rollback = () => {
    if (undone) return
    undone = true
    const impatient = setTimeout(() => client.connection.stream.destroy(), undoMs).unref()
    client.once('end', () => clearTimeout(impatient))
    // A COPY that has not ended fails, so that the next command is heard.
    copying?.destroy()
    void client
      .query('ROLLBACK')
      .catch(() => {})
      .then(() => client.end())
      .catch(() => {})
  }
  await client.connect()
  await client.query('BEGIN').catch((error) => {
    rollback()
    throw error
  })

  return {
    rollback,

    copy(sql) {
      const stream = client.query(from(sql))
      copying = stream
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
