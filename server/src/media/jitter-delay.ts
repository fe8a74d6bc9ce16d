// The target delay of the jitter buffer: enough for nearly all packets of the last few seconds.
import { frameMs } from './frame.ts'

const bucketMs = 5
// Beyond this a conversation breaks down; later packets count as lost.
export const maxTargetMs = 200
// Initial estimate: a typical mobile line.
const firstGuessMs = 40
// One packet in fifty may arrive too late and be concealed; waiting for it would delay the other forty-nine.
const inTime = 0.98
// Exponential average over about 250 packets (5 s): longer than a burst, short enough to follow the line. The first
// packets weigh more, so that the initial estimate is forgotten within a second.
const lastingShare = 0.004
// Clock drift is below this (1000 ppm). The fastest packet ever seen must not set the base forever.
const creepMsPerMs = 0.001

export class JitterDelay {
  readonly #shares = new Float64Array(maxTargetMs / bucketMs)
  #baseMs = 0
  #targetMs = frameMs + firstGuessMs
  #lastMs = 0
  #arrived = 1

  constructor() {
    this.#shares[firstGuessMs / bucketMs - 1] = 1
  }

  /** Transit time of the fastest packet: the offset between the two clocks plus the shortest network delay. */
  get baseMs(): number {
    return this.#baseMs
  }

  /** Playout delay after the fastest arrival: the jitter plus one frame, because playout takes whole frames. */
  get targetMs(): number {
    return this.#targetMs
  }

  /** Begins a new stream, or continues after a timestamp jump: the jitter estimate is kept. */
  restart(transitMs: number, nowMs: number): void {
    this.#baseMs = transitMs
    this.#lastMs = nowMs
  }

  arrive(transitMs: number, nowMs: number): void {
    const crept = this.#baseMs + Math.max(0, nowMs - this.#lastMs) * creepMsPerMs
    this.#lastMs = Math.max(this.#lastMs, nowMs)
    this.#baseMs = Math.min(transitMs, crept)
    const bucket = Math.min(this.#shares.length - 1, Math.floor((transitMs - this.#baseMs) / bucketMs))
    const part = Math.max(lastingShare, 1 / ++this.#arrived)
    let below = 0
    let reached = -1
    for (let i = 0; i < this.#shares.length; i++) {
      const share = (this.#shares[i] as number) * (1 - part) + (i === bucket ? part : 0)
      this.#shares[i] = share
      below += share
      if (reached < 0 && below >= inTime) reached = i
    }
    const jitterMs = (reached < 0 ? this.#shares.length : reached + 1) * bucketMs
    this.#targetMs = Math.min(maxTargetMs, frameMs + jitterMs)
  }
}
