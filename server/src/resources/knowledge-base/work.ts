// What processes do for the knowledge base: they search it for calls, and index its documents.
import { SettingError } from '../../platform/config.ts'
import { openUserGuard } from '../../platform/guard/guard.ts'
import type { Infrastructure } from '../../platform/infrastructure.ts'
import { type Jobs, startSweep } from '../../platform/jobs/jobs.ts'
import type { DocumentParser } from '../../ports/document-parser.ts'
import type { NamedEmbedder } from '../../ports/embedder.ts'
import type { PassageIndex } from '../../ports/knowledge.ts'
import { indexAgainWith, indexingJob, seedingSweep } from './indexing-worker.ts'
import { openKnowledgeSearch } from './search.ts'
import { findExtension } from './vectors/extension.ts'
import { openVectorIndex } from './vectors/vector-index.ts'
import { vectorSweep } from './vectors/vector-upkeep.ts'

export { embeddingKeys } from './embedding-keys.ts'

/** What reads documents and finds passages in them. */
export interface KnowledgeEngines {
  openParser(): DocumentParser
  openIndex(): PassageIndex
  openEmbedder(infrastructure: Infrastructure): NamedEmbedder & { close(): Promise<void> }
}

/** A page or a file at an address: as large as one that is uploaded. */
const fetchLimits = { bytes: 25 * 1024 ** 2, ms: 60_000 }

/** The parts that are opened here start only when they are needed. */
export function openKnowledge(infrastructure: Infrastructure, engines: KnowledgeEngines) {
  const { config, db, log } = infrastructure
  const guard = openUserGuard(config)
  // Not shared with indexing: a caller's question must not wait for passages that are embedded.
  const embedder = engines.openEmbedder(infrastructure)
  const memory = engines.openIndex()
  const index =
    config.knowledgeSearch === 'memory'
      ? memory
      : openVectorIndex({ db, log, embedder: embedder.name, memory })
  const search = openKnowledgeSearch({
    db,
    log,
    embedder,
    index,
    memoryBytes: config.knowledgeMemoryBytes,
    idleMs: config.engineIdleMs ?? Number.POSITIVE_INFINITY,
  })
  return {
    search: search.search,
    prepare: search.prepare,
    parser: engines.openParser(),
    /** Users may name private hosts only if the operator trusts them. */
    guard,
    async close(): Promise<void> {
      await Promise.all([search.close(), embedder.close(), guard.close()])
    },
  }
}

export type Knowledge = ReturnType<typeof openKnowledge>

/** The job that indexes documents. What it returns is closed after the jobs have stopped. */
export async function startIndexing(
  infrastructure: Infrastructure,
  jobs: Jobs,
  engines: KnowledgeEngines,
): Promise<{ close(): Promise<void> }> {
  const { config, db, log } = infrastructure
  await mustHaveExtension(infrastructure)
  const guard = openUserGuard(config)
  const embedder = engines.openEmbedder(infrastructure)
  const again = await indexAgainWith(db, embedder.name)
  if (again > 0) log.info({ documents: again, embedder: embedder.name }, 'documents indexed again')
  await jobs.start(indexingJob({ db, guard, embedder, parser: engines.openParser(), limits: fetchLimits }))
  await jobs.sweep(seedingSweep(db))
  const upkeep = config.knowledgeSearch === 'memory' ? undefined : startUpkeep(infrastructure, embedder.name)
  return {
    async close() {
      await Promise.all([upkeep?.close(), embedder.close(), guard.close()])
    },
  }
}

async function mustHaveExtension({ config, db }: Infrastructure): Promise<void> {
  if (config.knowledgeSearch !== 'pgvector') return
  const extension = await findExtension(db)
  if ('missing' in extension)
    throw new SettingError('PARLEY_KNOWLEDGE_SEARCH', `is pgvector. ${extension.missing}`)
}

/** Not one of the jobs, which are waited for when the process stops. */
function startUpkeep({ db, sessions, log }: Infrastructure, embedder: string): { close(): Promise<void> } {
  const ending = new AbortController()
  const loop = startSweep(vectorSweep({ db, sessions, log, embedder, signal: ending.signal }), { log })
  return {
    async close() {
      ending.abort()
      await loop.stop()
    },
  }
}
