// The knowledge base of a process: its embedder, its parser, its search, and the indexing of documents.

import { confinedParser } from '../engines/knowledge/parse/confined-parser.ts'
import { openPassageIndex } from '../engines/knowledge/passages/passage-index.ts'
import { miniLmEmbedder } from '../engines/minilm/minilm.ts'
import { type Config, SettingError } from '../platform/config.ts'
import { type Guard, openGuard } from '../platform/guard/guard.ts'
import { type Jobs, startSweep } from '../platform/jobs/jobs.ts'
import type { DocumentParser } from '../ports/document-parser.ts'
import type { NamedEmbedder } from '../ports/embedder.ts'
import { workspaceAccounts } from '../resources/credentials/credentials.ts'
import { indexAgainWith, indexingJob, seedingSweep } from '../resources/knowledge-base/indexing-worker.ts'
import { type KnowledgeSearch, openKnowledgeSearch } from '../resources/knowledge-base/knowledge-base.ts'
import { findExtension } from '../resources/knowledge-base/vectors/extension.ts'
import { openVectorIndex } from '../resources/knowledge-base/vectors/vector-index.ts'
import { vectorSweep } from '../resources/knowledge-base/vectors/vector-sweep.ts'
import { remoteEmbedder } from '../vendors/openai/embeds.ts'
import { embeddingKeys } from './embedding-keys.ts'
import type { Infrastructure } from './infrastructure.ts'

export interface Knowledge extends Pick<KnowledgeSearch, 'search' | 'prepare'> {
  readonly parser: DocumentParser
  /** Users may name private hosts only if the operator trusts them. */
  readonly guard: Guard
  close(): Promise<void>
}

/** A page or a file at an address: as large as one that is uploaded. */
const fetchLimits = { bytes: 25 * 1024 ** 2, ms: 60_000 }

/** Nothing of it starts before it is needed. */
export function openKnowledge(infrastructure: Infrastructure): Knowledge {
  const { config, db, log } = infrastructure
  const guard = guardFor(config)
  // Not shared with indexing: a caller's question must not wait for passages that are embedded.
  const embedder = embedderFor(infrastructure)
  const memory = openPassageIndex()
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
    parser: confinedParser(),
    guard,
    async close() {
      await Promise.all([search.close(), embedder.close(), guard.close()])
    },
  }
}

/** The job that indexes documents. What it returns is closed after the jobs have stopped. */
export async function startIndexing(
  infrastructure: Infrastructure,
  jobs: Jobs,
): Promise<{ close(): Promise<void> }> {
  const { config, db, log } = infrastructure
  await mustHaveExtension(infrastructure)
  const guard = guardFor(config)
  const embedder = embedderFor(infrastructure)
  const again = await indexAgainWith(db, embedder.name)
  if (again > 0) log.info({ documents: again, embedder: embedder.name }, 'documents indexed again')
  await jobs.start(indexingJob({ db, guard, embedder, parser: confinedParser(), limits: fetchLimits }))
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

const guardFor = ({ trustedHosts }: Config): Guard => openGuard({ allowPrivate: false, trustedHosts })

function embedderFor({
  config: { embeddings, modelsDir, engineIdleMs },
  db,
  vault,
}: Infrastructure): NamedEmbedder & { close(): Promise<void> } {
  if (embeddings)
    return remoteEmbedder(embeddings, embeddingKeys(db, workspaceAccounts(db, vault), embeddings.baseUrl))
  const { embed, close } = miniLmEmbedder({ folder: modelsDir, idleMs: engineIdleMs })
  return { name: 'all-MiniLM-L6-v2', embed, close }
}
