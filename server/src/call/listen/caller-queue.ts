// The caller's frames that arrived between two ticks, in order: few enough that both sides stay within the same 20 ms.
// After a stall all frames of it come at once, and are taken at once.
import { type Frame, frameMs, makeFrame, type RateHz, silence } from '../../media/frame.ts'

// Lines have jitter buffers of their own; this tenth of a second only absorbs the drift between two clocks.
const mostFrames = 5
// A line catches up with at most a second.
const ringFrames = 1_000 / frameMs
// A frame that has been surplus for this long only adds delay.
const idleTakes = 50

export class CallerQueue {
  readonly #rateHz: RateHz
  readonly #ring: readonly Frame[]
  readonly #arrivedMs = new Float64Array(ringFrames + 1)
  #put = 0
  #taken = 0
  /** When the frame taken last reached the line; undefined: there was none, or the line does not say. */
  arrivedMs: number | undefined
  /** How many consecutive takes left frames in the queue. */
  #spare = 0

  constructor(rateHz: RateHz) {
    this.#rateHz = rateHz
    // One frame more than may wait, so that the frame lent last is not overwritten.
    this.#ring = Array.from({ length: ringFrames + 1 }, () => makeFrame(rateHz))
  }

  /** Copies. When full, drops the oldest frame: recent speech matters more. */
  push({ samples }: Frame, arrivedMs = Number.NaN): void {
    if (this.#put - this.#taken === ringFrames) this.#taken++
    const place = this.#put++ % this.#ring.length
    this.#arrivedMs[place] = arrivedMs
    const slot = this.#ring[place]
    if (slot)
      slot.samples.set(
        samples.length > slot.samples.length ? samples.subarray(0, slot.samples.length) : samples,
      )
  }

  /**
   * Returns the next 20 ms, or silence if there are none; the frame is lent until the next take. `more`: how many are taken
   * right after it.
   */
  take(more = 0): Frame {
    this.arrivedMs = undefined
    if (this.#taken === this.#put) {
      this.#spare = 0
      return silence(this.#rateHz)
    }
    this.#taken = Math.max(this.#taken, this.#put - mostFrames - more)
    const place = this.#taken++ % this.#ring.length
    const frame = this.#ring[place] ?? silence(this.#rateHz)
    const arrivedMs = this.#arrivedMs[place] as number
    if (!Number.isNaN(arrivedMs)) this.arrivedMs = arrivedMs
    this.#spare = this.#taken === this.#put ? 0 : this.#spare + 1
    if (this.#spare > idleTakes) {
      this.#taken++
      this.#spare = 0
    }
    return frame
  }
}
