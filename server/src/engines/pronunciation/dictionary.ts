// The pronouncing dictionary, packed: 123,000 words in 2 MB instead of the 22 that they take as objects.
//
// One run of bytes: each word in ASCII, then its phones as numbers from 128 on, word after word in order.

const firstPhone = 128

export class PronouncingDictionary {
  readonly #bytes: Uint8Array
  readonly #starts: Uint32Array
  readonly #phones: readonly string[]

  /** Words in capitals, each with its ARPAbet phones. */
  constructor(entries: Readonly<Record<string, readonly string[]>>) {
    const words = Object.keys(entries)
      .filter((word) => /^[\x20-\x7e]+$/.test(word))
      .toSorted(byCode)
    const numbers = new Map<string, number>()
    const sizes = words.reduce((sum, word) => sum + word.length + (entries[word]?.length ?? 0), 0)
    this.#bytes = new Uint8Array(sizes)
    this.#starts = new Uint32Array(words.length + 1)
    let at = 0
    words.forEach((word, place) => {
      this.#starts[place] = at
      for (let i = 0; i < word.length; i++) this.#bytes[at++] = word.charCodeAt(i)
      for (const phone of entries[word] ?? []) {
        const number = numbers.get(phone) ?? numbers.size
        numbers.set(phone, number)
        this.#bytes[at++] = firstPhone + number
      }
    })
    this.#starts[words.length] = at
    this.#phones = [...numbers.keys()]
  }

  /** Takes a word in capitals. */
  phonesOf(word: string): readonly string[] | undefined {
    let [low, high] = [0, this.#starts.length - 2]
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = this.#compare(word, middle)
      if (order === 0) return this.#read(middle, word.length)
      if (order < 0) high = middle - 1
      else low = middle + 1
    }
    return undefined
  }

  /** Compares a word with an entry; negative if the word comes before it. */
  #compare(word: string, place: number): number {
    const start = this.#starts[place] as number
    for (let i = 0; ; i++) {
      const letter = this.#bytes[start + i] as number
      const entryEnds = letter >= firstPhone || start + i >= (this.#starts[place + 1] as number)
      if (i === word.length) return entryEnds ? 0 : -1
      if (entryEnds) return 1
      const difference = word.charCodeAt(i) - letter
      if (difference !== 0) return difference
    }
  }

  #read(place: number, letters: number): readonly string[] {
    const phones = this.#bytes.subarray(
      (this.#starts[place] as number) + letters,
      this.#starts[place + 1] as number,
    )
    return Array.from(phones, (phone) => this.#phones[phone - firstPhone] ?? '')
  }
}

const byCode = (a: string, b: string) => (a < b ? -1 : 1)
