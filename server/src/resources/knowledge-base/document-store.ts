// Documents in the database: what was given, and how far their indexing is.

import type { DocumentStatus, KnowledgeDocument, PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import { newId } from '../../platform/ids.ts'

export type DocumentKind = KnowledgeDocument['kind']

export interface DocumentRow {
  document_id: string
  repository_id: string
  site_id: string | null
  kind: DocumentKind
  title: string
  filename: string | null
  media_type: string | null
  url: string | null
  bytes: number | null
  duplicate_of: string | null
  status: DocumentStatus
  done: number
  total: number | null
  error: string | null
  chunk_count: number
  created_at: Date
  indexed_at: Date | null
}

export interface NewDocumentRow extends DocumentRow {
  has_title: boolean
  depth: number | null
  max_pages: number | null
  content: Buffer | null
  content_hash: Buffer | null
}

type GivenFields = 'repository_id' | 'kind' | 'title' | 'has_title'

/** A document that waits to be indexed. */
export const newDocument = (
  given: Pick<NewDocumentRow, GivenFields> & Partial<NewDocumentRow>,
): NewDocumentRow => ({
  document_id: newId(),
  site_id: null,
  filename: null,
  media_type: null,
  url: null,
  depth: null,
  max_pages: null,
  content: null,
  content_hash: null,
  bytes: given.content?.length ?? null,
  duplicate_of: null,
  status: 'queued',
  done: 0,
  total: null,
  error: null,
  chunk_count: 0,
  created_at: new Date(),
  indexed_at: null,
  ...given,
})

const columns = `document_id, repository_id, site_id, kind, title, filename, media_type, url, bytes, duplicate_of, status,
  done, total, error, chunk_count, created_at, indexed_at`

// A page that its site has already is not added again.
const insert = statement(`
  INSERT INTO knowledge_documents (document_id, repository_id, site_id, kind, title, has_title, filename, media_type, url,
    depth, max_pages, bytes, content_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  ON CONFLICT (site_id, url) WHERE site_id IS NOT NULL DO NOTHING RETURNING document_id`)

const insertContent = statement('INSERT INTO knowledge_contents (document_id, content) VALUES ($1, $2)')

const select = statement(`
  SELECT ${columns} FROM knowledge_documents WHERE document_id = $1 AND repository_id = $2`)

const same = statement(`
  SELECT ${columns} FROM knowledge_documents
  WHERE repository_id = $1 AND content_hash = $2 AND duplicate_of IS NULL AND site_id IS NULL AND status <> 'failed'
  ORDER BY created_at, document_id LIMIT 1`)

const page = listStatements(
  columns,
  'knowledge_documents WHERE repository_id = $1 AND ($2::text IS NULL OR status = $2)',
  'created_at DESC, document_id DESC',
  2,
)

const again = `UPDATE knowledge_documents SET due_at = now(), revision = revision + 1, tries = 0,
  status = CASE WHEN claimed_by IS NULL THEN 'queued' ELSE status END, error = NULL`

// A document with an address is read from there again.
const requeue = statement(`
  WITH forgotten AS (
    DELETE FROM knowledge_contents c USING knowledge_documents d
    WHERE c.document_id = $1 AND d.document_id = $1 AND d.repository_id = $2 AND d.url IS NOT NULL)
  ${again} WHERE document_id = $1 AND repository_id = $2 RETURNING ${columns}`)

const requeueAll = statement(`${again} WHERE repository_id = $1 AND kind <> 'site'`)

const remove = statement(
  'DELETE FROM knowledge_documents WHERE document_id = $1 AND repository_id = $2 RETURNING document_id',
)

// A page that its site has, and that was read with it once more.
const refresh = statement(`
  WITH changed AS (
    ${again}, content_hash = $3, bytes = octet_length($4::bytea)
    WHERE site_id = $1 AND url = $2 AND (content_hash IS DISTINCT FROM $3 OR status = 'failed') RETURNING document_id)
  INSERT INTO knowledge_contents (document_id, content) SELECT document_id, $4 FROM changed
  ON CONFLICT (document_id) DO UPDATE SET content = excluded.content`)

// A page that a sitemap lists is read again by its own job.
const readAgain = statement(`
  WITH listed AS (${again} WHERE site_id = $1 AND url = $2 RETURNING document_id)
  DELETE FROM knowledge_contents WHERE document_id IN (SELECT document_id FROM listed)`)

// Vectors of another embedder cannot be compared with ours.
const outdated = statement(`
  ${again} WHERE due_at IS NULL AND status = 'ready' AND chunk_count > 0 AND embedder IS DISTINCT FROM $1
  RETURNING document_id`)

const valuesOf = (row: NewDocumentRow) => [
  ...[row.document_id, row.repository_id, row.site_id, row.kind, row.title, row.has_title, row.filename],
  ...[row.media_type, row.url, row.depth, row.max_pages, row.bytes, row.content_hash],
]

export const insertDocument = (row: NewDocumentRow): Write[] => [
  { statement: insert, values: valuesOf(row) },
  ...(row.content ? [{ statement: insertContent, values: [row.document_id, row.content] }] : []),
]

/** A page of a site, which was found by its worker: it is new, or brought up to date. */
export async function putPage(tx: Queries, row: NewDocumentRow): Promise<void> {
  const { document_id, site_id, url, content, content_hash } = row
  const added = await tx.row(insert, valuesOf(row))
  if (added && content) await tx.rows(insertContent, [document_id, content])
  else if (!added && content) await tx.rows(refresh, [site_id, url, content_hash, content])
  else if (!added) await tx.rows(readAgain, [site_id, url])
}

export const findDocument = (db: Queries, repositoryId: string, documentId: string) =>
  db.row<DocumentRow>(select, [documentId, repositoryId])

/** The document of the repository that has this content. */
export const findSame = (db: Queries, repositoryId: string, contentHash: Buffer) =>
  db.row<DocumentRow>(same, [repositoryId, contentHash])

export const pageOfDocuments = (
  db: Queries,
  repositoryId: string,
  status: DocumentStatus | undefined,
  query: PageQuery,
) => readPage<DocumentRow>(db, page, [repositoryId, status ?? null], query)

export const requeueDocument = (db: Queries, repositoryId: string, documentId: string) =>
  db.row<DocumentRow>(requeue, [documentId, repositoryId])

export const requeueDocuments = (tx: Queries, repositoryId: string) => tx.rows(requeueAll, [repositoryId])

export const removeDocument = async (
  db: Queries,
  repositoryId: string,
  documentId: string,
): Promise<boolean> => (await db.row(remove, [documentId, repositoryId])) !== undefined

/** Queues documents that another embedder has made the vectors of; how many. */
export const requeueOutdated = async (db: Queries, embedder: string): Promise<number> =>
  (await db.rows(outdated, [embedder])).length
