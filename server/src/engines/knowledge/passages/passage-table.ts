// The passages of one repository in memory: the words of each, and its vector with a byte for each number. The search
// is exact.
import type { FoundPassage, PassageQuestion, PassagesOfDocument } from '../../../ports/knowledge.ts'
import { BestRows } from './best-rows.ts'
import { type Dots, dotsIn, newMemory, pageBytes } from './dot-products.ts'
import { WordPostings } from './word-postings.ts'

interface WeighedWord {
  readonly word: string
  /** The word's weight; all weights of a question together are 1. */
  readonly weight: number
}

// The least number of passages that a word is taken to be in: a misheard word must not outweigh all others.
const rarePassages = 5

/**
 * Weighs the words of a question: the rarer a word is in a repository, the more it says. `count`: how many passages
 * have a word.
 */
function weighWords(
  words: readonly string[],
  passages: number,
  count: (word: string) => number,
): WeighedWord[] {
  const weighed = [...new Set(words)].map((word) => {
    const holders = Math.min(Math.max(count(word), rarePassages), passages)
    return { word, weight: Math.log(1 + (passages - holders + 0.5) / (holders + 0.5)) }
  })
  const whole = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1
  return weighed.map(({ word, weight }) => ({ word, weight: weight / whole }))
}

const uuidBytes = 16
// The instruction takes sixteen bytes at a time.
const lane = 16
// The bytes of a passage beside its vector and its words: scale, id, number of words, the sum of its words' weights,
// and whether it is there.
const bytesBeside = 4 + uuidBytes + 2 + 4 + 1

/** The rows of a document, which follow each other. */
interface Rows {
  readonly first: number
  readonly count: number
}

/**
 * A table in WebAssembly's memory: the vectors, row by row; then the question; then the products. Rows of documents
 * that were removed stay until they are a quarter of all rows.
 */
export class PassageTable {
  readonly #dimensions: number
  readonly #rowBytes: number
  readonly #memory = newMemory()
  readonly #dots: Dots
  #rows = 0
  #removed = 0
  #capacity = 0
  /**
   * The figures of each row: the factor of its products (0: no vector), its id, the number of its words, and 1 if it
   * is there.
   */
  #scales = new Float32Array(0)
  #ids = new Uint8Array(0)
  #lengths = new Uint16Array(0)
  #present = new Uint8Array(0)
  #sums = new Float32Array(0)
  #words = new WordPostings()
  #documents = new Map<string, Rows>()

  /** A table with 0 dimensions has words only. */
  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#rowBytes = Math.ceil(dimensions / lane) * lane
    this.#dots = dotsIn(this.#memory)
  }

  get passages(): number {
    return this.#rows - this.#removed
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#capacity * bytesBeside + this.#words.bytes
  }

  put({ documentId, chunkIds, words, vectors }: PassagesOfDocument): void {
    this.remove(documentId)
    const first = this.#rows
    this.#grow(first + chunkIds.length)
    this.#documents.set(documentId, { first, count: chunkIds.length })
    const cells = new Int8Array(this.#memory.buffer)
    for (const [place, chunkId] of chunkIds.entries()) {
      const row = this.#rows++
      const own = (words[place] ?? '').split('\n').filter(Boolean)
      const vector = vectors?.subarray(place * this.#dimensions, (place + 1) * this.#dimensions)
      const into = cells.subarray(row * this.#rowBytes, (row + 1) * this.#rowBytes)
      this.#scales[row] = vector ? quantise(vector, into) : 0
      this.#ids.set(Buffer.from(chunkId.replaceAll('-', ''), 'hex'), row * uuidBytes)
      this.#lengths[row] = own.length
      this.#present[row] = 1
      this.#words.add(row, own)
    }
  }

  remove(documentId: string): void {
    const rows = this.#documents.get(documentId)
    if (!rows) return
    this.#documents.delete(documentId)
    this.#present.fill(0, rows.first, rows.first + rows.count)
    this.#removed += rows.count
    if (this.#removed * 4 > this.#rows) this.#closeGaps()
  }

  /** Finds the nearest `most`, the `most` with the question's words, and `further`, each with both figures. In no order. */
  find({
    vector,
    words,
    most,
    further = [],
  }: Omit<PassageQuestion, 'repositoryId' | 'passages'>): FoundPassage[] {
    if (this.passages === 0) return []
    const similarityOf = vector && this.#rowBytes > 0 ? this.#compare(vector) : undefined
    const near = new BestRows(similarityOf ? most : 0)
    if (similarityOf)
      for (let row = 0; row < this.#rows; row++)
        if (this.#present[row] === 1 && this.#scales[row] !== 0) near.offer(row, similarityOf(row))
    const rows = new Set([...near.rows(), ...this.#withWords(words, most), ...this.#rowsOf(further)])
    return [...rows].map((row) => ({
      chunkId: this.#idOf(row),
      similarity: similarityOf && this.#scales[row] !== 0 ? similarityOf(row) : undefined,
      coverage: words.length > 0 ? (this.#sums[row] as number) : 0,
    }))
  }

  /** Multiplies the vector with every row. The returned function is valid until the next question. */
  #compare(vector: Float32Array): (row: number) => number {
    const questionAt = this.#capacity * this.#rowBytes
    const outAt = questionAt + this.#rowBytes
    const cells = new Int8Array(this.#memory.buffer)
    const scale = quantise(vector, cells.subarray(questionAt, outAt))
    this.#dots(this.#rows, this.#rowBytes, 0, questionAt, outAt)
    const products = new Int32Array(this.#memory.buffer, outAt, this.#rows)
    return (row) => (products[row] as number) * (this.#scales[row] as number) * scale
  }

  /**
   * Writes each row's share of the question's words into the sums, and returns the best rows. Of two rows with the
   * same share the shorter comes first.
   */
  #withWords(words: readonly string[], most: number): number[] {
    if (words.length === 0) return []
    const sums = this.#sums.fill(0, 0, this.#rows)
    // Rows that were removed are still in the lists.
    const count = (word: string) =>
      this.#removed === 0 ? this.#words.count(word) : this.#words.countAmong(this.#present, word)
    for (const { word, weight } of weighWords(words, this.passages, count))
      this.#words.addTo(sums, word, weight)
    const best = new BestRows(most)
    for (let row = 0; row < this.#rows; row++) {
      const sum = sums[row] as number
      if (sum > 0 && this.#present[row] === 1) best.offer(row, sum - (this.#lengths[row] as number) * 1e-9)
    }
    return best.rows()
  }

  /**
   * Finds rows by their ids by looking at every row: ids are looked up so seldom that a map of all of them would be a
   * waste.
   */
  #rowsOf(chunkIds: readonly string[]): number[] {
    if (chunkIds.length === 0) return []
    const wanted = new Set(chunkIds)
    // Most rows are ruled out by the last two bytes of their id, which are random.
    const endings = new Uint8Array(2 ** 16)
    for (const id of wanted) endings[Number.parseInt(id.slice(-4), 16)] = 1
    const rows: number[] = []
    for (let row = 0; row < this.#rows; row++) {
      const end = (row + 1) * uuidBytes
      const ending = ((this.#ids[end - 2] as number) << 8) | (this.#ids[end - 1] as number)
      if (endings[ending] === 1 && this.#present[row] === 1 && wanted.has(this.#idOf(row))) rows.push(row)
    }
    return rows
  }

  #idOf(row: number): string {
    const hex = Buffer.from(this.#ids.buffer, row * uuidBytes, uuidBytes).toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }

  #closeGaps(): void {
    const cells = new Int8Array(this.#memory.buffer)
    const places = new Int32Array(this.#rows).fill(-1)
    const documents = [...this.#documents].sort(([, one], [, other]) => one.first - other.first)
    let first = 0
    for (const [documentId, { first: from, count }] of documents) {
      for (let place = 0; place < count; place++) places[from + place] = first + place
      const move = (values: Int8Array | Uint8Array | Uint16Array | Float32Array, each: number) =>
        values.copyWithin(first * each, from * each, (from + count) * each)
      move(cells, this.#rowBytes)
      move(this.#ids, uuidBytes)
      move(this.#scales, 1)
      move(this.#lengths, 1)
      this.#documents.set(documentId, { first, count })
      first += count
    }
    this.#words = this.#words.moved(places)
    this.#rows = first
    this.#removed = 0
    this.#present.fill(1, 0, first)
  }

  #grow(rows: number): void {
    if (rows <= this.#capacity) return
    // The capacity grows by an eighth, so that many small documents do not copy everything each time.
    this.#capacity = Math.max(rows, Math.ceil(this.#capacity * 1.125), 64)
    const bytes = this.#capacity * (this.#rowBytes + 4) + this.#rowBytes
    const pages = Math.ceil((bytes - this.#memory.buffer.byteLength) / pageBytes)
    if (pages > 0) this.#memory.grow(pages)
    this.#scales = larger(new Float32Array(this.#capacity), this.#scales)
    this.#ids = larger(new Uint8Array(this.#capacity * uuidBytes), this.#ids)
    this.#lengths = larger(new Uint16Array(this.#capacity), this.#lengths)
    this.#present = larger(new Uint8Array(this.#capacity), this.#present)
    this.#sums = new Float32Array(this.#capacity)
  }
}

function larger<Values extends Float32Array | Uint8Array | Uint16Array>(into: Values, from: Values): Values {
  into.set(from as never)
  return into
}

/** Writes the vector as bytes and returns their scale. */
function quantise(vector: Float32Array, into: Int8Array): number {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] as number))
  const scale = largest / 127
  for (let i = 0; i < vector.length; i++)
    into[i] = scale === 0 ? 0 : Math.round((vector[i] as number) / scale)
  return scale
}
