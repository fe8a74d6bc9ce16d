// Checks a call's recording and record against its scenario: one sentence for each fault.
import type { CallOutcome } from '../../../src/ports/call.ts'
import type { SpokenInterval } from '../recording/hear-back.ts'
import { answerGapsMs, lengthMs, overlaps } from '../recording/intervals.ts'
import type { Interval } from '../recording/recording.ts'
import { isSaid, missingIn } from './like-words.ts'
import type { Must } from './scenario.ts'

/** The analysis of the recording. */
export interface ScenarioSound {
  readonly totalMs: number
  readonly caller: readonly Interval[]
  readonly agent: readonly SpokenInterval[]
  readonly agentClicksMs: readonly number[]
  readonly agentBackgroundDb: number
}

type Check = (must: Must, heard: ScenarioSound, outcome: CallOutcome) => readonly string[]

const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault])

const record: Check = (must, _, { status, hangupReason, answeredBy, errorMessage, line }) => [
  ...unless(status === must.status, `the call is ${status} (${errorMessage}), not ${must.status}`),
  ...unless(hangupReason === must.hangup_reason, `it ended by ${hangupReason}, not ${must.hangup_reason}`),
  ...unless(!must.answered_by || answeredBy === must.answered_by, `it was answered by ${answeredBy}`),
  ...unless(
    !must.transfer || line?.transfer?.outcome === must.transfer,
    `the transfer was ${JSON.stringify(line?.transfer)}`,
  ),
]

const words: Check = (must, heard, { transcript }) => {
  const said = heard.agent.map(({ text }) => text).join(' ')
  const written = (role: 'agent' | 'user') =>
    transcript.flatMap((entry) => (entry.role === role ? [entry.content] : [])).join(' ')
  return [
    ...missingIn(must.agent_says, said).map((phrase) => `the agent is not heard to say “${phrase}”`),
    ...must.agent_never_says
      .filter((phrase) => isSaid(phrase, said))
      .map((phrase) => `the agent says “${phrase}”`),
    ...missingIn(must.caller_is_understood, written('user')).map(
      (phrase) => `the caller’s “${phrase}” is not understood`,
    ),
    ...missingIn(must.transcript_has, written('agent')).map((phrase) => `the transcript lacks “${phrase}”`),
    ...must.transcript_lacks
      .filter((phrase) => isSaid(phrase, written('agent')))
      .map((phrase) => `the transcript has “${phrase}”, which nobody heard`),
  ]
}

const pace: Check = (must, { agent, caller, totalMs }) => {
  const { greeting_within_ms, max_gap_ms, max_overlap_ms, lasts_ms } = must
  const greetingMs = agent[0]?.fromMs ?? Number.POSITIVE_INFINITY
  const gapsMs = answerGapsMs(caller, agent)
  const overlapMs = overlaps(caller, agent).reduce((sum, interval) => sum + lengthMs(interval), 0)
  return [
    ...unless(
      greeting_within_ms === undefined || greetingMs <= greeting_within_ms,
      `the greeting comes after ${greetingMs} ms`,
    ),
    ...unless(max_gap_ms === undefined || gapsMs.length > 0, 'the agent answers nothing'),
    ...gapsMs
      .filter((gapMs) => gapMs > (max_gap_ms ?? Number.POSITIVE_INFINITY))
      .map((gapMs) => `the caller waits ${gapMs} ms for an answer`),
    ...unless(
      max_overlap_ms === undefined || overlapMs <= max_overlap_ms,
      `both speak at once for ${overlapMs} ms`,
    ),
    ...unless(
      !lasts_ms || (totalMs >= lasts_ms[0] && totalMs <= lasts_ms[1]),
      `the call lasts ${totalMs} ms`,
    ),
  ]
}

const interruption: Check = (
  { agent_silent_within_ms_of: silent, agent_resumes_within_ms_of: resumes },
  heard,
) => {
  const { caller, agent } = heard
  const faults: string[] = []
  if (silent) {
    const startMs = caller[silent.caller_start - 1]?.fromMs ?? Number.NaN
    const speaking = agent.find(({ fromMs, toMs }) => fromMs < startMs && toMs > startMs)
    const tookMs = (speaking?.toMs ?? Number.NaN) - startMs
    if (!(tookMs <= silent.ms)) faults.push(`the agent falls silent ${tookMs} ms after the caller’s start`)
  }
  if (resumes) {
    const endMs = caller[resumes.caller_end - 1]?.toMs ?? Number.NaN
    const speaking = agent.some(({ fromMs, toMs }) => fromMs <= endMs && toMs > endMs)
    const again = agent.find(({ fromMs }) => fromMs > endMs)
    const tookMs = speaking ? 0 : (again?.fromMs ?? Number.NaN) - endMs
    if (!(tookMs <= resumes.ms)) faults.push(`the agent goes on ${tookMs} ms after the caller’s end`)
  }
  return faults
}

const patience: Check = ({ no_cut_between }, { caller, agent }) => {
  if (!no_cut_between) return []
  const fromMs = caller[no_cut_between[0] - 1]?.fromMs
  const toMs = caller[no_cut_between[1] - 1]?.toMs
  if (fromMs === undefined || toMs === undefined) return [`the caller is heard ${caller.length} times only`]
  return overlaps([{ fromMs, toMs }], agent).map((cut) => `the agent cuts in at ${cut.fromMs} ms`)
}

const cleanliness: Check = ({ max_clicks }, { agentClicksMs }) =>
  unless(
    agentClicksMs.length <= max_clicks,
    `the agent’s side clicks at ${agentClicksMs.map(Math.round).join(', ')} ms`,
  )

const background: Check = ({ agent_background_db: wanted }, { agentBackgroundDb: db }) =>
  unless(
    !wanted || (db >= wanted[0] && db <= wanted[1]),
    `behind the agent there is a sound of ${db.toFixed(0)} dB`,
  )

const checks: readonly Check[] = [record, words, pace, interruption, patience, cleanliness, background]

export const faultsOf: Check = (must, heard, outcome) =>
  checks.flatMap((check) => check(must, heard, outcome))
