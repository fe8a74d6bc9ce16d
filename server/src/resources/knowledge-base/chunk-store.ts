// Passages in the database: written all at once, read by their documents, by their ids and by the calls they were
// used in.
import type { CallPassage } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Chunk } from './chunks.ts'

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

const byIds = statement(`
  SELECT c.chunk_id, c.document_id, d.title, c.heading, c.content
  FROM knowledge_chunks c JOIN knowledge_documents d USING (document_id)
  WHERE c.chunk_id = ANY($1::uuid[])`)

export interface StoredChunk {
  chunk_id: string
  document_id: string
  title: string
  heading: string | null
  content: string
}

export const chunksById = (db: Queries, ids: readonly string[]) => db.rows<StoredChunk>(byIds, [ids])

const versions = statement(`
  SELECT document_id, version, chunk_count, embedder IS NOT DISTINCT FROM $2 AS has_vectors
  FROM knowledge_documents WHERE repository_id = $1 AND chunk_count > 0`)

const passages = statement(`
  SELECT document_id, chunk_id, array_to_string(tsvector_to_array(words), E'\\n') AS words,
    CASE WHEN $2 THEN vector END AS vector
  FROM knowledge_chunks WHERE document_id = ANY($1::uuid[])`)

export interface DocumentVersion {
  document_id: string
  version: number
  chunk_count: number
  /** Whether it has vectors of this embedder; those of another cannot be compared with the question's. */
  has_vectors: boolean
}

export const documentVersions = (db: Queries, repositoryId: string, embedder: string) =>
  db.rows<DocumentVersion>(versions, [repositoryId, embedder])

/** The words of their passages, and the vectors if they are wanted. */
export const passagesOf = (db: Queries, documentIds: readonly string[], withVectors: boolean) =>
  db.rows<{ document_id: string; chunk_id: string; words: string; vector: Buffer | null }>(passages, [
    documentIds,
    withVectors,
  ])

// Passages of other workspaces are not shown, whatever a record says.
const ofCall = statement(`
  SELECT coalesce((
    SELECT json_agg(json_build_object('chunk_id', c.chunk_id, 'document_id', c.document_id,
      'repository_id', c.repository_id, 'title', d.title, 'heading', c.heading, 'text', c.content))
    FROM knowledge_chunks c JOIN knowledge_documents d USING (document_id)
      JOIN knowledge_repositories r ON r.repository_id = c.repository_id
    WHERE r.workspace_id = k.workspace_id AND c.chunk_id IN (
      SELECT (source.value ->> 'chunk_id')::uuid
      FROM json_array_elements(CASE json_typeof(k.transcript) WHEN 'array' THEN k.transcript END) AS said,
        json_array_elements(said.value -> 'sources') AS source
      LIMIT 1000)
  ), '[]') AS passages
  FROM calls k WHERE k.workspace_id = $1 AND k.session_id = $2`)

/** Undefined: there is no such call. */
export const chunksOfCall = (db: Queries, workspaceId: string, sessionId: string) =>
  db.row<{ passages: CallPassage[] }>(ofCall, [workspaceId, sessionId])
