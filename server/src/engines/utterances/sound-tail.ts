// The recent audio of one call at 16 kHz, as far as it may still be recognised.
import { type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'

const rateHz = 16_000
const samplesPerMs = rateHz / 1000
// The buffer grows to the longest utterance; most calls never need more than the initial size.
const firstSamples = 4 * rateHz

export class SoundTail {
  readonly #resampler: Resampler
  readonly #frame = new Int16Array(samplesPerFrame(rateHz))
  #samples = new Int16Array(firstSamples)
  #length = 0
  /** The number of samples dropped before the first one kept. */
  #forgotten = 0
  /** The first sample that may still be needed. */
  #wanted = 0

  constructor(fromHz: RateHz) {
    this.#resampler = new Resampler(fromHz, rateHz)
  }

  get endMs(): number {
    return (this.#forgotten + this.#length) / samplesPerMs
  }

  get keptMs(): number {
    return this.#length / samplesPerMs
  }

  push(samples: Int16Array): void {
    const frame =
      samples.length * rateHz === this.#frame.length * this.#resampler.fromHz
        ? this.#frame
        : new Int16Array(Math.floor((samples.length * rateHz) / this.#resampler.fromHz))
    this.#resampler.run(samples, frame)
    if (this.#length + frame.length > this.#samples.length) this.#makeRoom()
    this.#samples.set(frame, this.#length)
    this.#length += frame.length
  }

  /** Allows earlier audio to be dropped when room is needed. */
  forgetBefore(ms: number): void {
    this.#wanted = Math.max(this.#wanted, Math.floor(ms * samplesPerMs))
  }

  #makeRoom(): void {
    const count = Math.min(this.#wanted - this.#forgotten, this.#length)
    // Compacting costs a copy; below a quarter of the capacity it would happen too often.
    if (count >= this.#samples.length / 4) {
      this.#samples.copyWithin(0, count, this.#length)
      this.#length -= count
      this.#forgotten += count
      return
    }
    const larger = new Int16Array(this.#samples.length * 2)
    larger.set(this.#samples)
    this.#samples = larger
  }

  /** A copy in the recognizer's format. */
  slice(fromMs: number, toMs: number): Float32Array<ArrayBuffer> {
    const place = (ms: number) =>
      Math.min(Math.max(Math.floor(ms * samplesPerMs) - this.#forgotten, 0), this.#length)
    const from = place(fromMs)
    const slice = new Float32Array(place(toMs) - from)
    for (let i = 0; i < slice.length; i++) slice[i] = (this.#samples[from + i] as number) / 32_768
    return slice
  }
}
