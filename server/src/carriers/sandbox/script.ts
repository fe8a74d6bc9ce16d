// What a simulated callee does and when: a pure function from what it hears to what it does.
//
// A script is a list of steps, run in order. A step has a `when` and a `what`; after the last one `afterwards` decides what
// follows. Time comes with every event.
import type { SimulatedCodec } from './codec.ts'
import { type CalleeReply, smallTalk } from './small-talk.ts'

export type When =
  /** Due this long after the previous step ended. */
  | { readonly of: 'now'; readonly afterMs: number }
  /** Due when the agent has spoken since the callee's last act, and is quiet. */
  | { readonly of: 'agent-done'; readonly afterMs: number }
  /** Due as above, if the agent said these words. */
  | { readonly of: 'agent-says'; readonly words: string; readonly afterMs: number }
  /** Interrupts the agent's speech. */
  | { readonly of: 'agent-speaks'; readonly afterMs: number }
  /** Due when the agent has sent this digit sequence since digits were last waited for. */
  | { readonly of: 'digits'; readonly digits: string; readonly afterMs: number }

export type What =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'sound'; readonly name: string; readonly forMs: number | null }
  | { readonly do: 'press'; readonly keys: string }
  | { readonly do: 'stay-silent'; readonly ms: number }
  /** Puts the agent on hold; null: without music. */
  | { readonly do: 'hold'; readonly ms: number; readonly sound: string | null }
  | { readonly do: 'switch-codec'; readonly codec: SimulatedCodec }
  | { readonly do: 'hang-up' }

export interface ScriptStep {
  readonly when: When
  readonly what: What
}

export type ScriptEnding = 'talk' | 'silence' | 'repeat'

export interface Plan {
  readonly steps: readonly ScriptStep[]
  readonly afterwards: ScriptEnding
}

/** `prepare` hints at what will be said next; `resume` ends a hold. */
export type CalleeAct =
  | Exclude<What, { do: 'stay-silent' }>
  | { readonly do: 'prepare'; readonly text: string }
  | { readonly do: 'resume' }

export type CalleeEvent =
  | { readonly type: 'tick' }
  | { readonly type: 'agent-starts' }
  | { readonly type: 'agent-stops' }
  | { readonly type: 'agent-words'; readonly text: string }
  | { readonly type: 'digit'; readonly digit: string }
  /** The speech, sound or key of the callee has ended. */
  | { readonly type: 'finished' }

type Agent =
  | { readonly is: 'quiet'; readonly sinceMs: number }
  | { readonly is: 'speaking'; readonly turnSinceMs: number }
  /** The agent is between two sentences, or has finished: not known yet. */
  | { readonly is: 'pausing'; readonly turnSinceMs: number; readonly sinceMs: number }

type Activity =
  | { readonly is: 'free'; readonly sinceMs: number }
  | { readonly is: 'busy'; readonly then: 'go-on' | 'resume' | 'hang-up' }
  | { readonly is: 'silent'; readonly untilMs: number }
  | { readonly is: 'gone' }

export interface ScriptState {
  readonly place: number
  readonly activity: Activity
  readonly agent: Agent
  /** What the agent has said since the callee's last act. */
  readonly spoken: { readonly any: boolean; readonly words: string }
  /** Digits of the agent that no step has consumed yet. */
  readonly digits: { readonly sent: string; readonly atMs: number }
  readonly replies: number
  readonly calls: number
}

export interface ScriptMove {
  readonly next: ScriptState
  readonly acts: readonly CalleeAct[]
}

// Longer than a speaker's pause between two sentences, shorter than a caller's patience.
const doneAfterMs = 600
// How long a transcriber's last words are waited for after the voice; then the callee answers without them.
const wordsWithinMs = 2_500
// A person who answers a telephone and hears nothing asks after this long.
const patienceMs = 8_000
const impatientCalls = 2

export function begin(plan: Plan, nowMs: number): ScriptMove {
  const next: ScriptState = {
    place: 0,
    activity: { is: 'free', sinceMs: nowMs },
    agent: { is: 'quiet', sinceMs: nowMs },
    spoken: { any: false, words: '' },
    digits: { sent: '', atMs: nowMs },
    replies: 0,
    calls: 0,
  }
  return { next, acts: preparation(plan, 0) }
}

/** Whether the script needs words: transcription is the most expensive part of a callee. */
export const listensToWords = ({ steps, afterwards }: Plan): boolean =>
  afterwards === 'talk' || steps.some(({ when }) => when.of === 'agent-says')

export function follow(plan: Plan, now: ScriptState, event: CalleeEvent, nowMs: number): ScriptMove {
  const next = perceive(now, event, nowMs)
  if (next.activity.is !== 'free') return { next, acts: [] }
  if (now.activity.is === 'busy' && now.activity.then === 'hang-up') return leave(next)
  if (now.activity.is === 'busy' && now.activity.then === 'resume') return { next, acts: [{ do: 'resume' }] }
  const step = plan.steps[next.place]
  if (step)
    return isDue(step.when, next, nowMs)
      ? take(plan, consume(next, step.when), step.what, nowMs)
      : { next, acts: [] }
  if (plan.afterwards === 'talk') return talk(next, nowMs)
  if (plan.afterwards === 'repeat' && plan.steps.length > 0) return { next: { ...next, place: 0 }, acts: [] }
  return { next, acts: [] }
}

function perceive(now: ScriptState, event: CalleeEvent, nowMs: number): ScriptState {
  switch (event.type) {
    case 'tick':
      return settle(now, nowMs)
    case 'agent-starts':
      return {
        ...now,
        agent: { is: 'speaking', turnSinceMs: now.agent.is === 'quiet' ? nowMs : now.agent.turnSinceMs },
        spoken: { ...now.spoken, any: true },
      }
    case 'agent-stops':
      return now.agent.is === 'speaking'
        ? { ...now, agent: { is: 'pausing', turnSinceMs: now.agent.turnSinceMs, sinceMs: nowMs } }
        : now
    case 'agent-words':
      return { ...now, spoken: { ...now.spoken, words: `${now.spoken.words} ${event.text}`.trim() } }
    case 'digit':
      return { ...now, digits: { sent: now.digits.sent + event.digit, atMs: nowMs } }
    case 'finished': {
      if (now.activity.is !== 'busy') return now
      // An agent that keeps speaking over the callee's last word counts as speaking after it.
      const any = now.spoken.any || now.agent.is === 'speaking'
      return { ...now, activity: { is: 'free', sinceMs: nowMs }, spoken: { ...now.spoken, any } }
    }
  }
}

/** Transitions caused by time alone. */
function settle(now: ScriptState, nowMs: number): ScriptState {
  const { agent, activity } = now
  return {
    ...now,
    agent:
      agent.is === 'pausing' && nowMs - agent.sinceMs >= doneAfterMs
        ? { is: 'quiet', sinceMs: agent.sinceMs }
        : agent,
    activity:
      activity.is === 'silent' && nowMs >= activity.untilMs
        ? { is: 'free', sinceMs: activity.untilMs }
        : activity,
  }
}

function isDue(when: When, { activity, agent, spoken, digits }: ScriptState, nowMs: number): boolean {
  if (activity.is !== 'free') return false
  switch (when.of) {
    case 'now':
      return nowMs - activity.sinceMs >= when.afterMs
    case 'agent-speaks':
      return agent.is === 'speaking' && nowMs - Math.max(agent.turnSinceMs, activity.sinceMs) >= when.afterMs
    case 'digits':
      return (
        digits.sent.includes(when.digits) && nowMs - Math.max(digits.atMs, activity.sinceMs) >= when.afterMs
      )
    case 'agent-done':
      return spoken.any && agent.is === 'quiet' && nowMs - agent.sinceMs >= doneAfterMs + when.afterMs
    case 'agent-says':
      return (
        agent.is === 'quiet' &&
        nowMs - agent.sinceMs >= doneAfterMs + when.afterMs &&
        plain(spoken.words).includes(plain(when.words))
      )
  }
}

/** Consumes what the step waited for. */
function consume(now: ScriptState, when: When): ScriptState {
  if (when.of !== 'digits') return now
  const { sent, atMs } = now.digits
  return { ...now, digits: { sent: sent.slice(sent.indexOf(when.digits) + when.digits.length), atMs } }
}

function take(plan: Plan, now: ScriptState, what: What, nowMs: number): ScriptMove {
  const place = now.place + 1
  if (what.do === 'hang-up') return leave(now)
  if (what.do === 'stay-silent')
    return {
      next: { ...now, place, activity: { is: 'silent', untilMs: nowMs + what.ms } },
      acts: preparation(plan, place),
    }
  const acts = [what, ...preparation(plan, place)]
  if (what.do === 'switch-codec')
    return { next: { ...now, place, activity: { is: 'free', sinceMs: nowMs } }, acts }
  return { next: { ...busy(now, what.do === 'hold' ? 'resume' : 'go-on'), place }, acts }
}

/** The conversation of a callee with no steps left: it answers what it hears. */
function talk(now: ScriptState, nowMs: number): ScriptMove {
  const { agent, activity, spoken } = now
  if (agent.is !== 'quiet' || activity.is !== 'free') return { next: now, acts: [] }
  if (spoken.any) {
    const quietMs = nowMs - agent.sinceMs
    const ready = spoken.words ? quietMs >= doneAfterMs : quietMs >= wordsWithinMs
    return ready ? say(now, smallTalk(spoken.words, now.replies)) : { next: now, acts: [] }
  }
  if (nowMs - activity.sinceMs < patienceMs) return { next: now, acts: [] }
  const calls = now.calls + 1
  return calls > impatientCalls ? leave(now) : say({ ...now, calls }, { text: 'Hello?', last: false })
}

const say = (now: ScriptState, { text, last }: CalleeReply): ScriptMove => ({
  next: { ...busy(now, last ? 'hang-up' : 'go-on'), replies: now.replies + 1 },
  acts: [{ do: 'say', text }],
})

const busy = (now: ScriptState, then: Extract<Activity, { is: 'busy' }>['then']): ScriptState => ({
  ...now,
  activity: { is: 'busy', then },
  spoken: { any: false, words: '' },
})

const leave = (now: ScriptState): ScriptMove => ({
  next: { ...now, activity: { is: 'gone' } },
  acts: [{ do: 'hang-up' }],
})

function preparation({ steps, afterwards }: Plan, place: number): CalleeAct[] {
  const what = steps[afterwards === 'repeat' ? place % steps.length : place]?.what
  return what?.do === 'say' ? [{ do: 'prepare', text: what.text }] : []
}

/** Normalized: no capitals, no punctuation. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/ +/g, ' ')
