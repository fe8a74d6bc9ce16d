// Detects the special information tones: three rising tones that precede a network's announcement that a call cannot be
// completed (ITU-T E.180, about 950, 1400 and 1800 Hz of a third of a second each).
import { frameMs, type RateHz } from './frame.ts'
import { ToneTracker } from './tone-tracker.ts'

// Networks differ in the pitch (913 or 985, 1370 or 1428, 1776 Hz) and in the length (274 or 380 ms).
const stepsHz = [
  { from: 880, to: 1_020 },
  { from: 1_330, to: 1_470 },
  { from: 1_730, to: 1_850 },
] as const
const shortestMs = 180
const longestMs = 460
// The time from the end of one tone to the end of the next: its length and the pause, if there is one.
const stepMs = 700

export class InformationTones {
  readonly #tones: ToneTracker
  #step = 0
  #sinceMs = 0

  constructor(rateHz: RateHz) {
    this.#tones = new ToneTracker(rateHz)
  }

  /** True when the third tone has ended. */
  hears(samples: Int16Array): boolean {
    this.#sinceMs += frameMs
    if (this.#sinceMs > stepMs) this.#step = 0
    if (!this.#tones.hears(samples)) return false
    const { endedHz, endedMs } = this.#tones
    // The frame between two tones belongs to neither.
    if (endedMs <= 2 * frameMs) return false
    const isLong = endedMs >= shortestMs && endedMs <= longestMs
    if (!isLong || !isIn(this.#step, endedHz)) {
      this.#step = isLong && isIn(0, endedHz) ? 1 : 0
    } else this.#step++
    this.#sinceMs = 0
    if (this.#step < stepsHz.length) return false
    this.#step = 0
    return true
  }
}

const isIn = (step: number, hz: number): boolean => {
  const band = stepsHz[step]
  return band !== undefined && hz >= band.from && hz <= band.to
}
