// When the caller's sound reached the line. It was heard later, by what it waited for in buffers, and the caller's ear counts from
// there.
import { frameMs } from '../../media/frame.ts'

// Half a minute: no transcriber is later than that with its words.
const ringFrames = 30_000 / frameMs

export class ArrivalTimes {
  /** How long each frame had waited when it was heard, by its number. */
  readonly #waitedMs = new Float32Array(ringFrames)
  #newest = -1

  /** Notes a frame that was heard at this time; `arrivedMs` is undefined if it is not known, and the one before counts. */
  note(heardMs: number, arrivedMs: number | undefined): void {
    const number = Math.round(heardMs / frameMs)
    const before = this.#waitedMs[Math.max(this.#newest, 0) % ringFrames] as number
    this.#waitedMs[number % ringFrames] = arrivedMs === undefined ? before : Math.max(0, heardMs - arrivedMs)
    this.#newest = number
  }

  /** When the sound reached the line that was heard at this time. */
  of(heardMs: number): number {
    const number = Math.round(heardMs / frameMs)
    if (number > this.#newest || number <= this.#newest - ringFrames) return heardMs
    return Math.round(heardMs - (this.#waitedMs[number % ringFrames] as number))
  }
}
