// Where in a clip of clean speech somebody speaks, by its level: the truth that detectors and decisions are held against.
import { percentile } from './rounds.ts'

const windowMs = 10
// Softer than this below the loudest is breath; less than this above the softest tenth is the room.
const belowLoudestDb = 30
const aboveRoomDb = 10
// Shorter is a click, or the end of a word that was cut off.
const windowsInARow = 3

export interface Spoken {
  readonly fromMs: number
  readonly toMs: number
}

export function spokenPlace(samples: Int16Array, rateHz: number): Spoken {
  const levels = levelsOf(samples, rateHz)
  const least = Math.max(Math.max(...levels) - belowLoudestDb, percentile(levels, 0.1) + aboveRoomDb)
  const spoken = levels.map((_, i) => levels.slice(i, i + windowsInARow).every((level) => level >= least))
  return {
    fromMs: spoken.indexOf(true) * windowMs,
    toMs: Math.min(levels.length, spoken.lastIndexOf(true) + windowsInARow) * windowMs,
  }
}

/** Of full scale. */
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

/** In the middle third of what is said, where it is softest: between two words, as far as there is a between. */
export function softestMiddle(samples: Int16Array, rateHz: number): number {
  const { fromMs, toMs } = spokenPlace(samples, rateHz)
  const levels = levelsOf(samples, rateHz)
  const third = (toMs - fromMs) / 3
  const from = Math.round((fromMs + third) / windowMs)
  const middle = levels.slice(from, Math.round((toMs - third) / windowMs))
  // Over 30 ms: one soft window is the stop inside a word.
  const soft = middle.map((_, i) => Math.max(...middle.slice(Math.max(0, i - 1), i + 2)))
  return (from + soft.indexOf(Math.min(...soft))) * windowMs
}

/** Noise as loud as the softest tenth of a second of the clip. */
export function backgroundOf(samples: Int16Array, rateHz: number, forMs: number): Int16Array {
  const levels = levelsOf(samples, rateHz)
  const span = 100 / windowMs
  const means = levels.slice(0, -span).map((_, i) => Math.max(...levels.slice(i, i + span)))
  const amplitude = 32_768 * 10 ** (Math.min(...means) / 20) * Math.sqrt(3)
  return Int16Array.from({ length: (rateHz / 1_000) * forMs }, () => (2 * Math.random() - 1) * amplitude)
}
