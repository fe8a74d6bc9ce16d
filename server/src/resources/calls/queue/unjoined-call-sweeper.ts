// Ends calls that nobody joined: a browser before its token expired, or a telephone call that was given up. Their event is
// published like any other.
import { type Queries, statement } from '../../../platform/db/db.ts'
import type { Sweep } from '../../../platform/jobs/job.ts'
import { type CallEnd, finishCalls } from '../record/finish-calls.ts'

// A browser that arrived at the last moment may still be joining; no claim takes this long.
const graceSeconds = 2
const lookMs = 1_000
const atOnce = 500

const tooOld = statement(`
  SELECT session_id, call_type FROM calls WHERE join_by <= now() - ${graceSeconds} * interval '1 second' ORDER BY join_by LIMIT $1`)

const notJoined: Omit<CallEnd, 'errorMessage'> = {
  callStatus: 'no-answer',
  duration: 0,
  callSid: null,
  completedAt: null,
  terminatedBy: 'system',
  transcript: [],
  recording: null,
  analytics: null,
  hangupReason: 'dial_no_answer',
}

const noBrowser = 'No browser joined before the token expired.'
const notTaken = 'The call was refused: the database could not be reached while it came in.'

export const unjoinedCallSweep = (db: Queries, eventDelaySeconds: number): Sweep => ({
  name: 'unjoined calls',
  everyMs: lookMs,
  afterErrorMs: lookMs,
  async run() {
    const calls = await db.rows<{ session_id: string; call_type: string }>(tooOld, [atOnce])
    const ends = calls.map(({ session_id: sessionId, call_type }) => ({
      ...notJoined,
      errorMessage: call_type === 'web' ? noBrowser : notTaken,
      sessionId,
    }))
    if (ends.length > 0) await finishCalls(db, ends, eventDelaySeconds)
    return calls.length < atOnce ? lookMs : 0
  },
})
