// How long to wait for packets: as long as all but a few of the last seconds' packets needed.
import { frameMs } from './frame.ts'

const bucketMs = 5
// More is a conversation across the moon; later packets are given up.
export const maxTargetMs = 200
// Before anything is known: a usual mobile line.
const firstGuessMs = 40
// One packet in fifty may come too late and be concealed; waiting for it would delay the other forty-nine.
const inTime = 0.98
// Each packet counts for about 250 packets, 5 s: longer than a burst, shorter than a patience. The first count for more,
// so that the guess is forgotten within a second.
const lastingShare = 0.004
// Two clocks differ by less (1000 millionths). The quickest packet ever seen must not rule for ever.
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

  /** The transit of the quickest packet: sender's and receiver's clock differ by this and the shortest way. */
  get baseMs(): number {
    return this.#baseMs
  }

  /** How long after the quickest arrival a sample is played; a frame more than the jitter, as a whole frame is taken. */
  get targetMs(): number {
    return this.#targetMs
  }

  /** A new stream, or one whose timestamps jumped: what was learnt about the jitter stays. */
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
