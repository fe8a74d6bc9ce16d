// Cuts sound that arrives in pieces of any length into 20 ms frames, without allocating.
//
// Who owns a frame: the framer does. It lends each frame to `onFrame`, which may read and even change it, and writes
// into the same memory again `ringFrames` frames later. Whoever wants to keep one for longer copies it.
import { type Frame, makeFrame, type RateHz, samplesPerFrame } from './frame.ts'

export class Framer {
  readonly #ring: readonly Frame[]
  readonly #onFrame: (frame: Frame) => void
  readonly #size: number
  #current: Frame
  #turn = 0
  #filled = 0

  /** With a ring of 1, a frame is good only until `onFrame` returns. */
  constructor(rateHz: RateHz, onFrame: (frame: Frame) => void, ringFrames = 1) {
    this.#current = makeFrame(rateHz)
    this.#ring = [this.#current, ...Array.from({ length: ringFrames - 1 }, () => makeFrame(rateHz))]
    this.#onFrame = onFrame
    this.#size = samplesPerFrame(rateHz)
  }

  /** Samples that wait for the rest of their frame. */
  get pendingSamples(): number {
    return this.#filled
  }

  /** Copies; the chunk is the caller's again on return. */
  push(chunk: Int16Array): void {
    let taken = 0
    while (taken < chunk.length) {
      const count = Math.min(this.#size - this.#filled, chunk.length - taken)
      const { samples } = this.#current
      // A loop and not set(subarray): a view would be an object per frame.
      for (let i = 0; i < count; i++) samples[this.#filled + i] = chunk[taken + i] as number
      taken += count
      this.#filled += count
      if (this.#filled === this.#size) this.#emit()
    }
  }

  /** The last, incomplete frame, filled up with silence. */
  flush(): void {
    if (this.#filled === 0) return
    this.#current.samples.fill(0, this.#filled)
    this.#emit()
  }

  /** Forgets what waits: after an interruption nothing older may leave. */
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
