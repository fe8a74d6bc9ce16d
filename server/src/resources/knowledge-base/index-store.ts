// What the indexing of documents reads and writes: their content, their progress and their passages.
import { type Db, type Queries, statement } from '../../platform/db/db.ts'
import type { JobTable, SettledRow } from '../../platform/jobs/job.ts'
import { replaceChunks } from './chunk-store.ts'
import type { DocumentKind } from './document-store.ts'
import type { IndexingResult } from './indexing.ts'
import { activateSeeded } from './seeding.ts'
import { configurationOf } from './text-search.ts'

export interface ClaimedDocument {
  repository_id: string
  kind: DocumentKind
  filename: string | null
  media_type: string | null
  url: string | null
  depth: number | null
  max_pages: number | null
  revision: number
  chunk_size: number
  chunk_overlap: number
}

// A document that was attempted before may be what killed its process: only one such is in progress at a time.
export const documentsTable: JobTable = {
  table: 'knowledge_documents',
  id: 'document_id',
  lane: 'repository_id',
  tenant: (lane) => `SELECT r.workspace_id FROM knowledge_repositories r WHERE r.repository_id = ${lane}`,
  waiting: 'due_at IS NOT NULL',
  turns: 'fewest-first',
  triesColumn: 'tries',
  suspectsAlone: true,
  onClaim: "status = 'processing', done = 0, total = NULL",
  onRelease: "status = 'queued'",
  returning: 'd.repository_id, d.kind, d.filename, d.media_type, d.url, d.depth, d.max_pages, d.revision',
  joined: {
    columns: 'r.chunk_size, r.chunk_overlap',
    from: 'JOIN knowledge_repositories r ON r.repository_id = c.repository_id',
  },
}

const selectContent = statement('SELECT content FROM knowledge_contents WHERE document_id = $1')

export const documentContent = async (db: Queries, documentId: string): Promise<Buffer | undefined> =>
  (await db.row<{ content: Buffer }>(selectContent, [documentId]))?.content

const duplicate = statement(`
  SELECT 1 FROM knowledge_documents
  WHERE repository_id = $1 AND content_hash = $3 AND document_id <> $2 AND duplicate_of IS NULL AND version > 0 LIMIT 1`)

/** There is another document of the repository with this content. */
export const isDuplicate = async (
  db: Queries,
  { repositoryId, documentId }: { readonly repositoryId: string; readonly documentId: string },
  contentHash: Buffer,
): Promise<boolean> => (await db.row(duplicate, [repositoryId, documentId, contentHash])) !== undefined

const progress = statement(`
  UPDATE knowledge_documents d SET done = p.done, total = p.total
  FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[]) AS p (document_id, claimant_id, done, total)
  WHERE d.document_id = p.document_id AND d.claimed_by = p.claimant_id
  RETURNING d.document_id`)

export interface IndexingProgress {
  readonly documentId: string
  readonly claimantId: number
  readonly done: number
  readonly total: number | null
}

/** Returns those that are still claimed. */
export async function reportIndexing(db: Queries, all: readonly IndexingProgress[]): Promise<Set<string>> {
  const rows = await db.rows<{ document_id: string }>(progress, [
    all.map(({ documentId }) => documentId),
    all.map(({ claimantId }) => claimantId),
    all.map(({ done }) => done),
    all.map(({ total }) => total),
  ])
  return new Set(rows.map(({ document_id }) => document_id))
}

// The repository is locked before its documents, in the order of every process that changes both. So of two documents
// with one content that are indexed at the same time, the second to end is the duplicate.
const lockRepository = statement(`
  SELECT 1 FROM knowledge_repositories
  WHERE repository_id = (SELECT repository_id FROM knowledge_documents WHERE document_id = $1) FOR NO KEY UPDATE`)

const original = statement(`
  SELECT o.document_id FROM knowledge_documents d JOIN knowledge_documents o USING (repository_id, content_hash)
  WHERE d.document_id = $1 AND d.kind = 'page' AND o.document_id <> $1 AND o.duplicate_of IS NULL AND o.version > 0
  ORDER BY o.created_at, o.document_id LIMIT 1`)

// Locks the row: a result counts only while its claim holds. What was asked for meanwhile comes next.
const lock = statement(`
  SELECT d.repository_id, r.language FROM knowledge_documents d JOIN knowledge_repositories r USING (repository_id)
  WHERE d.document_id = $1 AND d.claimed_by = $2 FOR NO KEY UPDATE OF d`)

const ended = (columns: string, status: string) => `
  UPDATE knowledge_documents SET ${columns}, claimed_by = NULL, tries = 0,
    due_at = CASE WHEN revision = coalesce($2, revision) THEN NULL ELSE now() END,
    status = CASE WHEN revision = coalesce($2, revision) THEN '${status}' ELSE 'queued' END
  WHERE document_id = $1`

const setReady = statement(
  ended(
    `title = CASE WHEN has_title THEN title ELSE coalesce($3, title) END, media_type = $4, chunk_count = $5, done = $5,
    total = $5, embedder = $6, version = version + 1, error = NULL, indexed_at = now(), duplicate_of = NULL`,
    'ready',
  ),
)

const setDuplicate = statement(
  ended(
    'duplicate_of = $3, chunk_count = 0, done = 0, total = 0, version = version + 1, error = NULL',
    'ready',
  ),
)

const setSite = statement(
  ended(
    "kind = 'site', done = $3, total = $3, version = version + 1, error = NULL, indexed_at = now()",
    'ready',
  ),
)

// The document is queued again if the one that it duplicated is gone or has changed.
const setQueued = statement(`
  UPDATE knowledge_documents SET claimed_by = NULL, tries = 0, due_at = now(), status = 'queued' WHERE document_id = $1`)

const setFailed = statement(ended('error = $3', 'failed'))

const keepContent = statement(`
  WITH known AS (
    UPDATE knowledge_documents SET content_hash = $3, bytes = octet_length($2::bytea) WHERE document_id = $1)
  INSERT INTO knowledge_contents (document_id, content) VALUES ($1, $2)
  ON CONFLICT (document_id) DO UPDATE SET content = excluded.content`)

const removePages = statement('DELETE FROM knowledge_documents WHERE site_id = $1 AND url <> ALL($2::text[])')

export interface IndexingEnd {
  /** The revision that this is the result of; null: whichever there is. */
  readonly revision: number | null
  readonly indexing: IndexingResult
}

/** The new passages take the place of the old ones in one transaction. */
export async function endDocuments(db: Db, settled: readonly SettledRow<IndexingEnd>[]): Promise<void> {
  for (const { id, claimantId, result } of settled)
    await db.transaction(async (tx) => {
      await tx.rows(lockRepository, [id])
      const held = await tx.row<{ repository_id: string; language: string }>(lock, [id, claimantId])
      if (held) await endDocument(tx, id, result, held)
    })
  await activateSeeded(db)
}

async function endDocument(
  tx: Queries,
  documentId: string,
  { revision, indexing }: IndexingEnd,
  { repository_id: repositoryId, language }: { repository_id: string; language: string },
): Promise<void> {
  if ('read' in indexing && indexing.read)
    await tx.rows(keepContent, [documentId, indexing.read.content, indexing.read.contentHash])
  switch (indexing.of) {
    case 'passages':
    case 'duplicate': {
      const other = await tx.row<{ document_id: string }>(original, [documentId])
      if (other) {
        await replaceChunks(tx, { repositoryId, documentId, configuration: 'simple' }, [])
        await tx.rows(setDuplicate, [documentId, revision, other.document_id])
        return
      }
      if (indexing.of === 'duplicate') return void (await tx.rows(setQueued, [documentId]))
      const { chunks, title, mediaType, embedder } = indexing
      await replaceChunks(tx, { repositoryId, documentId, configuration: configurationOf(language) }, chunks)
      await tx.rows(setReady, [documentId, revision, title, mediaType, chunks.length, embedder])
      return
    }
    case 'site':
      await tx.rows(removePages, [documentId, indexing.urls])
      await tx.rows(setSite, [documentId, revision, indexing.urls.length])
      return
    case 'failed':
      await tx.rows(setFailed, [documentId, revision, indexing.error])
  }
}
