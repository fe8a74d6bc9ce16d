// What the line brought between two ticks, in order: a few frames at most, so that both sides stay the same 20 ms.
import { type Frame, makeFrame, type RateHz, silence } from '../../media/frame.ts'

// A tenth of a second: lines smooth their own jitter, this only bridges two clocks.
const mostFrames = 5
// A frame that nobody needed for so long is only delay.
const idleTakes = 50

export class CallerQueue {
  readonly #rateHz: RateHz
  readonly #ring: readonly Frame[]
  #put = 0
  #taken = 0
  /** How many takes in a row left something behind. */
  #spare = 0

  constructor(rateHz: RateHz) {
    this.#rateHz = rateHz
    // One more than may wait: what was lent last is not written over.
    this.#ring = Array.from({ length: mostFrames + 1 }, () => makeFrame(rateHz))
  }

  /** Copies. When it is full the oldest is dropped: what is said now matters more. */
  push({ samples }: Frame): void {
    if (this.#put - this.#taken === mostFrames) this.#taken++
    const slot = this.#ring[this.#put++ % this.#ring.length]
    if (slot)
      slot.samples.set(
        samples.length > slot.samples.length ? samples.subarray(0, slot.samples.length) : samples,
      )
  }

  /** The next 20 ms, silence when there are none; lent until the next take. */
  take(): Frame {
    if (this.#taken === this.#put) {
      this.#spare = 0
      return silence(this.#rateHz)
    }
    const frame = this.#ring[this.#taken++ % this.#ring.length] ?? silence(this.#rateHz)
    this.#spare = this.#taken === this.#put ? 0 : this.#spare + 1
    if (this.#spare > idleTakes) {
      this.#taken++
      this.#spare = 0
    }
    return frame
  }
}
