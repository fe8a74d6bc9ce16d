// The vectors of one repository in memory, a byte for each number, and the exact nearest among them.
import type { NearPassage, VectorsOfDocument } from '../../../ports/knowledge.ts'
import { type Dots, dotsIn, newMemory, pageBytes } from './dot-products.ts'

const uuidBytes = 16
// The instruction takes sixteen bytes at a time.
const lane = 16

/**
 * Memory: the vectors, row by row; then the query; then the products. Rows of documents that were removed are filled by
 * the last rows, so there are never gaps.
 */
export class VectorTable {
  readonly #dimensions: number
  readonly #rowBytes: number
  readonly #memory = newMemory()
  readonly #dots: Dots
  #rows = 0
  #capacity = 0
  /** By row: what a product is multiplied with, the id of the passage, and the document. */
  #scales = new Float32Array(0)
  #ids = new Uint8Array(0)
  #owners = new Int32Array(0)
  readonly #documents = new Map<string, { readonly number: number; readonly version: number }>()
  #nextNumber = 0

  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#rowBytes = Math.ceil(dimensions / lane) * lane
    this.#dots = dotsIn(this.#memory)
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#capacity * (4 + uuidBytes + 4)
  }

  /** Of every document that is here. */
  versions(): Map<string, number> {
    return new Map([...this.#documents].map(([id, { version }]) => [id, version]))
  }

  put({ documentId, version, chunkIds, vectors }: VectorsOfDocument): void {
    this.remove(documentId)
    this.#grow(this.#rows + chunkIds.length)
    const number = this.#nextNumber++
    this.#documents.set(documentId, { number, version })
    const cells = new Int8Array(this.#memory.buffer)
    for (const [place, chunkId] of chunkIds.entries()) {
      const row = this.#rows++
      const vector = vectors.subarray(place * this.#dimensions, (place + 1) * this.#dimensions)
      this.#scales[row] = quantise(vector, cells.subarray(row * this.#rowBytes, (row + 1) * this.#rowBytes))
      this.#ids.set(Buffer.from(chunkId.replaceAll('-', ''), 'hex'), row * uuidBytes)
      this.#owners[row] = number
    }
  }

  remove(documentId: string): void {
    const document = this.#documents.get(documentId)
    if (!document) return
    this.#documents.delete(documentId)
    for (let row = this.#rows - 1; row >= 0; row--)
      if (this.#owners[row] === document.number) this.#fill(row, --this.#rows)
  }

  /** The nearest `most`, best first, and the similarity of those asked for by id as far as they are here. */
  nearest(query: Float32Array, most: number, wanted: readonly string[] = []): NearPassage[] {
    if (this.#rows === 0) return []
    const queryAt = this.#capacity * this.#rowBytes
    const outAt = queryAt + this.#rowBytes
    const cells = new Int8Array(this.#memory.buffer)
    const scale = quantise(query, cells.subarray(queryAt, outAt))
    this.#dots(this.#rows, this.#rowBytes, 0, queryAt, outAt)
    const products = new Int32Array(this.#memory.buffer, outAt, this.#rows)
    const best = new Best(most)
    for (let row = 0; row < this.#rows; row++)
      best.offer(row, (products[row] as number) * (this.#scales[row] as number))
    const similarityOf = (row: number) => (products[row] as number) * (this.#scales[row] as number) * scale
    const found = best.rows().map((row) => ({ chunkId: this.#idOf(row), similarity: similarityOf(row) }))
    return [...found, ...this.#named(wanted, found, similarityOf)]
  }

  #named(
    wanted: readonly string[],
    found: readonly NearPassage[],
    similarityOf: (row: number) => number,
  ): NearPassage[] {
    const known = new Set(found.map(({ chunkId }) => chunkId))
    const missing = wanted.filter((id) => !known.has(id))
    if (missing.length === 0) return []
    // The first four bytes find the row, or a few that share them.
    const heads = new Map<number, string[]>()
    for (const id of missing) {
      const head = Buffer.from(id.slice(28), 'hex').readUInt32LE()
      heads.set(head, [...(heads.get(head) ?? []), id])
    }
    const words = new Uint32Array(this.#ids.buffer)
    const named: NearPassage[] = []
    for (let row = 0; row < this.#rows; row++) {
      // The last four bytes of an id are random; the first are the time, which neighbours share.
      const candidates = heads.get(words[row * 4 + 3] as number)
      if (!candidates) continue
      const chunkId = this.#idOf(row)
      if (candidates.includes(chunkId)) named.push({ chunkId, similarity: similarityOf(row) })
    }
    return named
  }

  #idOf(row: number): string {
    const hex = Buffer.from(this.#ids.buffer, row * uuidBytes, uuidBytes).toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }

  #fill(row: number, from: number): void {
    if (row === from) return
    const cells = new Int8Array(this.#memory.buffer)
    cells.copyWithin(row * this.#rowBytes, from * this.#rowBytes, (from + 1) * this.#rowBytes)
    this.#ids.copyWithin(row * uuidBytes, from * uuidBytes, (from + 1) * uuidBytes)
    this.#scales[row] = this.#scales[from] as number
    this.#owners[row] = this.#owners[from] as number
  }

  #grow(rows: number): void {
    if (rows <= this.#capacity) return
    // By an eighth, so that many small documents do not copy everything each time.
    this.#capacity = Math.max(rows, Math.ceil(this.#capacity * 1.125), 64)
    const bytes = this.#capacity * (this.#rowBytes + 4) + this.#rowBytes
    const pages = Math.ceil((bytes - this.#memory.buffer.byteLength) / pageBytes)
    if (pages > 0) this.#memory.grow(pages)
    this.#scales = larger(new Float32Array(this.#capacity), this.#scales)
    this.#ids = larger(new Uint8Array(this.#capacity * uuidBytes), this.#ids)
    this.#owners = larger(new Int32Array(this.#capacity), this.#owners)
  }
}

function larger<Values extends Float32Array | Uint8Array | Int32Array>(into: Values, from: Values): Values {
  into.set(from as never)
  return into
}

/** Writes the vector as bytes and returns what they have to be multiplied with. */
function quantise(vector: Float32Array, into: Int8Array): number {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] as number))
  const scale = largest / 127
  for (let i = 0; i < vector.length; i++)
    into[i] = scale === 0 ? 0 : Math.round((vector[i] as number) / scale)
  return scale
}

/** The rows with the highest scores: a heap with the lowest of them on top. */
class Best {
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

  /** Best first. */
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
