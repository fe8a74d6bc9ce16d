// Ended calls, written directly to the database: the measurement starts there.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, statement } from '../server/src/platform/db/db.ts'
import { workspaceId } from './service-process.ts'

// In bulk, where the service writes one by one: ending calls is not measured. One transaction per statement, with the
// same rows and the same notification as calls that end normally. A call ends when its event is due.
const end = statement(`
  WITH due AS (
    SELECT nth, coalesce($6, now()) + nth * coalesce(interval '1 second' / $7::float8, '0') AS at
    FROM generate_series(0, $5::int - 1) AS nth),
  ended AS (
    INSERT INTO calls (session_id, workspace_id, agent_id, call_type, call_status, to_phone_number, duration, call_sid,
      call_initiated_time, call_completed_time, call_terminated_by, transcript, analytics,
      finished)
    SELECT uuidv7(), $1, ($2::uuid[])[1 + nth % cardinality($2::uuid[])], 'outbound', 'completed', '+15550100', 63,
      'CA0123456789abcdef', at, at, 'user', $3::json, $4::json, true
    FROM due
    RETURNING session_id, call_completed_time)
  INSERT INTO calls_to_tell (session_id, workspace_id, due_at) SELECT session_id, $1, call_completed_time FROM ended`)

// A call is counted with its end, not while its event is delivered. The trigger that counts is one of updates.
const count = statement('UPDATE calls SET counted = true WHERE finished AND NOT counted')

// A call of a minute: a dozen turns, an event of about 2 kB.
const turns = [
  ['assistant', 'Good morning, this is the dental practice. How can I help you?'],
  ['user', 'Hello, I would like to move my appointment. Something has come up at work, I am afraid.'],
  ['assistant', 'Of course. May I have your name and your date of birth, please?'],
  ['user', 'Jane Example, the first of April nineteen ninety.'],
  ['assistant', 'Thank you. I can offer you Tuesday at nine or Thursday at half past two.'],
  ['user', 'Thursday at half past two would be perfect.'],
  ['assistant', 'Then I have you down for Thursday at half past two. Is there anything else?'],
  ['user', 'No, that was all. Thank you very much.'],
  ['assistant', 'You are welcome. Goodbye!'],
]
const transcript = turns.map(([role, content], nth) => ({ role, content, at_ms: 4_000 * nth }))
const analytics = {
  summary: 'Jane Example moved her appointment to Thursday at half past two.',
  sentiment: { label: 'positive', score: 0.8 },
  disposition: { label: 'rescheduled' },
  data_extraction: { name: 'Jane Example', appointment: 'Thursday 14:30' },
}
const values = [JSON.stringify(transcript), JSON.stringify(analytics)]

// Every row is indexed for the search; more at once would take longer than a statement may.
const mostAtOnce = 2_000

/** The calls are distributed over the agents, and are due at once, at the given time, or one by one from then on. */
export async function endCalls(
  db: Db,
  agentIds: readonly string[],
  calls: number,
  dueAt?: Date,
  perSecond?: number,
): Promise<void> {
  for (let written = 0; written < calls; written += mostAtOnce) {
    const from = dueAt && new Date(dueAt.getTime() + (perSecond ? (written / perSecond) * 1000 : 0))
    const most = Math.min(calls - written, mostAtOnce)
    await db.rows(end, [workspaceId, agentIds, ...values, most, from ?? null, perSecond ?? null])
    await db.rows(count)
  }
}

// Twice the time that writing the calls takes on a calm machine, and the start of a statement.
const leadMs = (calls: number) => 2_000 + 2 * calls

/** Writes calls that become due one by one, at a steady rate, once all of them are written. Returns when the first one is due. */
export async function writeCallsAhead(
  db: Db,
  agentIds: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<Date> {
  const calls = Math.round(perSecond * seconds)
  const dueAt = new Date(Date.now() + leadMs(calls))
  await endCalls(db, agentIds, calls, dueAt, perSecond)
  if (Date.now() > dueAt.getTime()) throw new Error('writing the calls took longer than the lead')
  return dueAt
}

// Small compared with the 100 ms target; a finer step would load the database more than the calls themselves.
const stepMs = 10
// Calls are due when their statement begins and seen when it ends: a statement that catches up with a second would be
// a second late.
const mostPerStep = 32

/** Ends calls at a steady rate, each due at once. Late steps catch up. Returns the rate that was reached. */
export async function endCallsSteadily(
  db: Db,
  agentIds: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<number> {
  const startedAt = performance.now()
  const total = Math.round(perSecond * seconds)
  for (let ended = 0; ended < total; ) {
    const soFar = ((performance.now() - startedAt) / 1000) * perSecond
    const late = Math.min(total, Math.floor(soFar)) - ended
    const count = Math.min(late, mostPerStep)
    if (count > 0) await endCalls(db, agentIds, count)
    ended += count
    if (count === late) await sleep(stepMs)
  }
  return total / ((performance.now() - startedAt) / 1000)
}
