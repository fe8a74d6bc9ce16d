// The caller's frames that arrived between two ticks, in order: few enough that both sides stay within the same 20 ms.
import { type Frame, makeFrame, type RateHz, silence } from '../../media/frame.ts'

// Lines have jitter buffers of their own; this tenth of a second only absorbs the drift between two clocks.
const mostFrames = 5
// A frame that has been surplus for this long only adds delay.
const idleTakes = 50

export class CallerQueue {
  readonly #rateHz: RateHz
  readonly #ring: readonly Frame[]
  #put = 0
  #taken = 0
  /** How many consecutive takes left frames in the queue. */
  #spare = 0

  constructor(rateHz: RateHz) {
    this.#rateHz = rateHz
    // One frame more than may wait, so that the frame lent last is not overwritten.
    this.#ring = Array.from({ length: mostFrames + 1 }, () => makeFrame(rateHz))
  }

  /** Copies. When full, drops the oldest frame: recent speech matters more. */
  push({ samples }: Frame): void {
    if (this.#put - this.#taken === mostFrames) this.#taken++
    const slot = this.#ring[this.#put++ % this.#ring.length]
    if (slot)
      slot.samples.set(
        samples.length > slot.samples.length ? samples.subarray(0, slot.samples.length) : samples,
      )
  }

  /** Returns the next 20 ms, or silence if there are none; the frame is lent until the next take. */
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
