// Passages in the database: written all at once, found by their words, read by their ids.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Chunk } from './chunks.ts'
import { mostWords, rarePassages, type WeighedWord, type WordCounts } from './text-search.ts'

export interface NewChunk extends Chunk {
  readonly chunkId: string
  /** Undefined: there is no embedder. */
  readonly vector: Float32Array | undefined
}

// The headings count as words of the passage.
const insert = statement(`
  INSERT INTO knowledge_chunks (chunk_id, repository_id, document_id, position, heading, content, words, vector)
  SELECT c.chunk_id, $1, $2, $3 + c.position - 1, c.heading, c.content,
    to_tsvector($4::regconfig, concat_ws(' ', c.heading, c.content)), c.vector
  FROM unnest($5::uuid[], $6::text[], $7::text[], $8::bytea[]) WITH ORDINALITY
    AS c (chunk_id, heading, content, vector, position)`)

const removeOld = statement('DELETE FROM knowledge_chunks WHERE document_id = $1')

// Rows of one statement; large enough to be fast, small enough to hold.
const rowsAtOnce = 500

export async function replaceChunks(
  tx: Queries,
  document: { readonly repositoryId: string; readonly documentId: string; readonly configuration: string },
  chunks: readonly NewChunk[],
): Promise<void> {
  const { repositoryId, documentId, configuration } = document
  await tx.rows(removeOld, [documentId])
  for (let from = 0; from < chunks.length; from += rowsAtOnce) {
    const rows = chunks.slice(from, from + rowsAtOnce)
    await tx.rows(insert, [
      ...[repositoryId, documentId, from, configuration],
      rows.map(({ chunkId }) => chunkId),
      rows.map(({ heading }) => heading),
      rows.map(({ text }) => text),
      rows.map(({ vector }) => vector && bytesOf(vector)),
    ])
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const wordsOf = statement('SELECT tsvector_to_array(to_tsvector($1::regconfig, $2)) AS words')

/** The stems of a question, without the words that every text has. */
export const wordsIn = async (db: Queries, configuration: string, query: string): Promise<string[]> =>
  (await db.row<{ words: string[] }>(wordsOf, [configuration, query]))?.words ?? []

const passageCount = statement(
  'SELECT count(*)::int AS passages FROM knowledge_chunks WHERE repository_id = $1',
)

// ts_stat() takes a query as text; the id is a uuid, which the cast checks.
const counts = statement(`
  SELECT word, ndoc::int AS passages
  FROM ts_stat('SELECT words FROM knowledge_chunks WHERE repository_id = ' || quote_literal($1::uuid::text) || '::uuid')
  WHERE ndoc > $2`)

export async function wordCounts(db: Queries, repositoryId: string): Promise<WordCounts> {
  const [total, rows] = await Promise.all([
    db.row<{ passages: number }>(passageCount, [repositoryId]),
    db.rows<{ word: string; passages: number }>(counts, [repositoryId, rarePassages]),
  ])
  return {
    passages: total?.passages ?? 0,
    common: new Map(rows.map(({ word, passages }) => [word, passages])),
  }
}

// The share of the question's words that a passage has. Terms for words that are not there are 0.
const coverage = (firstParameter: number) =>
  Array.from({ length: mostWords }, (_, place) => {
    const parameter = firstParameter + 2 * place
    return `CASE WHEN c.words @@ $${parameter}::tsquery THEN $${parameter + 1}::float8 ELSE 0 END`
  }).join(' + ')

const byWords = statement(`
  SELECT c.chunk_id, ${coverage(4)} AS coverage FROM knowledge_chunks c
  WHERE c.repository_id = $1 AND c.words @@ $2::tsquery
  ORDER BY coverage DESC, length(c.words), c.chunk_id LIMIT $3`)

const byIds = statement(`
  SELECT c.chunk_id, c.document_id, d.title, c.heading, c.content, ${coverage(2)} AS coverage
  FROM knowledge_chunks c JOIN knowledge_documents d USING (document_id)
  WHERE c.chunk_id = ANY($1::uuid[])`)

export interface FoundChunk {
  chunk_id: string
  document_id: string
  title: string
  heading: string | null
  content: string
  /** From 0 to 1. */
  coverage: number
}

const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const parametersOf = (words: readonly WeighedWord[]): unknown[] =>
  Array.from({ length: mostWords }, (_, place) => {
    const one = words[place]
    return one ? [quoted(one.word), one.weight] : [null, 0]
  }).flat()

/** Passages that have one of `lookup`, those with most of `words` first. */
export async function chunksByWords(
  db: Queries,
  repositoryId: string,
  words: readonly WeighedWord[],
  lookup: readonly WeighedWord[],
  most: number,
): Promise<{ chunk_id: string; coverage: number }[]> {
  if (lookup.length === 0) return []
  const query = lookup.map(({ word }) => quoted(word)).join(' | ')
  return db.rows(byWords, [repositoryId, query, most, ...parametersOf(words)])
}

export const chunksById = (db: Queries, ids: readonly string[], words: readonly WeighedWord[]) =>
  db.rows<FoundChunk>(byIds, [ids, ...parametersOf(words)])

const versions = statement(`
  SELECT document_id, version, chunk_count FROM knowledge_documents
  WHERE repository_id = $1 AND chunk_count > 0 AND embedder = $2`)

const vectors = statement(`
  SELECT document_id, chunk_id, vector FROM knowledge_chunks WHERE document_id = ANY($1::uuid[]) AND vector IS NOT NULL`)

export interface DocumentVersion {
  document_id: string
  version: number
  chunk_count: number
}

/** Of the documents with vectors of this embedder. */
export const documentVersions = (db: Queries, repositoryId: string, embedder: string) =>
  db.rows<DocumentVersion>(versions, [repositoryId, embedder])

export const vectorsOf = (db: Queries, documentIds: readonly string[]) =>
  db.rows<{ document_id: string; chunk_id: string; vector: Buffer }>(vectors, [documentIds])
