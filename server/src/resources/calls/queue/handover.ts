// Calls of a process that stops go on in another one, as those of a process that died do (orphaned-calls.ts), but
// without the wait: who has room is asked over notices of the database, and what is let go is marked as free to take.
//
//   call_handovers        {"ask": <id>}                 to every process
//   call_handover_rooms   {"ask": <id>, "room": 12}     by each that can go on with calls of others
import { type Db, type Queries, statement } from '../../../platform/db/db.ts'
import { newId } from '../../../platform/ids.ts'

const notify = statement('SELECT pg_notify($1, $2)')
const questions = 'call_handovers'
const answers = 'call_handover_rooms'

const tell = (db: Queries, channel: string, message: object) =>
  db.rows(notify, [channel, JSON.stringify(message)])

// Processes with room answer at once; on a busy machine that takes a moment.
const hearMs = 1_500

interface Room {
  readonly ask: string
  readonly room: number
}

/** How many calls the other processes would take, at least until there is room for as many as wanted. */
export async function roomElsewhere(db: Db, wanted: number): Promise<number> {
  const ask = newId()
  const enough = Promise.withResolvers<void>()
  let found = 0
  const subscription = await db.listen(answers, {
    notice(text = '') {
      const answer = JSON.parse(text) as Room
      if (answer.ask !== ask) return
      found += answer.room
      if (found >= wanted) enough.resolve()
    },
  })
  const timer = setTimeout(enough.resolve, hearMs)
  try {
    await tell(db, questions, { ask })
    await enough.promise
    return found
  } finally {
    clearTimeout(timer)
    await subscription.close()
  }
}

/** Answers for a process that can go on with calls of others. */
export const answerHandovers = (
  db: Db,
  room: () => number,
  onError: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> =>
  db.listen(questions, {
    notice(text = '') {
      const { ask } = JSON.parse(text) as { ask: string }
      if (room() > 0) tell(db, answers, { ask, room: room() } satisfies Room).catch(onError)
    },
  })

const withState = statement(`
  SELECT s.session_id FROM call_states s JOIN calls c USING (session_id)
  WHERE c.claimed_by = $1 AND s.session_id = ANY($2::uuid[]) ORDER BY c.call_initiated_time`)

/** Those of these calls whose carrier has kept their state, the oldest first. */
export async function resumableCalls(
  db: Queries,
  claimantId: number,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ session_id: string }>(withState, [claimantId, sessionIds])
  return rows.map(({ session_id }) => session_id)
}

// Claimants are numbers above zero: the negative of one is nobody's, and still tells whose calls they were.
const letGo = statement(`
  WITH free AS (
    UPDATE calls SET claimed_by = -$1, updated_at = now()
    WHERE claimed_by = $1 AND session_id = ANY($2::uuid[]) AND NOT finished RETURNING session_id
  )
  SELECT session_id, pg_notify('calls', '') FROM free`)

const untaken = statement('SELECT count(*)::int AS calls FROM calls WHERE claimed_by = -$1')

/** How many of the calls that this claimant has let go of wait for another process. */
export const callsNobodyTook = async (db: Queries, claimantId: number): Promise<number> =>
  (await db.row<{ calls: number }>(untaken, [claimantId]))?.calls ?? 0

/** Whether a claimant has let go of its calls, and did not just lose its connection. */
export const hasLetGo = (claimantId: number): boolean => claimantId < 0

export const letGoOfCalls = (db: Queries, claimantId: number, sessionIds: readonly string[]) =>
  db.rows(letGo, [claimantId, sessionIds])
