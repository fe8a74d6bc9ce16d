// The exact search over bytes and words, held against the same arithmetic on floats.
import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import type { FoundPassage, PassagesOfDocument } from '../../../ports/knowledge.ts'
import { PassageTable } from './passage-table.ts'

/** Reproducible numbers between -1 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

type Document = PassagesOfDocument & { readonly vectors: Float32Array<ArrayBuffer> }

/** Every passage has a word of its own, `row7`, and one that is rarer the later it comes in the alphabet. */
function document(documentId: string, rows: number, dimensions: number, seed: number): Document {
  const next = numbers(seed)
  const vectors = new Float32Array(rows * dimensions)
  for (let row = 0; row < rows; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions)
    for (let i = 0; i < dimensions; i++) vector[i] = next()
    const length = Math.hypot(...vector)
    for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] as number) / length
  }
  const chunkIds = Array.from({ length: rows }, () => newId())
  const words = chunkIds.map((_, row) =>
    ['common', ...(row % 2 === 0 ? ['half'] : []), `${documentId}-row${row}`].join('\n'),
  )
  return { documentId, chunkIds, words, vectors }
}

const vectorAt = ({ vectors }: Document, row: number, dimensions: number) =>
  vectors.subarray(row * dimensions, (row + 1) * dimensions)

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)

const byMeaning = (one: FoundPassage, other: FoundPassage) => (other.similarity ?? 0) - (one.similarity ?? 0)
const byWords = (one: FoundPassage, other: FoundPassage) => other.coverage - one.coverage

describe.each([384, 20, 1_536])('%i dimensions', (dimensions) => {
  const doc = document('a', 300, dimensions, 1)
  const vector = vectorAt(document('q', 1, dimensions, 2), 0, dimensions)
  const exact = doc.chunkIds
    .map((chunkId, row) => ({ chunkId, similarity: dot(vector, vectorAt(doc, row, dimensions)) }))
    .sort((one, other) => other.similarity - one.similarity)
  const table = new PassageTable(dimensions)
  table.put(doc)

  it('finds the nearest, with the similarity that floats have', () => {
    const found = table.find({ vector, words: [], most: 10 }).sort(byMeaning)
    expect(found[0]?.chunkId).toBe(exact[0]?.chunkId)
    for (const { chunkId, similarity } of found) {
      const truth = exact.find((one) => one.chunkId === chunkId)?.similarity ?? 9
      expect(Math.abs((similarity ?? 0) - truth)).toBeLessThan(0.01)
    }
    const names = new Set(found.map(({ chunkId }) => chunkId))
    expect(exact.slice(0, 10).filter(({ chunkId }) => names.has(chunkId)).length).toBeGreaterThanOrEqual(9)
  })

  it('knows how near a passage is that was found by its words', () => {
    const farthest = exact.at(-1)
    const row = doc.chunkIds.indexOf(farthest?.chunkId ?? '')
    const found = table.find({ vector, words: [`a-row${row}`], most: 2 })
    const named = found.find(({ chunkId }) => chunkId === farthest?.chunkId)
    expect(found).toHaveLength(3)
    expect(named?.coverage).toBeCloseTo(1, 5)
    expect(named?.similarity).toBeCloseTo(farthest?.similarity ?? 9, 1)
  })

  it('tells both signs of passages that are asked for by their ids', () => {
    const [odd = '', even = ''] = [doc.chunkIds[151], doc.chunkIds[200]]
    const found = table.find({ vector, words: ['half'], most: 0, further: [odd, even, newId()] })
    expect(found.map(({ chunkId }) => chunkId)).toEqual([odd, even])
    expect(found.map(({ coverage }) => coverage)).toEqual([0, 1])
    for (const { chunkId, similarity } of found)
      expect(similarity).toBeCloseTo(exact.find((one) => one.chunkId === chunkId)?.similarity ?? 9, 1)
  })
})

describe('words', () => {
  const table = new PassageTable(0)
  const { vectors, ...wordsOnly } = document('a', 100, 4, 1)
  table.put({ ...wordsOnly, vectors: undefined })

  it('count more the rarer they are, and all of them are the whole', () => {
    const found = table.find({
      vector: vectors.subarray(0, 4),
      words: ['common', 'half', 'a-row4'],
      most: 100,
    })
    const coverageOf = (row: number) =>
      found.find(({ chunkId }) => chunkId === wordsOnly.chunkIds[row])?.coverage ?? 0
    expect(found).toHaveLength(100)
    expect(coverageOf(4)).toBeCloseTo(1, 5)
    expect(coverageOf(2)).toBeGreaterThan(coverageOf(3))
    expect(coverageOf(4) - coverageOf(2)).toBeGreaterThan(coverageOf(2))
    expect(found.every(({ similarity }) => similarity === undefined)).toBe(true)
  })

  it('that no passage has find nothing', () => {
    expect(table.find({ vector: undefined, words: ['absent'], most: 5 })).toEqual([])
  })

  it('prefer the shorter of two passages that have the same of them', () => {
    const [first] = table.find({ vector: undefined, words: ['common'], most: 1 })
    // Those with odd numbers have one word less.
    expect(wordsOnly.chunkIds.indexOf(first?.chunkId ?? '') % 2).toBe(1)
  })
})

describe('documents', () => {
  const words = ['common', 'half']

  it('that are removed or replaced are not found, and the others still are', () => {
    const table = new PassageTable(32)
    const docs = [3, 50, 7, 11].map((rows, place) => document(`d${place}`, rows, 32, place + 1))
    for (const doc of docs) table.put(doc)
    const newer = document('d2', 2, 32, 9)
    for (const change of [() => table.remove('d1'), () => table.put(newer), () => table.remove('d9')])
      change()
    const left = [docs[0], newer, docs[3]].flatMap((doc) => doc?.chunkIds ?? [])
    expect(table.passages).toBe(left.length)
    const vector = vectorAt(newer, 1, 32)
    const found = table.find({ vector, words, most: 100 })
    expect(new Set(found.map(({ chunkId }) => chunkId))).toEqual(new Set(left))
    const [nearest] = found.sort(byMeaning)
    expect(nearest).toMatchObject({ chunkId: newer.chunkIds[1] })
    expect(nearest?.similarity).toBeCloseTo(1, 2)
    const [named] = table.find({ vector: undefined, words: ['d3-row7'], most: 5 }).sort(byWords)
    expect(named?.chunkId).toBe(docs[3]?.chunkIds[7])
    expect(table.find({ vector: undefined, words: ['d1-row7'], most: 5 })).toEqual([])
  })

  it('that are removed do not make their words more frequent', () => {
    const [kept, gone] = [document('a', 90, 4, 1), document('b', 12, 4, 2)]
    const [before, after] = [new PassageTable(4), new PassageTable(4)]
    before.put(kept)
    for (const change of [() => after.put(gone), () => after.put(kept), () => after.remove('b')]) change()
    const question = { vector: undefined, words: ['half', 'a-row5'], most: 100 }
    const byId = (one: FoundPassage, other: FoundPassage) => one.chunkId.localeCompare(other.chunkId)
    expect(after.find(question).sort(byId)).toEqual(before.find(question).sort(byId))
  })

  it('in an empty table are none', () => {
    expect(new PassageTable(16).find({ vector: new Float32Array(16), words, most: 5 })).toEqual([])
  })
})
