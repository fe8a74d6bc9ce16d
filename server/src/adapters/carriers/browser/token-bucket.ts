// How much somebody may send: so many at once, and so many a second after that.
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

  /** False when it is too much. */
  take(nowMs: number): boolean {
    this.#left = Math.min(this.#atOnce, this.#left + (nowMs - this.#lastMs) * this.#perMs)
    this.#lastMs = nowMs
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
