// Windows of one stream waiting for the detector; when full, the oldest is dropped.
import { type SileroRateHz, windowMs, windowSamples } from './batch.ts'

// About 250 ms: older audio no longer affects any decision.
export const queueWindows = 8

export class WindowQueue {
  readonly #samples: Float32Array
  readonly #size: number
  #first = 0
  #waiting = 0
  #filled = 0
  /** Windows taken or dropped so far: the position of the next one in the audio. */
  #passed = 0
  dropped = 0

  constructor(rateHz: SileroRateHz) {
    this.#size = windowSamples(rateHz)
    // One more for the window being filled.
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

  /** Copies the oldest window into a batch; returns where it ends in the audio. */
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
