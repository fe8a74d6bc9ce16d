// A rate limit: a burst at once, then a number per second.
export class TokenBucket {
  readonly #perMs: number
  readonly #atOnce: number
  #left: number
  #lastMs = Number.NEGATIVE_INFINITY

  constructor({ perSecond, atOnce }: { perSecond: number; atOnce: number }) {
    this.#perMs = perSecond / 1000
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  /** False when over the limit. */
  take(nowMs: number): boolean {
    this.#left = Math.min(this.#atOnce, this.#left + (nowMs - this.#lastMs) * this.#perMs)
    this.#lastMs = nowMs
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
