// The agent's side of a turn: the greeting, how a reply proceeds and ends, what follows when it fails.
import type { TurnRules } from '../../ports/call-plan.ts'
import { beginTransfer } from './apart.ts'
import { forgetBackchannels } from './barge-in.ts'
import { noteAsked, openingOf } from './consent.ts'
import { endings } from './endings.ts'
import { end, leave } from './leave.ts'
import {
  after,
  dropped,
  type SpeakingAgent,
  type SpeechEvent,
  say,
  speaking,
  type Turn,
  type TurnStep,
  turnStep,
} from './turn-state.ts'
import { noteHeardOut } from './who-answered.ts'

/** Begins the greeting, which is synthesized while the telephone rings. */
export function greet(turn: Turn, rules: TurnRules): TurnStep {
  const text = openingOf(rules)
  return text ? say(asking(turn, rules), 'greeting', text, true) : turnStep(turn)
}

const asking = (turn: Turn, { consent }: TurnRules): Turn =>
  consent ? { ...turn, consent: { is: 'asked', toTheEnd: false, sinceMs: turn.nowMs } } : turn

export function answer(turn: Turn): TurnStep {
  if (turn.life.is !== 'dialling') return turnStep(turn)
  const talking: Turn = { ...turn, life: { is: 'talking', answeredMs: turn.nowMs } }
  return turn.agent.is === 'speaking'
    ? turnStep(talking, { do: 'confirm', generation: turn.agent.generation })
    : turnStep(talking)
}

/** Events of a discarded generation are ignored. */
export function noteSpeech(turn: Turn, event: SpeechEvent, rules: TurnRules): TurnStep {
  const { agent, life } = turn
  if (life.is === 'leaving')
    return event.type === 'drained' && event.generation === life.generation
      ? end(turn, life.ending)
      : turnStep(turn)
  if (agent.is === 'listening' || agent.generation !== event.generation) return turnStep(turn)
  if (agent.is === 'preparing')
    return event.type === 'reply-failed'
      ? turnStep({ ...turn, agent: { ...agent, failed: true } })
      : turnStep(turn)
  switch (event.type) {
    case 'began':
      return become(turn, { ...agent, quietSinceMs: null, sound: begunSound(turn, agent) })
    case 'quiet':
      return become(turn, { ...agent, quietSinceMs: turn.nowMs })
    case 'sounding':
      return become(turn, { ...agent, quietSinceMs: null })
    case 'reply-words':
      return become(turn, { ...agent, waits: null })
    case 'reply-waits':
      return become(turn, { ...agent, waits: { for: event.for, sinceMs: turn.nowMs, fills: 0 } })
    case 'hang-up-wanted':
      return become(turn, { ...agent, afterwards: { do: 'end', ending: endings.endCallTool } })
    case 'transfer-wanted':
      return become(turn, { ...agent, afterwards: { do: 'transfer', destination: event.destination } })
    case 'reply-failed':
      return failed(turn, agent, event, rules)
    case 'drained': {
      const asked = noteAsked(turn, rules)
      return after(asked.acts, drained(noteHeardOut(asked.turn), agent, rules))
    }
    case 'judged-over':
      return turnStep(turn)
  }
}

/** A first frame sent just before the pause does not end it. */
const begunSound = ({ nowMs }: Turn, { sound }: SpeakingAgent): SpeakingAgent['sound'] =>
  sound.is === 'paused' ? { ...sound, begun: true } : { is: 'playing', sinceMs: nowMs }

const become = (turn: Turn, agent: SpeakingAgent): TurnStep => turnStep({ ...turn, agent })

/** What has been said is heard to its end before anything follows. */
function failed(
  turn: Turn,
  agent: SpeakingAgent,
  { error, isFinal }: Extract<SpeechEvent, { type: 'reply-failed' }>,
  rules: TurnRules,
): TurnStep {
  const begun = agent.sound.is === 'playing' || (agent.sound.is === 'paused' && agent.sound.begun)
  if (agent.attempt === 1 && !isFinal)
    return begun ? become(turn, { ...agent, afterwards: { do: 'retry' } }) : again(turn, agent)
  return begun
    ? become(turn, { ...agent, afterwards: { do: 'apologize', error } })
    : apologize(turn, error, rules)
}

/** The first turn that fails costs the caller a repetition, the second in a row the call. */
function apologize(turn: Turn, error: string, rules: TurnRules): TurnStep {
  if (turn.hasFailed) return leave(turn, endings.model(error), rules, { words: rules.sayings.apology })
  return after(dropped(turn), say({ ...turn, hasFailed: true }, 'notice', rules.sayings.sayAgain))
}

function again(turn: Turn, { generation: failed }: SpeakingAgent): TurnStep {
  const generation = turn.generation + 1
  return turnStep(
    { ...turn, generation, agent: speaking('reply', generation, turn.nowMs, 2) },
    { do: 'discard', generation: failed },
    { do: 'note', note: 'The model failed and was asked again.' },
    { do: 'think', generation, words: '', ahead: false },
  )
}

/** The end of the audio, reported just before a pause: the player must be resumed for what comes next. */
function drained(turn: Turn, agent: SpeakingAgent, rules: TurnRules): TurnStep {
  const next = follow(turn, agent, rules)
  return agent.sound.is === 'paused' ? after([{ do: 'resume' }], next) : next
}

function follow(turn: Turn, agent: SpeakingAgent, rules: TurnRules): TurnStep {
  const { afterwards, what } = agent
  const hasAnswered = what === 'reply' && afterwards.do !== 'retry' && afterwards.do !== 'apologize'
  const quiet: Turn = {
    ...forgetBackchannels(turn, agent),
    agent: { is: 'listening' },
    hasFailed: turn.hasFailed && !hasAnswered,
  }
  switch (afterwards.do) {
    case 'listen': {
      const question = what === 'reply' ? rules.overQuestion : null
      return question === null
        ? turnStep(quiet)
        : turnStep(quiet, { do: 'judge', generation: turn.generation, question })
    }
    case 'retry':
      return again(turn, agent)
    case 'apologize':
      return apologize(quiet, afterwards.error, rules)
    case 'transfer':
      return beginTransfer(quiet, afterwards.destination)
    case 'end': {
      // If the model has already said goodbye, no second farewell follows.
      const saidSomething = agent.sound.is !== 'coming'
      return leave(quiet, afterwards.ending, rules, saidSomething ? { words: '' } : undefined)
    }
  }
}
