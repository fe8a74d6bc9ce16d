// When the caller has finished: silence, weighed by whether the words sound complete.
import type { TurnRules } from '../../ports/call-plan.ts'
import { type Act, type Concern, type Step, speaking, step, type Turn } from './turn-state.ts'
import { looksUnfinished } from './unfinished.ts'
import { answered, heardWords, lastHeardMs, nothingHeard } from './utterance.ts'
import { isGoodbye, sameWords } from './word-list.ts'

// Longer than a stop inside a word; a transcriber needs half a second from here, so that it finishes with the turn.
const askFinalAfterMs = 160
// The final has arrived by now, or the words so far are used.
const finalWithinMs = 1_800
// A short "yes" arrives only as a final. Without words by now, it was a noise.
const noiseAfterMs = 1_500
// Hold music, a street: the voice never ends, but no word has come for this long.
const endlessVoiceMs = 3_000
// A word that is going to change does so within this.
const stableMs = 150
const aheadAfterMs = 200
// Enough to recognise a machine by; what people say later does not count.
const mostEarlier = 400

export const askForFinal: Concern = (turn) => {
  const { caller, nowMs } = turn
  const heard = caller.startMs !== null || caller.partial !== ''
  if (!heard || caller.finalAsked || caller.voice.is === 'speaking') return undefined
  // A paused agent asks at once, to learn whether it was interrupted.
  const isPaused = turn.agent.is === 'speaking' && turn.agent.sound.is === 'paused'
  if (!isPaused && nowMs - lastHeardMs(caller) < askFinalAfterMs) return undefined
  return step({ ...turn, caller: { ...caller, finalAsked: true } }, { do: 'ask-final' })
}

type Verdict = 'open' | 'noise' | 'ahead' | 'done'

/** Looks at the caller's side only. */
export function judgeTurn({ caller, nowMs, language }: Turn, rules: TurnRules): Verdict {
  const words = heardWords(caller)
  const { keys } = caller
  if (keys.pressed !== '')
    return keys.areComplete || nowMs - keys.atMs >= rules.keys.pauseMs ? 'done' : 'open'
  if (caller.isTyped) return 'done'
  if (caller.voice.is === 'speaking') {
    const endless = words !== '' && nowMs - Math.max(caller.wordsMs, caller.voice.sinceMs) >= endlessVoiceMs
    return endless ? 'done' : 'open'
  }
  const silenceMs = nowMs - lastHeardMs(caller)
  if (words === '') return caller.startMs !== null && silenceMs >= noiseAfterMs ? 'noise' : 'open'
  const certain = caller.partial === '' && !caller.wordsDue
  const unfinished = looksUnfinished(words, language)
  const neededMs = rules.endpointingMs + (unfinished ? rules.unfinishedMs : 0)
  if (silenceMs >= neededMs && (certain || silenceMs >= finalWithinMs)) return 'done'
  const stable = certain || nowMs - caller.wordsMs >= stableMs
  return stable && silenceMs >= (unfinished ? rules.endpointingMs : aheadAfterMs) ? 'ahead' : 'open'
}

/** Discards a reply made ahead to words that have changed since. */
export const dropOutdated: Concern = (turn) => {
  const { agent, caller } = turn
  if (agent.is !== 'preparing' || sameWords(agent.words, heardWords(caller))) return undefined
  return step({ ...turn, agent: { is: 'listening' } }, { do: 'discard', generation: agent.generation })
}

/** Gives the turn to the agent, or lets it prepare a reply ahead. */
export const endOfTurn: Concern = (turn, rules) => {
  const { caller, agent, nowMs } = turn
  if (agent.is === 'speaking') return undefined
  switch (judgeTurn(turn, rules)) {
    case 'open':
      return undefined
    case 'noise':
      return step({ ...turn, caller: { ...nothingHeard, voice: caller.voice } })
    case 'ahead':
      return rules.thinkAhead && agent.is === 'listening' ? thinkAhead(turn) : undefined
    case 'done':
      return nowMs < turn.backoffUntilMs ? undefined : take(turn)
  }
}

function thinkAhead(turn: Turn): Step {
  const words = heardWords(turn.caller)
  const generation = turn.generation + 1
  const agent = { is: 'preparing', generation, words, failed: false } as const
  return step({ ...turn, generation, agent }, { do: 'think', generation, words, ahead: true })
}

function take(turn: Turn): Step {
  const { caller, agent, nowMs } = turn
  const words = heardWords(caller)
  const endMs = lastHeardMs(caller)
  const ready = agent.is === 'preparing' && !agent.failed
  const generation = ready ? agent.generation : turn.generation + 1
  const acts: readonly Act[] = [
    { do: 'hear', generation, words, startMs: caller.startMs ?? endMs, endMs, wordsMs: caller.wordsMs },
    ...(agent.is === 'preparing' && agent.failed
      ? [{ do: 'discard', generation: agent.generation } as const]
      : []),
    ready ? { do: 'confirm', generation } : { do: 'think', generation, words, ahead: false },
  ]
  const after = {
    ...turn,
    generation: Math.max(generation, turn.generation),
    caller: answered(caller, nowMs),
    turnsTaken: turn.turnsTaken + 1,
    hasParted: isGoodbye(words, turn.language),
    answerer: { ...turn.answerer, earlier: `${turn.answerer.earlier} ${words}`.trim().slice(0, mostEarlier) },
    agent: speaking('reply', generation, nowMs),
  }
  return step(after, ...acts)
}
