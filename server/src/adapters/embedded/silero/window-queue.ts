// The windows of one stream that wait for the detector: a few, and the oldest goes first when there are too many.
import { type SileroRateHz, windowMs, windowSamples } from './batch.ts'

// What was said a quarter of a second ago no longer decides anything.
export const queueWindows = 8

export class WindowQueue {
  readonly #samples: Float32Array
  readonly #size: number
  #first = 0
  #waiting = 0
  #filled = 0
  /** Windows taken or dropped so far: the place of the next one in the sound. */
  #passed = 0
  dropped = 0

  constructor(rateHz: SileroRateHz) {
    this.#size = windowSamples(rateHz)
    // One more than may wait, for the one that fills.
    this.#samples = new Float32Array((queueWindows + 1) * this.#size)
  }

  get waiting(): number {
    return this.#waiting
  }

  push(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i++) {
      const slot = (this.#first + this.#waiting) % (queueWindows + 1)
      this.#samples[slot * this.#size + this.#filled] = (samples[i] as number) / 32_768
      if (++this.#filled === this.#size) this.#complete()
    }
  }

  /** Copies the oldest window to its place among others; returns where it ends in the sound. */
  take(into: Float32Array, at: number): number {
    into.set(this.#samples.subarray(this.#first * this.#size, (this.#first + 1) * this.#size), at)
    this.#forget()
    return this.#passed * windowMs
  }

  #complete(): void {
    this.#filled = 0
    this.#waiting++
    if (this.#waiting <= queueWindows) return
    this.#forget()
    this.dropped++
  }

  #forget(): void {
    this.#first = (this.#first + 1) % (queueWindows + 1)
    this.#waiting--
    this.#passed++
  }
}
