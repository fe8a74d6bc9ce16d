// Packet loss concealment: repeats the last 20 ms backwards and forwards while fading out. The repetition starts where
// the audio stopped, so it does not click, and fades too soon to buzz.
import { type RateHz, samplesPerFrame } from './frame.ts'

// Longer repetition sounds robotic; silence is better.
const defaultFadeMs = 60
// Cross-fade from the repetition back into real audio.
const seamMs = 2.5

export class Concealer {
  readonly #history: Int16Array
  readonly #fadeSamples: number
  readonly #seamSamples: number
  #newest = 0
  #made = 0
  #seamLeft = 0

  /** A fade of 0 disables concealment: gaps are silent and real samples pass unchanged. */
  constructor(rateHz: RateHz, fadeMs = defaultFadeMs) {
    this.#history = new Int16Array(samplesPerFrame(rateHz))
    this.#fadeSamples = (rateHz / 1000) * fadeMs
    this.#seamSamples = fadeMs === 0 ? 0 : Math.round((rateHz / 1000) * seamMs)
  }

  /** Makes a substitute for a missing sample. */
  invent(): number {
    this.#seamLeft = this.#seamSamples
    return this.#next()
  }

  /** Passes a real sample, cross-faded in after a gap. */
  pass(sample: number): number {
    if (this.#seamLeft > 0) return this.#blend(sample)
    this.#made = 0
    this.#newest = (this.#newest + 1) % this.#history.length
    this.#history[this.#newest] = sample
    return sample
  }

  /** Passes a whole frame that follows real sound unchanged; false if the frame must be faded in, sample by sample. */
  passAll(frame: Int16Array): boolean {
    if (this.#seamLeft > 0 || frame.length !== this.#history.length) return false
    this.#made = 0
    this.#newest = frame.length - 1
    this.#history.set(frame)
    return true
  }

  /** Notes that the stream jumps here: the next real sample does not continue the last. */
  cut(): void {
    this.#seamLeft = this.#seamSamples
  }

  /** The repeated history is not updated meanwhile. */
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
    // Truncated to an integer: returning a fraction may allocate a heap number per sample.
    return (gain * (this.#history[(this.#newest - back + size) % size] as number)) | 0
  }
}
