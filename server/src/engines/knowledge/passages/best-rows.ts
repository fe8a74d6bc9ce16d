// The rows with the highest scores: a heap with the lowest of them on top.
export class BestRows {
  readonly #most: number
  readonly #rows: number[] = []
  readonly #scores: number[] = []

  constructor(most: number) {
    this.#most = most
  }

  offer(row: number, score: number): void {
    const { length } = this.#rows
    if (length < this.#most) {
      this.#rows.push(row)
      this.#scores.push(score)
      this.#rise(length)
    } else if (length > 0 && score > (this.#scores[0] as number)) {
      this.#rows[0] = row
      this.#scores[0] = score
      this.#sink()
    }
  }

  /** The rows, best first. */
  rows(): number[] {
    return this.#rows
      .map((row, place) => ({ row, score: this.#scores[place] as number }))
      .sort((one, other) => other.score - one.score || one.row - other.row)
      .map(({ row }) => row)
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if ((this.#scores[above] as number) <= (this.#scores[at] as number)) return
      this.#swap(at, above)
      at = above
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = left + 1
      let least = at
      if (left < this.#rows.length && (this.#scores[left] as number) < (this.#scores[least] as number))
        least = left
      if (right < this.#rows.length && (this.#scores[right] as number) < (this.#scores[least] as number))
        least = right
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(one: number, other: number): void {
    const rows = this.#rows
    const scores = this.#scores
    ;[rows[one], rows[other]] = [rows[other] as number, rows[one] as number]
    ;[scores[one], scores[other]] = [scores[other] as number, scores[one] as number]
  }
}
