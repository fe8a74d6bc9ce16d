// The rows that have a word: for every word its rows in ascending order, as differences of seven bits a byte.

/** The rows of one word. */
class Postings {
  #bytes = new Uint8Array(4)
  #used = 0
  #last = 0
  /** How many rows have the word. */
  count = 0

  get bytes(): number {
    return this.#bytes.length
  }

  /** Adds a row; rows come in ascending order. */
  push(row: number): void {
    if (this.#used + longestDifference > this.#bytes.length) this.#grow()
    let difference = row - this.#last
    while (difference >= 0x80) {
      this.#bytes[this.#used++] = (difference & 0x7f) | 0x80
      difference >>>= 7
    }
    this.#bytes[this.#used++] = difference
    this.#last = row
    this.count++
  }

  each(visit: (row: number) => void): void {
    let row = 0
    for (let at = 0; at < this.#used; ) {
      let difference = 0
      let shift = 0
      let byte: number
      do {
        byte = this.#bytes[at++] as number
        difference |= (byte & 0x7f) << shift
        shift += 7
      } while (byte >= 0x80)
      row += difference
      visit(row)
    }
  }

  #grow(): void {
    const larger = new Uint8Array(Math.ceil(this.#bytes.length * 1.5) + longestDifference)
    larger.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = larger
  }
}

// A row is a number of 32 bits.
const longestDifference = 5
// The bytes of a word, its entry in the map and its two objects, measured on a vocabulary of 11,000 words.
const bytesOfWord = 300

export class WordPostings {
  readonly #words = new Map<string, Postings>()

  get bytes(): number {
    let bytes = this.#words.size * bytesOfWord
    for (const postings of this.#words.values()) bytes += postings.bytes
    return bytes
  }

  /** Adds the words of a row, which is larger than any before. */
  add(row: number, words: readonly string[]): void {
    for (const word of words) {
      let postings = this.#words.get(word)
      if (!postings) {
        postings = new Postings()
        this.#words.set(word, postings)
      }
      postings.push(row)
    }
  }

  /** How many rows have the word. */
  count(word: string): number {
    return this.#words.get(word)?.count ?? 0
  }

  /** How many of the rows that are marked with 1 have the word. */
  countAmong(marks: Uint8Array, word: string): number {
    let count = 0
    this.#words.get(word)?.each((row) => {
      count += marks[row] as number
    })
    return count
  }

  /** For every row that has the word, adds the weight to its sum. */
  addTo(sums: Float32Array, word: string, weight: number): void {
    this.#words.get(word)?.each((row) => {
      sums[row] = (sums[row] as number) + weight
    })
  }

  /** Returns the same words with the rows at their new places; -1 for a row that is gone. Places keep their order. */
  moved(places: Int32Array): WordPostings {
    const moved = new WordPostings()
    for (const [word, postings] of this.#words) {
      const kept = new Postings()
      postings.each((row) => {
        const place = places[row] as number
        if (place >= 0) kept.push(place)
      })
      if (kept.count > 0) moved.#words.set(word, kept)
    }
    return moved
  }
}
