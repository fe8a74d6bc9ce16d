// The SIP messages of calls in the database.
import { type Db, type Queries, statement } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Signalling, SignallingMessage } from '../../../ports/signalling.ts'
import { toJson } from './json.ts'

const insert = statement(`
  INSERT INTO call_signalling (session_id, messages, left_out)
  SELECT session_id, $2, $3 FROM calls WHERE session_id = $1
  ON CONFLICT DO NOTHING`)

const find = statement('SELECT messages, left_out FROM call_signalling WHERE session_id = $1')

/** Nothing depends on these messages: while the database is away they are lost, with a warning. */
export function openSignallingWriter(db: Db, log: Pick<Log, 'warn'>) {
  const writing = new Set<Promise<void>>()
  const write = async (sessionId: string, { messages, leftOut }: Signalling) => {
    try {
      await db.rows(insert, [sessionId, toJson(messages), leftOut])
    } catch (err) {
      log.warn({ err, session_id: sessionId }, 'SIP messages not stored')
    }
  }
  return {
    keep(sessionId: string, signalling: Signalling): void {
      const written = write(sessionId, signalling).finally(() => writing.delete(written))
      writing.add(written)
    },
    /** Resolves when everything has been written. */
    async close(): Promise<void> {
      await Promise.all(writing)
    },
  }
}

type StoredMessage = Omit<SignallingMessage, 'at'> & { readonly at: string }

export async function signallingOf(
  db: Queries,
  sessionId: string,
): Promise<{ readonly messages: readonly StoredMessage[]; readonly leftOut: number }> {
  const row = await db.row<{ messages: StoredMessage[]; left_out: number }>(find, [sessionId])
  return { messages: row?.messages ?? [], leftOut: row?.left_out ?? 0 }
}
