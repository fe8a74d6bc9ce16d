// Detects the beep of an answering machine: one pure tone, then silence.
//
// A pure tone satisfies x[n] = c·x[n-1] - x[n-2], with c = 2·cos(2πf): the best c is fitted for each frame, and the
// prediction error is the part that is not tonal. Speech, music and dual tones leave a much larger error.
import { frameMs, type RateHz } from './frame.ts'
import { levelDb } from './level.ts'

// The range that answering machines use.
const lowestHz = 400
const highestHz = 2_500
// Anything softer is line hum.
const leastDb = -40
const unexplainedShare = 0.02
// Shorter tones are key presses and clicks, longer ones a fax or a dead line.
const shortestMs = 200
const longestMs = 2_500
// Pitch tolerance: vibrato and voices vary more.
const sameNote = 0.03
const quietMs = 100

export class BeepDetector {
  readonly #rateHz: RateHz
  #toneMs = 0
  #quietMs = 0
  #noteHz = 0

  constructor(rateHz: RateHz) {
    this.#rateHz = rateHz
  }

  /** True on the frame in which a beep ends. */
  hears(samples: Int16Array): boolean {
    const loud = levelDb(samples) > leastDb
    const hz = loud ? toneHz(samples, this.#rateHz) : 0
    if (hz > 0) {
      const same = Math.abs(hz - this.#noteHz) < this.#noteHz * sameNote
      this.#toneMs = same ? this.#toneMs + frameMs : frameMs
      if (!same) this.#noteHz = hz
      this.#quietMs = 0
      return false
    }
    if (this.#toneMs === 0) return false
    this.#quietMs += frameMs
    // The tone's last frame is partial: loud and impure. More than one such frame is not the end of a beep.
    const isSound = loud && this.#quietMs > frameMs
    if (!isSound && this.#quietMs < quietMs) return false
    const isBeep = !isSound && this.#toneMs >= shortestMs && this.#toneMs <= longestMs
    this.#toneMs = 0
    this.#quietMs = 0
    return isBeep
  }
}

/** The frequency of a pure tone; 0 for any other sound. */
function toneHz(samples: Int16Array, rateHz: RateHz): number {
  let cross = 0
  let middle = 0
  let whole = 0
  for (let n = 1; n < samples.length - 1; n++) {
    const here = samples[n] as number
    const around = (samples[n - 1] as number) + (samples[n + 1] as number)
    cross += here * around
    middle += here * here
    whole += around * around
  }
  if (middle === 0) return 0
  const c = cross / middle
  const unexplained = whole - c * cross
  // Relative to the tone itself: at a low pitch `around` is nearly twice the sample.
  if (unexplained > unexplainedShare * middle * (4 - c * c) || Math.abs(c) >= 2) return 0
  const hz = (Math.acos(c / 2) / (2 * Math.PI)) * rateHz
  return hz >= lowestHz && hz <= highestHz ? hz : 0
}
