// Cuts audio that arrives in chunks of any length into 20 ms frames, without allocating.
//
// The framer owns the frames. It lends each one to `onFrame`, which may read and even change it, and reuses the memory
// `ringFrames` frames later; to keep a frame longer, copy it.
import { type Frame, makeFrame, type RateHz, samplesPerFrame } from './frame.ts'

export class Framer {
  readonly #ring: readonly Frame[]
  readonly #onFrame: (frame: Frame) => void
  readonly #size: number
  #current: Frame
  #turn = 0
  #filled = 0

  /** With a ring of 1, a frame is valid only until `onFrame` returns. */
  constructor(rateHz: RateHz, onFrame: (frame: Frame) => void, ringFrames = 1) {
    this.#current = makeFrame(rateHz)
    this.#ring = [this.#current, ...Array.from({ length: ringFrames - 1 }, () => makeFrame(rateHz))]
    this.#onFrame = onFrame
    this.#size = samplesPerFrame(rateHz)
  }

  /** Samples of the incomplete frame. */
  get pendingSamples(): number {
    return this.#filled
  }

  push(chunk: Int16Array): void {
    let taken = 0
    while (taken < chunk.length) {
      const count = Math.min(this.#size - this.#filled, chunk.length - taken)
      const { samples } = this.#current
      // A loop instead of set(subarray()): the view would be one object per frame.
      for (let i = 0; i < count; i++) samples[this.#filled + i] = chunk[taken + i] as number
      taken += count
      this.#filled += count
      if (this.#filled === this.#size) this.#emit()
    }
  }

  /** Emits the last, incomplete frame, padded with silence. */
  flush(): void {
    if (this.#filled === 0) return
    this.#current.samples.fill(0, this.#filled)
    this.#emit()
  }

  /** Drops pending samples: after an interruption nothing older may leave. */
  clear(): void {
    this.#filled = 0
  }

  #emit(): void {
    const full = this.#current
    this.#turn = (this.#turn + 1) % this.#ring.length
    this.#current = this.#ring[this.#turn] ?? full
    this.#filled = 0
    this.#onFrame(full)
  }
}
