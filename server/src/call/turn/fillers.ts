// Short utterances: a filler while the agent still thinks, and a backchannel while the caller speaks for long.
import { type Concern, step } from './turn-state.ts'
import { heardWords } from './utterance.ts'

// Shorter pauses are normal between two people; a longer one sounds like a dead line.
const fillAfterMs = 700
// After this much silence a caller thinks that the line is dead: said even when fillers are disabled.
const longWaitMs = 3_000

const pick = (list: readonly string[], turn: number): string => list[turn % list.length] ?? ''

export const fillPause: Concern = (turn, rules) => {
  const { agent, nowMs } = turn
  if (agent.is !== 'speaking' || agent.what !== 'reply') return undefined
  const afterMs = rules.fillers ? fillAfterMs : longWaitMs
  if (agent.filled || agent.sound.is !== 'coming' || nowMs - agent.sinceMs < afterMs) return undefined
  const { generation, attempt } = agent
  return step(
    { ...turn, agent: { ...agent, filled: true } },
    { do: 'fill', generation, text: pick(rules.sayings.fillers, turn.turnsTaken + attempt - 1) },
  )
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
  if (!isTime || heardWords(caller) === '') return undefined
  const generation = turn.generation + 1
  return step(
    { ...turn, generation, lastBackchannelMs: nowMs },
    { do: 'say', generation, what: 'backchannel', text: pick(sayings.backchannels, generation), held: false },
  )
}
