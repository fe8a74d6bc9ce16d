// Repositories and documents put straight into a database, as indexing leaves them: for tests and benchmarks of the search.
import { type Db, statement } from '../../../src/platform/db/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type NewChunk, replaceChunks } from '../../../src/resources/knowledge-base/chunk-store.ts'
import { insertDocument, newDocument } from '../../../src/resources/knowledge-base/document-store.ts'
import { insertRepository } from '../../../src/resources/knowledge-base/repository-store.ts'

export async function addRepository(db: Db, workspaceId: string): Promise<string> {
  const repositoryId = newId()
  const at = new Date()
  await db.atomically([
    insertRepository({
      repository_id: repositoryId,
      workspace_id: workspaceId,
      name: 'Manual',
      description: null,
      language: 'en',
      chunk_size: 512,
      chunk_overlap: 128,
      top_k: 5,
      created_at: at,
      updated_at: at,
    }),
  ])
  return repositoryId
}

export interface IndexedDocument {
  readonly repositoryId: string
  readonly title: string
  readonly chunks: readonly NewChunk[]
  /** The name of the embedder that made their vectors. */
  readonly embedder: string
}

export async function addIndexedDocument(db: Db, document: IndexedDocument): Promise<string> {
  const documentId = newId()
  const { repositoryId, title } = document
  await db.atomically(
    insertDocument(
      newDocument({
        document_id: documentId,
        repository_id: repositoryId,
        kind: 'text',
        title,
        has_title: true,
        media_type: 'text/html',
      }),
    ),
  )
  await replaceDocument(db, documentId, document)
  return documentId
}

const ready = statement(`
  UPDATE knowledge_documents
  SET status = 'ready', due_at = NULL, version = version + 1, chunk_count = $2, embedder = $3 WHERE document_id = $1`)

export const replaceDocument = (
  db: Db,
  documentId: string,
  { repositoryId, chunks, embedder }: Omit<IndexedDocument, 'title'>,
): Promise<void> =>
  db.transaction(async (tx) => {
    await replaceChunks(tx, { repositoryId, documentId, configuration: 'english' }, chunks)
    await tx.rows(ready, [documentId, chunks.length, embedder])
  })
