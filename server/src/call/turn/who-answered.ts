// Recognises who picked up a call that we placed (a person, a voicemail box, a menu, a screening service, or a
// network's announcement that nobody can be reached) and decides what follows.
//
// The signs are the words and the beep. Once the agent was heard, only what no person says counts: whoever answers it may
// take as long as they like, and may tell of somebody who cannot be reached. Until then, speech without a pause counts too,
// with words that recordings say.
import type { AnsweringRules, TurnRules } from '../../ports/call-plan.ts'
import { openingOf } from './consent.ts'
import { judgeTurn } from './end-of-turn.ts'
import { endings } from './endings.ts'
import { end, leave } from './leave.ts'
import { asksToWait, machineWords, mayBeRecorded } from './machine-words.ts'
import {
  type Act,
  type Answerer,
  after,
  type Concern,
  dropped,
  isApart,
  say,
  type Turn,
  type TurnStep,
  turnStep,
} from './turn-state.ts'
import { answered, lastHeardMs, wordsOfCaller } from './utterance.ts'
import { isSalutation } from './word-list.ts'

export const nobodyKnown: Answerer = {
  is: 'unknown',
  awaits: null,
  earlier: '',
  hasHeardAgent: false,
  monologue: { ms: 0, lastMs: Number.NEGATIVE_INFINITY },
}

// Machines speak at once; later a person may well talk about voicemail.
const greetingMs = 30_000
const greetingTurns = 2
// A pause inside a recorded greeting is shorter. People who pick up wait for an answer.
const breathMs = 1_300
// A receptionist's "Good morning, Maple Dental, this is Anna, how can I help you?" takes four seconds.
const recordedMs = 5_500
// A recording that pauses while the agent speaks goes on sooner than this after its own last word.
const listensMs = 500
// Some boxes have no beep, or one that is lost on the way.
const noBeepMs = 3_500
const longestGreetingMs = 60_000
// A message of a minute; boxes cut off longer ones.
const messageMs = 90_000
// An announcement repeats itself, while a voicemail greeting goes on.
const announcedMs = 2_000
// After this pause a screening service waits for us.
const promptEndMs = 700
// A person takes so long to look at the screen and decide.
const personMs = 60_000

type Awaits = NonNullable<Answerer['awaits']>

/** Adds the time that passed to the speech without a pause that is under way. */
export function countMonologue(turn: Turn, passedMs: number): Turn {
  const { caller, answerer, life, nowMs } = turn
  if (caller.voice.is === 'quiet' || life.is !== 'talking' || turn.turnsTaken > greetingTurns) return turn
  const { ms, lastMs } = answerer.monologue
  const sinceMs = nowMs - lastMs
  const monologue = { ms: sinceMs <= breathMs ? ms + sinceMs : passedMs, lastMs: nowMs }
  return { ...turn, answerer: { ...answerer, monologue } }
}

/** Notes that the agent has said something to its end and that the other side was silent for it. */
export const noteHeardOut = (turn: Turn): Turn => {
  const { answerer, caller, nowMs } = turn
  const listens = caller.voice.is === 'quiet' && nowMs - answerer.monologue.lastMs >= listensMs
  return listens ? { ...turn, answerer: { ...answerer, hasHeardAgent: true } } : turn
}

const isEarly = ({ life, nowMs, turnsTaken }: Turn): boolean =>
  life.is === 'talking' && nowMs - life.answeredMs <= greetingMs && turnsTaken <= greetingTurns

// A machine begins as soon as the line is open.
const beginsWithinMs = 5_000

const beganAtOnce = ({ life, nowMs, answerer }: Turn): boolean =>
  life.is === 'talking' && nowMs - life.answeredMs - answerer.monologue.ms <= beginsWithinMs

const everything = ({ answerer, caller }: Turn): string =>
  `${answerer.earlier} ${wordsOfCaller(caller)}`.trim()

export const whoAnswered: Concern = (turn, rules) => {
  const { answering } = rules
  if (!answering) return undefined
  const { awaits } = turn.answerer
  switch (awaits?.for) {
    case 'beep':
      return awaitBeep(turn, awaits, answering, rules)
    case 'announcement':
      return recognise(turn, answering) ?? awaitAnnouncement(turn, awaits)
    case 'prompt':
      return quietMs(turn) >= promptEndMs ? answerScreening(turn, answering) : undefined
    case 'person':
      return awaitPerson(turn, awaits, rules)
    default:
      return isEarly(turn) && turn.answerer.is !== 'voicemail' ? recognise(turn, answering) : undefined
  }
}

const quietMs = ({ caller, nowMs }: Turn): number =>
  caller.voice.is === 'speaking' ? 0 : nowMs - Math.max(lastHeardMs(caller), caller.wordsMs)

function recognise(turn: Turn, answering: AnsweringRules): TurnStep | undefined {
  const { answerer, turnsTaken } = turn
  const words = everything(turn)
  const who = machineWords(words)
  if (who === 'screening')
    return answerer.is === 'screening' ? undefined : waitFor(turn, 'screening', 'prompt')
  if (who === 'voicemail') return machine(turn, answering, 'what was said')
  if (who === 'out-of-service') return unavailable(turn, endings.outOfService)
  if (who === 'ivr') return answerer.is === 'ivr' ? undefined : become(turn, 'ivr')
  if (answerer.awaits || answerer.is !== 'unknown' || answerer.hasHeardAgent) return undefined
  if (who === 'not-reachable') return waitFor(turn, 'unknown', 'announcement')
  if (turnsTaken > 1 || !beganAtOnce(turn)) return undefined
  const isRecorded = answerer.monologue.ms >= recordedMs && mayBeRecorded(words)
  return isRecorded ? machine(turn, answering, 'how long it went on') : undefined
}

const become = (turn: Turn, is: Answerer['is']): TurnStep =>
  turnStep(
    { ...turn, answerer: { ...turn.answerer, is } },
    { do: 'note', note: `The call was answered by ${names[is]}.` },
  )

const names: Readonly<Record<Answerer['is'], string>> = {
  human: 'a person',
  voicemail: 'a voicemail box',
  ivr: 'a menu',
  screening: 'a screening service',
  unavailable: 'an announcement',
  unknown: 'somebody',
}

/** Keeps the agent quiet until the awaited event has come. */
function waitFor(turn: Turn, is: Answerer['is'], what: Awaits['for']): TurnStep {
  const known = is === turn.answerer.is ? turnStep(turn) : become(turn, is)
  const answerer = { ...known.turn.answerer, awaits: { for: what, sinceMs: turn.nowMs } }
  return turnStep({ ...known.turn, agent: { is: 'listening' }, answerer }, ...dropped(turn), ...known.acts)
}

function machine(turn: Turn, { onVoicemail }: AnsweringRules, by: string): TurnStep {
  const told: Act = { do: 'note', note: `The call was answered by a voicemail box, by ${by}.` }
  const known: Turn = { ...turn, answerer: { ...turn.answerer, is: 'voicemail', awaits: null } }
  if (onVoicemail === 'hang-up') return after([told], end(known, endings.machine))
  return onVoicemail === 'go-on' ? turnStep(known, told) : after([told], waitFor(known, 'voicemail', 'beep'))
}

function unavailable(turn: Turn, ending: Parameters<typeof end>[1]): TurnStep {
  return end({ ...turn, answerer: { ...turn.answerer, is: 'unavailable', awaits: null } }, ending)
}

function awaitBeep(
  turn: Turn,
  { sinceMs }: Awaits,
  answering: AnsweringRules,
  rules: TurnRules,
): TurnStep | undefined {
  const isDue = quietMs(turn) >= noBeepMs || turn.nowMs - sinceMs >= longestGreetingMs
  return isDue ? leaveMessage(turn, answering, rules) : undefined
}

const leaveMessage = (turn: Turn, { voicemailMessage }: AnsweringRules, rules: TurnRules): TurnStep =>
  leave({ ...turn, answerer: { ...turn.answerer, awaits: null } }, endings.messageLeft, rules, {
    words: voicemailMessage,
    withinMs: messageMs,
  })

/** Decides when nothing has followed the announcement. */
const awaitAnnouncement = (turn: Turn, { sinceMs }: Awaits): TurnStep | undefined =>
  quietMs(turn) >= announcedMs || turn.nowMs - sinceMs >= greetingMs
    ? unavailable(turn, endings.notReachable)
    : undefined

/** Keeps what was heard in the transcript; the model does not answer it. */
function overhear(turn: Turn): TurnStep {
  const { caller, answerer, nowMs } = turn
  const words = wordsOfCaller(caller)
  const next = { ...turn, caller: answered(caller, nowMs), answerer: { ...answerer, earlier: '' } }
  const endMs = lastHeardMs(caller)
  return words
    ? turnStep(next, { do: 'overhear', words, startMs: caller.startMs ?? endMs, endMs })
    : turnStep(next)
}

/** Answers in one sentence: who calls, and why. */
function answerScreening(turn: Turn, { screeningAnswer }: AnsweringRules): TurnStep {
  const heard = overhear(turn)
  const awaits = { for: 'person', sinceMs: turn.nowMs } as const
  const waiting: Turn = { ...heard.turn, answerer: { ...heard.turn.answerer, awaits } }
  return after(heard.acts, say(waiting, 'notice', screeningAnswer))
}

function awaitPerson(turn: Turn, { sinceMs }: Awaits, rules: TurnRules): TurnStep | undefined {
  const { agent, caller, answerer, nowMs } = turn
  if (agent.is === 'speaking') return undefined
  if (nowMs - sinceMs >= personMs && caller.voice.is === 'quiet')
    return leave({ ...turn, answerer: { ...answerer, awaits: null } }, endings.silence, rules, { words: '' })
  const words = wordsOfCaller(caller)
  const who = machineWords(words)
  if (rules.answering && (who === 'voicemail' || who === 'out-of-service' || who === 'not-reachable'))
    return machine(turn, rules.answering, 'what was said')
  if (judgeTurn(turn, rules) !== 'done') return undefined
  if (who === 'screening' || asksToWait(words)) return overhear(turn)
  const met: Turn = { ...turn, answerer: { ...answerer, is: 'human', awaits: null, earlier: '' } }
  // The person who was fetched does not know yet who calls.
  const opening = openingOf(rules)
  if (!isSalutation(words, turn.language) || !opening) return turnStep(met)
  const heard = overhear(met)
  const said = say(heard.turn, 'greeting', opening)
  return turnStep({ ...said.turn, turnsTaken: turn.turnsTaken + 1 }, ...heard.acts, ...said.acts)
}

/** Handles a beep: a machine records from now on, or asks for a name. */
export function noteBeep(turn: Turn, rules: TurnRules): TurnStep {
  const { answering } = rules
  const { answerer } = turn
  if (!answering || turn.life.is !== 'talking' || isApart(turn)) return turnStep(turn)
  if (answerer.awaits?.for === 'beep') return leaveMessage(turn, answering, rules)
  if (answerer.awaits?.for === 'prompt') return answerScreening(turn, answering)
  if (answerer.is === 'voicemail' || answerer.is === 'human' || !isEarly(turn)) return turnStep(turn)
  const known = machine(turn, answering, 'its beep')
  if (known.turn.answerer.awaits?.for !== 'beep') return known
  return after(known.acts, leaveMessage(known.turn, answering, rules))
}

/** Handles special information tones, before the answer or after it. */
export function noteInformationTones(turn: Turn, { answering }: TurnRules): TurnStep {
  if (!answering || (turn.life.is !== 'dialling' && !isEarly(turn)) || isApart(turn)) return turnStep(turn)
  return unavailable(turn, endings.outOfService)
}
