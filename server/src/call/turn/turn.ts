// The turn logic: applies an event to the state, then asks each concern in order what follows.
//
// Pure. Time comes with the ticks; every other event happens at the time of the last tick.
import type { TurnRules } from '../../ports/call-plan.ts'
import { answer, greet, noteSpeech } from './agent-turn.ts'
import { noteCommand, noteHold, noteLineEnd, noteOwnHold, noteTransfer } from './apart.ts'
import { bargeIn } from './barge-in.ts'
import { askConsent } from './consent.ts'
import { askForFinal, dropOutdated, endOfTurn } from './end-of-turn.ts'
import { endings, stopEnding } from './endings.ts'
import { backchannel, fillPause } from './fillers.ts'
import { turnLanguageOf } from './languages/index.ts'
import { end, leave } from './leave.ts'
import { countQuiet, longSilence, wordsCame } from './silence.ts'
import {
  after,
  type CallerSpeech,
  type Concern,
  isApart,
  type Turn,
  type TurnEvent,
  type TurnStep,
  turnStep,
} from './turn-state.ts'
import {
  endTold,
  finalWords,
  keyPressed,
  lateFinal,
  nothingHeard,
  partialWords,
  typedWords,
  voiceEnd,
  voiceStart,
  wordsOfCaller,
} from './utterance.ts'
import { countMonologue, nobodyKnown, noteBeep, noteInformationTones, whoAnswered } from './who-answered.ts'

export const newTurn = (nowMs: number, language?: string): Turn => ({
  nowMs,
  language: turnLanguageOf(language),
  life: { is: 'dialling', sinceMs: nowMs, inReach: true },
  apart: { heldByThem: false, heldByUs: false, transfer: 'none' },
  answerer: nobodyKnown,
  consent: { is: 'none' },
  detection: null,
  caller: nothingHeard,
  agent: { is: 'listening' },
  generation: 0,
  turnsTaken: 0,
  hasFailed: false,
  hasParted: false,
  quiet: { ms: 0, asked: false },
  backoffUntilMs: 0,
  lastBackchannelMs: Number.NEGATIVE_INFINITY,
  lastFiller: '',
})

export function takeTurn(before: Turn, event: TurnEvent, rules: TurnRules): TurnStep {
  if (before.life.is === 'over') return turnStep(before)
  let so = note(before, event, rules)
  for (const concern of concerns) {
    if (!isAsked(concern, so.turn)) continue
    const next = concern(so.turn, rules)
    if (next) so = after(so.acts, next)
  }
  return so
}

/** While the agent waits for a machine, nobody's turn begins or ends. */
function isAsked(concern: Concern, turn: Turn): boolean {
  if (concern === bounds) return true
  if (turn.life.is !== 'talking' || isApart(turn)) return false
  if (turn.consent.is === 'asked' && turn.answerer.awaits === null) return whileAsking.has(concern)
  return turn.answerer.awaits === null || concern === whoAnswered || concern === askForFinal
}

// The agent's own limit does not cut off two people who were connected, but this one ends a forgotten line.
const longestBridgeMs = 4 * 60 * 60 * 1_000

/** Time limits: ringing, the whole call, the farewell. */
const bounds: Concern = (turn, rules) => {
  const { life, nowMs } = turn
  switch (life.is) {
    case 'dialling':
      if (nowMs - life.sinceMs < rules.ringingMs) return undefined
      return end(turn, life.inReach ? endings.nobodyAnswered : endings.trunkUnreachable(null))
    case 'talking': {
      const longestMs = turn.apart.transfer === 'bridged' ? longestBridgeMs : rules.longestCallMs
      return nowMs - life.answeredMs >= longestMs ? leave(turn, endings.duration, rules) : undefined
    }
    case 'leaving':
      return nowMs >= life.byMs ? end(turn, life.ending) : undefined
    case 'over':
      return undefined
  }
}

/** The answer to the question whether the call may be recorded is no turn. */
const whileAsking: ReadonlySet<Concern> = new Set([whoAnswered, bargeIn, askForFinal, askConsent])

const concerns: readonly Concern[] = [
  bounds,
  whoAnswered,
  bargeIn,
  askForFinal,
  dropOutdated,
  askConsent,
  endOfTurn,
  longSilence,
  fillPause,
  backchannel,
]

function note(turn: Turn, event: TurnEvent, rules: TurnRules): TurnStep {
  const { caller, nowMs, life } = turn
  switch (event.type) {
    case 'tick':
      return turnStep(tick(turn, event.nowMs))
    case 'dialled':
      return greet(turn, rules)
    case 'answered':
      return answer(turn)
    case 'line-ended':
      return noteLineEnd(turn, event)
    case 'out-of-reach':
    case 'in-reach':
      return turnStep(
        life.is === 'dialling' ? { ...turn, life: { ...life, inReach: event.type === 'in-reach' } } : turn,
      )
    case 'held':
    case 'resumed':
      return noteHold(turn, event)
    case 'line-command':
      return noteCommand(turn, event.id, event.command)
    case 'own-hold':
      return noteOwnHold(turn, event.on)
    case 'transfer-ended':
      return noteTransfer(turn, event)
    case 'stop':
      return end(turn, life.is === 'leaving' ? life.ending : stopEnding(event.why, life.is === 'talking'))
    case 'voice-start':
      return turnStep({ ...turn, caller: voiceStart(caller, event.atMs, event.sure) })
    case 'voice-end':
      return turnStep({ ...turn, caller: voiceEnd(caller, event.atMs) })
    case 'partial':
      return heard(turn, partialWords(caller, event.text, nowMs))
    case 'final':
      return noteFinal(turn, event.text)
    case 'language':
      return turnStep({ ...turn, language: turnLanguageOf(event.language) })
    case 'turn-detection':
      return turnStep({ ...turn, detection: event.detection, caller: { ...caller, end: 'open' } })
    case 'end-of-turn':
      // Some engines end utterances in any case: that is no turn unless they were to judge it.
      return turnStep(turn.detection ? { ...turn, caller: endTold(caller, event.is, nowMs) } : turn)
    case 'digit':
      return heard(turn, keyPressed(caller, event.digit, nowMs, rules))
    case 'text':
      return heard(turn, typedWords(caller, event.text, nowMs))
    case 'beep':
      return noteBeep(turn, rules)
    case 'information-tones':
      return noteInformationTones(turn, rules)
    case 'recognition-failed':
      return life.is === 'talking'
        ? leave(turn, endings.recognition(event.error), rules, { words: rules.sayings.apology })
        : turnStep(turn)
    case 'voice-failed':
      return end(turn, life.is === 'leaving' ? life.ending : endings.voice(event.error))
    case 'judged-over': {
      const stale =
        event.generation !== turn.generation || turn.agent.is !== 'listening' || wordsOfCaller(caller) !== ''
      return stale || isApart(turn) || life.is !== 'talking'
        ? turnStep(turn)
        : leave(turn, endings.conversationOver, rules)
    }
    default:
      return noteSpeech(turn, event, rules)
  }
}

function tick(turn: Turn, nowMs: number): Turn {
  const passedMs = nowMs - turn.nowMs
  return countQuiet(countMonologue({ ...turn, nowMs }, passedMs), passedMs)
}

/** A final that comes after its turn was taken only corrects the transcript. */
function noteFinal(turn: Turn, text: string): TurnStep {
  const words = lateFinal(turn.caller, text, turn.nowMs)
  if (words === undefined) return heard(turn, finalWords(turn.caller, text, turn.nowMs))
  return turnStep({ ...turn, caller: { ...turn.caller, owed: null } }, { do: 'correct', words })
}

/** Notes that words came: only words end a silence. */
function heard(turn: Turn, caller: CallerSpeech): TurnStep {
  const after = { ...turn, caller }
  const words = wordsOfCaller(caller)
  return turnStep(words === '' || words === wordsOfCaller(turn.caller) ? after : wordsCame(after))
}
