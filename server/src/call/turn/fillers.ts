// Short utterances: a filler while the agent still thinks, and a backchannel while the caller speaks for long.
import type { TurnRules } from '../../ports/call-plan.ts'
import { type Concern, type SpeakingAgent, type Turn, turnStep } from './turn-state.ts'
import { wordsOfCaller } from './utterance.ts'

// Shorter pauses are normal between two people; a longer one sounds like a dead line.
const fillAfterMs = 700
// After this much silence a caller thinks that the line is dead: said even when fillers are disabled, and the least time
// between the agent's own words and a filler.
const longWaitMs = 3_000
// A caller who waits for so long wants to know that somebody is still there.
const againAfterMs = 10_000

const pick = (list: readonly string[], turn: number): string => list[turn % list.length] ?? ''

/** Bridges the wait for a model or a tool with words that fit it, never the same twice in a row. */
export const fillPause: Concern = (turn, rules) => {
  const { agent, nowMs } = turn
  if (agent.is !== 'speaking' || agent.what !== 'reply') return undefined
  const { waits, quietSinceMs, sound, generation } = agent
  if (!waits || quietSinceMs === null || sound.is === 'paused') return undefined
  const isFirst = waits.fills === 0
  const patienceMs = rules.fillers && sound.is === 'coming' ? fillAfterMs : longWaitMs
  if (nowMs - Math.max(waits.sinceMs, quietSinceMs) < (isFirst ? patienceMs : againAfterMs)) return undefined
  const text = fillerFor(turn, agent, rules)
  const filled = { ...agent, quietSinceMs: null, waits: { ...waits, fills: waits.fills + 1 } }
  return turnStep({ ...turn, lastFiller: text, agent: filled }, { do: 'fill', generation, text })
}

function fillerFor(
  { turnsTaken, lastFiller }: Turn,
  { attempt, waits }: SpeakingAgent,
  rules: TurnRules,
): string {
  const { fillers, lookups } = rules.sayings
  const list = waits?.for === 'tool' ? lookups : fillers
  const place = turnsTaken + attempt - 1 + (waits?.fills ?? 0)
  const text = pick(list, place)
  return text === lastFiller ? pick(list, place + 1) : text
}

export const backchannel: Concern = (turn, { backchannels: wanted, sayings }) => {
  const { caller, agent, nowMs } = turn
  if (!wanted || agent.is === 'speaking' || caller.voice.is === 'quiet' || caller.startMs === null)
    return undefined
  const isFirst = turn.lastBackchannelMs < caller.startMs
  const isTime = isFirst
    ? nowMs - caller.startMs >= wanted.afterMs
    : nowMs - turn.lastBackchannelMs >= wanted.gapMs
  // A noise has no words to acknowledge.
  if (!isTime || wordsOfCaller(caller) === '') return undefined
  const generation = turn.generation + 1
  return turnStep(
    { ...turn, generation, lastBackchannelMs: nowMs },
    { do: 'say', generation, what: 'backchannel', text: pick(sayings.backchannels, generation), held: false },
  )
}
