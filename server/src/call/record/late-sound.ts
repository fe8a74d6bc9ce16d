// Counts the sound of a call that the machine was too busy to send in time: it left more than 20 ms late, or not at all.
import { frameMs } from '../../media/frame.ts'
import type { CallUpdate } from '../../ports/call.ts'
import type { Clock } from '../call-parts.ts'

// Live figures follow within a second.
const tellEveryMs = 1_000
// Half a second, and one frame in two hundred: less is a hiccup, which nobody hears as more than a click.
const notedFrames = 500 / frameMs
const notedShare = 0.005

export class LateSound {
  readonly #clock: Clock
  readonly #onUpdate: (update: CallUpdate) => void
  #allFrames = 0
  #lateFrames = 0
  #isLate = false
  #untold = { frames: 0, firstSounds: 0 }
  #tickedMs: number | undefined
  #toldMs = 0

  constructor(clock: Clock, onUpdate: (update: CallUpdate) => void) {
    this.#clock = clock
    this.#onUpdate = onUpdate
  }

  /** How many frames were late; undefined: so few that nobody minded. */
  get notable(): number | undefined {
    const least = Math.max(notedFrames, notedShare * this.#allFrames)
    return this.#lateFrames < least ? undefined : this.#lateFrames
  }

  /** Every 20 ms from the answer on, before the frame of this tick. */
  tick(): void {
    const { nowMs, lateMs = 0 } = this.#clock
    const passed = this.#tickedMs === undefined ? 1 : Math.round((nowMs - this.#tickedMs) / frameMs)
    const late = Math.max(0, passed - 1) + (lateMs > frameMs ? 1 : 0)
    this.#tickedMs = nowMs
    this.#isLate = late > 0
    this.#allFrames += passed
    this.#lateFrames += late
    this.#untold.frames += late
    if (nowMs - this.#toldMs >= tellEveryMs) this.#tell()
  }

  /** Notes that a saying begins with this frame. */
  began(): void {
    if (this.#isLate) this.#untold.firstSounds++
  }

  /** The call is over. */
  close(): void {
    this.#tell()
    const frames = this.notable?.toLocaleString('en')
    if (frames === undefined) return
    this.#onUpdate({ type: 'note', note: `The machine was overloaded: ${frames} frames of sound were late.` })
  }

  #tell(): void {
    this.#toldMs = this.#clock.nowMs
    if (this.#untold.frames === 0) return
    this.#onUpdate({ type: 'late-sound', ...this.#untold })
    this.#untold = { frames: 0, firstSounds: 0 }
  }
}
