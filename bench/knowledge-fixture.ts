// A database with repositories of passages, for the benchmarks of the knowledge base.
import { openPassageIndex } from '../server/src/adapters/knowledge/passages/passage-index.ts'
import { type Connection, type Db, openDb } from '../server/src/platform/db/db.ts'
import { startEmbeddedPostgres } from '../server/src/platform/db/embedded-postgres.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { newId } from '../server/src/platform/ids.ts'
import type { NamedEmbedder } from '../server/src/ports/embedder.ts'
import { type NewChunk, replaceChunks } from '../server/src/resources/knowledge-base/chunk-store.ts'
import { insertDocument } from '../server/src/resources/knowledge-base/document-store.ts'
import { insertRepository } from '../server/src/resources/knowledge-base/repository-store.ts'
import {
  type KnowledgeSearchOptions,
  openKnowledgeSearch,
} from '../server/src/resources/knowledge-base/search.ts'
import { makeHome, workspaceId } from './service-process.ts'

export interface KnowledgeFixture {
  readonly db: Db
  readonly connection: Connection
  newRepository(): Promise<string>
  addDocument(
    repositoryId: string,
    title: string,
    chunks: readonly NewChunk[],
    embedder: string,
  ): Promise<string>
  openSearch(
    embedder: NamedEmbedder,
    by?: KnowledgeSearchOptions['by'],
  ): ReturnType<typeof openKnowledgeSearch>
  close(): Promise<void>
}

export const quiet = {
  debug() {},
  info() {},
  warn() {},
  error() {},
} as unknown as KnowledgeSearchOptions['log']

export async function openKnowledgeFixture(): Promise<KnowledgeFixture> {
  const home = await makeHome()
  const postgres = await startEmbeddedPostgres(home.dataDir)
  await migrate(postgres.connection)
  const db = openDb(postgres.connection, 4, () => {})
  return {
    db,
    connection: postgres.connection,
    async newRepository() {
      const repositoryId = newId()
      const at = new Date()
      await db.atomically([
        insertRepository({
          ...{ repository_id: repositoryId, workspace_id: workspaceId, name: 'Manual', description: null },
          ...{
            language: 'en',
            chunk_size: 512,
            chunk_overlap: 128,
            top_k: 5,
            created_at: at,
            updated_at: at,
          },
        }),
      ])
      return repositoryId
    },
    async addDocument(repositoryId, title, chunks, embedder) {
      const documentId = newId()
      await db.atomically(
        insertDocument({
          ...{ documentId, repositoryId, siteId: null, kind: 'text', title, hasTitle: true, filename: null },
          ...{
            mediaType: 'text/html',
            url: null,
            depth: null,
            maxPages: null,
            content: null,
            contentHash: null,
          },
        }),
      )
      await db.transaction(async (tx) => {
        await replaceChunks(tx, { repositoryId, documentId, configuration: 'english' }, chunks)
        await tx.rows(
          {
            name: 'bench-ready',
            text: `UPDATE knowledge_documents SET status = 'ready', due_at = NULL, version = 1, chunk_count = $2, embedder = $3
                   WHERE document_id = $1`,
          },
          [documentId, chunks.length, embedder],
        )
      })
      return documentId
    },
    openSearch: (embedder, by) =>
      openKnowledgeSearch({
        ...{ db, embedder, index: openPassageIndex(), log: quiet },
        ...{ memoryBytes: 1024 ** 3, idleMs: 3_600_000, ...(by && { by }) },
      }),
    async close() {
      await db.close()
      await postgres.stop()
      await home.remove()
    },
  }
}
