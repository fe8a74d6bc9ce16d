// The agreement with the target of a warm transfer before the two are connected. Pure: events in, the next state and
// acts out.
//
// dialling → greeted → briefed → accepted | refused
//
// The target hears what the call is about and answers by a word or a key. A target that says nothing is asked once
// more.
import type { LineEnd } from '../../ports/line.ts'
import { turnLanguages } from '../turn/languages/index.ts'
import { asksToWait, machineWords } from '../turn/machine-words.ts'
import { wordsOf } from '../turn/word-list.ts'

export interface BriefingRules {
  /** The summary and the question whether to connect; empty: the target is connected at once. */
  readonly words: string
  readonly ringingMs: number
}

export type BriefingState =
  /** `inReach` is false while the trunk has not answered the call at all, for longer than usual. */
  | { readonly is: 'dialling'; readonly sinceMs: number; readonly inReach: boolean }
  /** The target has answered, and says hello first. */
  | { readonly is: 'greeted'; readonly sinceMs: number }
  | { readonly is: 'telling'; readonly attempt: 1 | 2 }
  | { readonly is: 'asked'; readonly attempt: 1 | 2; readonly sinceMs: number }
  | { readonly is: 'over' }

export type BriefingEvent =
  | { readonly type: 'tick' }
  | { readonly type: 'out-of-reach' | 'in-reach' }
  | { readonly type: 'answered' }
  | { readonly type: 'voice'; readonly speaking: boolean }
  | { readonly type: 'words'; readonly text: string; readonly isFinal: boolean }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'said' }
  | { readonly type: 'beep' }
  | { readonly type: 'ended'; readonly cause: LineEnd; readonly reason: string | undefined }

/** Why the two were not connected. */
export type NotConnected = 'busy' | 'no-answer' | 'declined' | 'failed'

export type BriefingAct =
  | { readonly do: 'tell' }
  | { readonly do: 'join' }
  | { readonly do: 'refuse'; readonly outcome: NotConnected; readonly reason: string }

export interface BriefingMove {
  readonly next: BriefingState
  readonly acts: readonly BriefingAct[]
}

// People say hello within this time, or wait for the caller to speak.
const helloMs = 1_200
// Counted from the end of the question.
const patienceMs = 8_000
// The most words of an answer that interrupts the question; an echo of the question has more.
const mostOfAnswer = 6
const fewestOfEcho = 3

const languages = Object.values(turnLanguages)
const accepts = (text: string) => languages.some(({ takesCall }) => takesCall.accepts.test(text))
const declines = (text: string) => languages.some(({ takesCall }) => takesCall.declines.test(text))

export const beginBriefing = (nowMs: number): BriefingState => ({
  is: 'dialling',
  sinceMs: nowMs,
  inReach: true,
})

const stay = (next: BriefingState): BriefingMove => ({ next, acts: [] })
const tell = (attempt: 1 | 2): BriefingMove => ({ next: { is: 'telling', attempt }, acts: [{ do: 'tell' }] })
const join: BriefingMove = { next: { is: 'over' }, acts: [{ do: 'join' }] }
const refuse = (outcome: NotConnected, reason: string): BriefingMove => ({
  next: { is: 'over' },
  acts: [{ do: 'refuse', outcome, reason }],
})

export function brief(
  state: BriefingState,
  event: BriefingEvent,
  nowMs: number,
  rules: BriefingRules,
): BriefingMove {
  if (state.is === 'over') return stay(state)
  switch (event.type) {
    case 'tick':
      return passTime(state, nowMs, rules)
    case 'out-of-reach':
    case 'in-reach':
      return stay(state.is === 'dialling' ? { ...state, inReach: event.type === 'in-reach' } : state)
    case 'answered':
      if (state.is !== 'dialling') return stay(state)
      return rules.words === '' ? join : stay({ is: 'greeted', sinceMs: nowMs })
    case 'voice':
      return hearVoice(state, event.speaking, nowMs)
    case 'words':
      return hearWords(state, event, nowMs, rules)
    case 'digit':
      return pressed(state, event.digit)
    case 'said':
      return state.is === 'telling'
        ? stay({ is: 'asked', attempt: state.attempt, sinceMs: nowMs })
        : stay(state)
    case 'beep':
      return refuse('no-answer', 'A voicemail box answered.')
    case 'ended':
      return left(event)
  }
}

function passTime(state: BriefingState, nowMs: number, { ringingMs }: BriefingRules): BriefingMove {
  if (state.is === 'dialling' && nowMs - state.sinceMs >= ringingMs)
    return state.inReach
      ? refuse('no-answer', `Nobody answered within ${Math.round(ringingMs / 1_000)} s.`)
      : refuse(...reasons['no-trunk'])
  if (state.is === 'greeted' && nowMs - state.sinceMs >= helloMs) return tell(1)
  if (state.is !== 'asked' || nowMs - state.sinceMs < patienceMs) return stay(state)
  return state.attempt === 1
    ? tell(2)
    : refuse('declined', 'Whoever answered did not say whether to connect.')
}

/** Waits until the hello is over; a voice during the question gives the target more time. */
function hearVoice(state: BriefingState, isSpeaking: boolean, nowMs: number): BriefingMove {
  // After a hello half of the wait, and all of it while there is a voice.
  if (state.is === 'greeted')
    return stay({ ...state, sinceMs: isSpeaking ? nowMs + helloMs : nowMs - helloMs / 2 })
  return state.is === 'asked' ? stay({ ...state, sinceMs: nowMs }) : stay(state)
}

function hearWords(
  state: BriefingState,
  { text, isFinal }: Extract<BriefingEvent, { type: 'words' }>,
  nowMs: number,
  rules: BriefingRules,
): BriefingMove {
  const machine = machineWords(text)
  if (machine === 'voicemail') return refuse('no-answer', 'A voicemail box answered.')
  if (machine === 'out-of-service' || machine === 'not-reachable')
    return refuse('failed', 'The network announced that nobody can be reached there.')
  if (!isFinal) return stay(state)
  const plain = wordsOf(text).join(' ')
  if (state.is !== 'asked' && !interrupts(state, plain, rules)) return stay(state)
  if (accepts(plain)) return join
  if (asksToWait(text) && state.is === 'asked') return stay({ ...state, sinceMs: nowMs })
  return declines(plain) ? refuse('declined', 'Whoever answered did not want to take the call.') : stay(state)
}

/** Whether an answer interrupts the repeated question. In the first one, "yes?" may be a hello or our own echo. */
function interrupts(state: BriefingState, plain: string, { words }: BriefingRules): boolean {
  if (state.is !== 'telling' || state.attempt === 1) return false
  const length = plain.split(' ').length
  const isEcho = length >= fewestOfEcho && wordsOf(words).join(' ').includes(plain)
  return length <= mostOfAnswer && !isEcho
}

/** A key can be pressed at any time. */
function pressed(state: BriefingState, digit: string): BriefingMove {
  if (digit === '1') return join
  return digit === '2' ? refuse('declined', 'Whoever answered did not want to take the call.') : stay(state)
}

const reasons: Readonly<Record<LineEnd, readonly [NotConnected, string]>> = {
  hangup: ['declined', 'Whoever answered hung up.'],
  busy: ['busy', 'The line is busy.'],
  rejected: ['declined', 'The call was rejected.'],
  'no-answer': ['no-answer', 'Nobody answered.'],
  unreachable: ['failed', 'The number cannot be reached.'],
  'no-trunk': ['failed', 'The trunk did not answer.'],
  failed: ['failed', 'The call could not be placed.'],
}

function left({ cause, reason }: Extract<BriefingEvent, { type: 'ended' }>): BriefingMove {
  const [outcome, usual] = reasons[cause]
  return refuse(outcome, reason ?? usual)
}
