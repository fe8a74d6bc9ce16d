// The exact search over bytes, held against the same arithmetic on floats.
import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import type { VectorsOfDocument } from '../../../ports/knowledge.ts'
import { VectorTable } from './vector-table.ts'

/** Reproducible numbers between -1 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

function document(documentId: string, rows: number, dimensions: number, seed: number): VectorsOfDocument {
  const next = numbers(seed)
  const vectors = new Float32Array(rows * dimensions)
  for (let row = 0; row < rows; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions)
    for (let i = 0; i < dimensions; i++) vector[i] = next()
    const length = Math.hypot(...vector)
    for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] as number) / length
  }
  return { documentId, version: 1, chunkIds: Array.from({ length: rows }, () => newId()), vectors }
}

const vectorAt = ({ vectors }: VectorsOfDocument, row: number, dimensions: number) =>
  vectors.subarray(row * dimensions, (row + 1) * dimensions)

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)

describe.each([384, 20, 1_536])('%i dimensions', (dimensions) => {
  const doc = document('a', 300, dimensions, 1)
  const query = vectorAt(document('q', 1, dimensions, 2), 0, dimensions)
  const exact = doc.chunkIds
    .map((chunkId, row) => ({ chunkId, similarity: dot(query, vectorAt(doc, row, dimensions)) }))
    .sort((one, other) => other.similarity - one.similarity)

  it('finds the nearest, with the similarity that floats have', () => {
    const table = new VectorTable(dimensions)
    table.put(doc)
    const found = table.nearest(query, 10)
    expect(found[0]?.chunkId).toBe(exact[0]?.chunkId)
    for (const { chunkId, similarity } of found) {
      const truth = exact.find((one) => one.chunkId === chunkId)?.similarity ?? 9
      expect(Math.abs(similarity - truth)).toBeLessThan(0.01)
    }
    const names = new Set(found.map(({ chunkId }) => chunkId))
    expect(exact.slice(0, 10).filter(({ chunkId }) => names.has(chunkId)).length).toBeGreaterThanOrEqual(9)
  })

  it('also answers for passages that are asked for by name', () => {
    const table = new VectorTable(dimensions)
    table.put(doc)
    const farthest = exact.at(-1)
    const found = table.nearest(query, 2, [farthest?.chunkId ?? '', newId()])
    expect(found).toHaveLength(3)
    expect(found[2]?.chunkId).toBe(farthest?.chunkId)
    expect(found[2]?.similarity).toBeCloseTo(farthest?.similarity ?? 9, 1)
  })
})

describe('documents', () => {
  it('that are removed or replaced are not found, and the others still are', () => {
    const table = new VectorTable(32)
    const docs = [3, 5, 7, 11].map((rows, place) => document(`d${place}`, rows, 32, place + 1))
    for (const doc of docs) table.put(doc)
    table.remove('d1')
    const newer = { ...document('d2', 2, 32, 9), version: 2 }
    table.put(newer)
    const left = [docs[0], newer, docs[3]].flatMap((doc) => doc?.chunkIds ?? [])
    expect(table.rows).toBe(left.length)
    expect(table.versions()).toEqual(
      new Map([
        ['d0', 1],
        ['d2', 2],
        ['d3', 1],
      ]),
    )
    const found = table.nearest(vectorAt(newer, 1, 32), 100)
    expect(new Set(found.map(({ chunkId }) => chunkId))).toEqual(new Set(left))
    expect(found[0]).toMatchObject({ chunkId: newer.chunkIds[1] })
    expect(found[0]?.similarity).toBeCloseTo(1, 2)
  })

  it('in an empty table are none', () => {
    expect(new VectorTable(16).nearest(new Float32Array(16), 5)).toEqual([])
  })
})
