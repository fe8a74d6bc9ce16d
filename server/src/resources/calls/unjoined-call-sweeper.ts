// Calls that no browser came for: they end, once the token is too old, and are told like any other.
import { type Db, statement } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import { type CallEnd, finishCalls } from './finish-calls.ts'

// Whoever came in the last moment may still be on the way in; no claim takes this long.
const graceSeconds = 2
const lookMs = 1_000
const atOnce = 500

const tooOld = statement(`
  SELECT session_id FROM calls WHERE join_by <= now() - ${graceSeconds} * interval '1 second' ORDER BY join_by LIMIT $1`)

const nobodyCame: CallEnd = {
  callStatus: 'no-answer',
  duration: 0,
  callSid: null,
  completedAt: null,
  terminatedBy: 'system',
  transcript: [],
  recording: null,
  analytics: null,
  hangupReason: 'dial_no_answer',
  errorMessage: 'No browser joined before the token expired.',
}

export function startUnjoinedCallSweeper(db: Db, log: Log, tellAfterSeconds: number): Loop {
  const step = async () => {
    const calls = await db.rows<{ session_id: string }>(tooOld, [atOnce])
    const ends = calls.map(({ session_id }) => ({ ...nobodyCame, sessionId: session_id }))
    if (ends.length > 0) await finishCalls(db, ends, tellAfterSeconds)
    return calls.length < atOnce ? lookMs : 0
  }
  return startLoop(step, (err) => {
    log.warn({ err }, 'calls that nobody joined wait for the database')
    return lookMs
  })
}
