// When each side is heard: intervals of sound by level, and the gaps and overlaps between them.
import { levelDb } from '../../../src/media/level.ts'
import type { Interval } from './recording.ts'

export interface SoundRules {
  /** The threshold of sound. Speech is at about -20 dB, a quiet consonant 25 dB below. */
  readonly thresholdDb: number
  /** Shorter silences are part of the speech around them. */
  readonly joinMs: number
  /** Shorter sounds are clicks. */
  readonly leastMs: number
}

const speech: SoundRules = { thresholdDb: -48, joinMs: 300, leastMs: 60 }

const stepMs = 10

export function loudIntervals(
  samples: Int16Array,
  rateHz: number,
  how: Partial<SoundRules> = {},
): Interval[] {
  const { thresholdDb, joinMs, leastMs } = { ...speech, ...how }
  const size = (rateHz / 1000) * stepMs
  const found: { fromMs: number; toMs: number }[] = []
  for (let step = 0; (step + 1) * size <= samples.length; step++) {
    if (levelDb(samples.subarray(step * size, (step + 1) * size)) <= thresholdDb) continue
    const fromMs = step * stepMs
    const last = found.at(-1)
    if (last && fromMs - last.toMs <= joinMs) last.toMs = fromMs + stepMs
    else found.push({ fromMs, toMs: fromMs + stepMs })
  }
  return found.filter(({ fromMs, toMs }) => toMs - fromMs >= leastMs)
}

/** The lower quartile of the level: in a conversation, this side is silent for more than a quarter of the time. */
export function backgroundDb(samples: Int16Array, rateHz: number): number {
  const size = (rateHz / 1000) * stepMs
  const levels = Array.from({ length: Math.floor(samples.length / size) }, (_, step) =>
    levelDb(samples.subarray(step * size, (step + 1) * size)),
  )
  return levels.sort((one, other) => one - other)[levels.length >> 2] ?? Number.NEGATIVE_INFINITY
}

export const lengthMs = ({ fromMs, toMs }: Interval): number => toMs - fromMs

/** Intervals in which both sides are heard. */
export function overlaps(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  return one.flatMap((mine) =>
    other
      .map((its) => ({ fromMs: Math.max(mine.fromMs, its.fromMs), toMs: Math.min(mine.toMs, its.toMs) }))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  )
}

/**
 * How long the caller waited: from each end of the caller to the agent's next start. Omitted where the caller speaks
 * again first, or the agent was already speaking.
 */
export function answerGapsMs(caller: readonly Interval[], agent: readonly Interval[]): number[] {
  return caller.flatMap(({ toMs }, place) => {
    const nextCaller = caller[place + 1]?.fromMs ?? Number.POSITIVE_INFINITY
    const answer = agent.find(({ fromMs }) => fromMs >= toMs)
    const busy = agent.some(({ fromMs, toMs: endMs }) => fromMs < toMs && endMs > toMs)
    return !answer || busy || answer.fromMs > nextCaller ? [] : [answer.fromMs - toMs]
  })
}
