// Batches lookups: keys that arrive while others are being looked up share one statement.
//
// Without load, a key is looked up immediately. Under load, one round trip serves all keys that arrived during the
// previous one.

interface Lookup<Key, Row> {
  readonly key: Key
  resolve(row: Row | undefined): void
  reject(error: unknown): void
}

// One batch runs in the database while the next is on its way.
const mostUnderWay = 2
// In a larger batch the first key waits noticeably for the last.
const mostTogether = 64

export class ReadBatcher<Key, Row> {
  readonly #read: (keys: Key[]) => Promise<readonly Row[]>
  readonly #isOf: (row: Row, key: Key) => boolean
  readonly #waiting: Lookup<Key, Row>[] = []
  #underWay = 0

  /** `read` returns the rows of these keys, in any order; there is at most one row for a key. */
  constructor(read: (keys: Key[]) => Promise<readonly Row[]>, isOf: (row: Row, key: Key) => boolean) {
    this.#read = read
    this.#isOf = isOf
  }

  find(key: Key): Promise<Row | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
    this.#waiting.push({ key, resolve, reject })
    this.#send()
    return promise
  }

  #send(): void {
    if (this.#waiting.length === 0 || this.#underWay === mostUnderWay) return
    const lookups = this.#waiting.splice(0, mostTogether)
    this.#underWay++
    void this.#run(lookups).then(() => {
      this.#underWay--
      this.#send()
    })
  }

  async #run(lookups: readonly Lookup<Key, Row>[]): Promise<void> {
    try {
      const rows = await this.#read(lookups.map(({ key }) => key))
      for (const { key, resolve } of lookups) resolve(rows.find((row) => this.#isOf(row, key)))
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
  }
}
