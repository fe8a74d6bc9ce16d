// What is heard where sound is missing: the last 20 ms there and back again, fading out. It begins where the sound
// stopped, so nothing clicks, and it is too short-lived to buzz.
import { type RateHz, samplesPerFrame } from './frame.ts'

// Longer than this a repeated sound is heard as a robot; silence is kinder.
const defaultFadeMs = 60
// From the repetition back into the real sound.
const seamMs = 2.5

export class Concealer {
  readonly #history: Int16Array
  readonly #fadeSamples: number
  readonly #seamSamples: number
  #newest = 0
  #made = 0
  #seamLeft = 0

  /** A fade of 0 conceals nothing: what is missing is silence, what is there stays as it is. */
  constructor(rateHz: RateHz, fadeMs = defaultFadeMs) {
    this.#history = new Int16Array(samplesPerFrame(rateHz))
    this.#fadeSamples = (rateHz / 1000) * fadeMs
    this.#seamSamples = fadeMs === 0 ? 0 : Math.round((rateHz / 1000) * seamMs)
  }

  /** A sample in place of one that is missing. */
  invent(): number {
    this.#seamLeft = this.#seamSamples
    return this.#next()
  }

  /** A real sample, blended in if the one before it was not its neighbour. */
  pass(sample: number): number {
    if (this.#seamLeft > 0) return this.#blend(sample)
    this.#made = 0
    this.#newest = (this.#newest + 1) % this.#history.length
    this.#history[this.#newest] = sample
    return sample
  }

  /** The stream jumps here: the next real sample does not follow from the last. */
  cut(): void {
    this.#seamLeft = this.#seamSamples
  }

  /** What it repeats stays untouched meanwhile. */
  #blend(sample: number): number {
    const weight = this.#seamLeft-- / (this.#seamSamples + 1)
    return (weight * this.#next() + (1 - weight) * sample) | 0
  }

  #next(): number {
    if (this.#made >= this.#fadeSamples) return 0
    const size = this.#history.length
    const swing = this.#made % (2 * size)
    const back = swing < size ? swing : 2 * size - 1 - swing
    const gain = 1 - this.#made / this.#fadeSamples
    this.#made++
    // Whole numbers, as a fraction returned may cost an object a sample.
    return (gain * (this.#history[(this.#newest - back + size) % size] as number)) | 0
  }
}
