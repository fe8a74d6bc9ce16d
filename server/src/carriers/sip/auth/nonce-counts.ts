// How often each nonce of ours was used: a request that was overheard cannot be sent a second time (RFC 7616 §3.3).

/** Telephones that log in within the life of a nonce. Where there are more, the oldest are asked for their password again. */
const mostNonces = 20_000

interface Use {
  readonly count: number
  readonly atMs: number
}

export class NonceCounts {
  readonly #used = new Map<string, Use>()
  readonly #lifeMs: number
  readonly #nowMs: () => number

  constructor(lifeMs: number, nowMs: () => number) {
    this.#lifeMs = lifeMs
    this.#nowMs = nowMs
  }

  /** False: this count, or a higher one, was here before. */
  use(nonce: string, count: number): boolean {
    const before = this.#used.get(nonce)
    if (count <= (before?.count ?? 0)) return false
    this.#forgetOld()
    // What is not remembered could be used again.
    if (!before && this.#used.size >= mostNonces) return false
    this.#used.delete(nonce)
    this.#used.set(nonce, { count, atMs: this.#nowMs() })
    return true
  }

  /** In the order of their last use. */
  #forgetOld(): void {
    const untilMs = this.#nowMs() - this.#lifeMs
    for (const [nonce, { atMs }] of this.#used) {
      if (atMs > untilMs) return
      this.#used.delete(nonce)
    }
  }
}
