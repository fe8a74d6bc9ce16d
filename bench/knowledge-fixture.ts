// A database with repositories of passages, for the benchmarks of the knowledge base.
import { openPassageIndex } from '../server/src/engines/knowledge/passages/passage-index.ts'
import { type Connection, type Db, openDb } from '../server/src/platform/db/db.ts'
import { startEmbeddedPostgres } from '../server/src/platform/db/embedded-postgres.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import type { NamedEmbedder } from '../server/src/ports/embedder.ts'
import type { NewChunk } from '../server/src/resources/knowledge-base/chunk-store.ts'
import {
  type KnowledgeSearchOptions,
  openKnowledgeSearch,
} from '../server/src/resources/knowledge-base/search.ts'
import { addIndexedDocument, addRepository } from '../server/test/props/knowledge/passages-in-database.ts'
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
    newRepository: () => addRepository(db, workspaceId),
    addDocument: (repositoryId, title, chunks, embedder) =>
      addIndexedDocument(db, { repositoryId, title, chunks, embedder }),
    openSearch: (embedder, by) =>
      openKnowledgeSearch({
        db,
        embedder,
        index: openPassageIndex(),
        log: quiet,
        memoryBytes: 1024 ** 3,
        idleMs: 3_600_000,
        ...(by && { by }),
      }),
    async close() {
      await db.close()
      await postgres.stop()
      await home.remove()
    },
  }
}
