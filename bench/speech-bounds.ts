// Where there is speech in a clean clip, by its level: the ground truth for detectors and decisions.
import { percentile } from './rounds.ts'

const windowMs = 10
// This far below the loudest is breath; less than this above the quietest tenth is room noise.
const belowLoudestDb = 30
const aboveRoomDb = 10
// Anything shorter is a click, or a truncated word.
const windowsInARow = 3

export interface SpeechBounds {
  readonly fromMs: number
  readonly toMs: number
}

export function spokenPlace(samples: Int16Array, rateHz: number): SpeechBounds {
  const levels = levelsOf(samples, rateHz)
  const least = Math.max(Math.max(...levels) - belowLoudestDb, percentile(levels, 0.1) + aboveRoomDb)
  const spoken = levels.map((_, i) => levels.slice(i, i + windowsInARow).every((level) => level >= least))
  return {
    fromMs: spoken.indexOf(true) * windowMs,
    toMs: Math.min(levels.length, spoken.lastIndexOf(true) + windowsInARow) * windowMs,
  }
}

/** In dBFS. */
export function levelDb(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length
  return 10 * Math.log10(power + 1e-10)
}

/** One per 10 ms. */
function levelsOf(samples: Int16Array, rateHz: number): number[] {
  const size = (rateHz / 1_000) * windowMs
  return Array.from({ length: Math.floor(samples.length / size) }, (_, place) =>
    levelDb(samples.subarray(place * size, (place + 1) * size)),
  )
}

/** The quietest point in the middle third of the speech: between two words, if possible. */
export function softestMiddle(samples: Int16Array, rateHz: number): number {
  const { fromMs, toMs } = spokenPlace(samples, rateHz)
  const levels = levelsOf(samples, rateHz)
  const third = (toMs - fromMs) / 3
  const from = Math.round((fromMs + third) / windowMs)
  const middle = levels.slice(from, Math.round((toMs - third) / windowMs))
  // Over 30 ms: a single quiet window is a stop inside a word.
  const soft = middle.map((_, i) => Math.max(...middle.slice(Math.max(0, i - 1), i + 2)))
  return (from + soft.indexOf(Math.min(...soft))) * windowMs
}

/** Noise at the level of the clip's quietest 100 ms. */
export function backgroundOf(samples: Int16Array, rateHz: number, forMs: number): Int16Array {
  const levels = levelsOf(samples, rateHz)
  const span = 100 / windowMs
  const means = levels.slice(0, -span).map((_, i) => Math.max(...levels.slice(i, i + span)))
  const amplitude = 32_768 * 10 ** (Math.min(...means) / 20) * Math.sqrt(3)
  return Int16Array.from({ length: (rateHz / 1_000) * forMs }, () => (2 * Math.random() - 1) * amplitude)
}
