// Searches vectors in the database: sql/functions/knowledge-vectors.sql, with the indexes that vector-upkeep.ts makes.
import { createHash } from 'node:crypto'
import { type Queries, statement } from '../../../platform/db/db.ts'

/** Whose vectors can be compared: those of one embedder, which all have the same length. */
export interface VectorKind {
  readonly embedder: string
  readonly dimensions: number
}

// What pgvector can index: 32-bit floats, or with more dimensions 16-bit floats.
const mostDimensions = { vector: 2_000, halfvec: 4_000 } as const

/** Undefined: too many dimensions for an index. */
export const indexedAs = ({ dimensions }: VectorKind): 'vector' | 'halfvec' | undefined =>
  (['vector', 'halfvec'] as const).find((type) => dimensions <= mostDimensions[type])

export const indexNames = 'knowledge_vectors_hnsw_'

/** A name of an embedder has any length and any characters. */
export const indexName = ({ embedder, dimensions }: VectorKind): string =>
  `${indexNames}${createHash('sha256').update(embedder).digest('hex').slice(0, 16)}_${dimensions}`

const valid = statement('SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid')

/** An index is made when everything is in the table; from then on a trigger keeps it so. */
export const isIndexed = async (db: Queries, kind: VectorKind): Promise<boolean> =>
  (await db.row(valid, [indexName(kind)])) !== undefined

const similar = statement('SELECT chunk, similarity FROM similar_passages($1, $2, $3, $4, $5, $6, $7, $8)')

export interface SimilarityQuestion {
  readonly repositoryId: string
  /** How many passages it has. */
  readonly passages: number
  readonly embedder: string
  readonly vector: Float32Array
  readonly most: number
  /** All passages are compared if they have no more numbers than this together; otherwise the index is used. */
  readonly mostCompared: number
  /** Passages whose similarity is wanted too. */
  readonly further: readonly string[]
}

/** By passage. */
export async function similaritiesTo(
  db: Queries,
  { repositoryId, passages, embedder, vector, most, mostCompared, further }: SimilarityQuestion,
): Promise<Map<string, number>> {
  const kind = { embedder, dimensions: vector.length }
  const byIndex = passages * vector.length > mostCompared
  const rows = await db.rows<{ chunk: string; similarity: number }>(similar, [
    ...[repositoryId, embedder, `[${vector.join()}]`, vector.length],
    ...[`${indexedAs(kind)}(${vector.length})`, most, byIndex, further],
  ])
  // A vector of zeros has no direction.
  return new Map(rows.map(({ chunk, similarity }) => [chunk, Number.isNaN(similarity) ? 0 : similarity]))
}
