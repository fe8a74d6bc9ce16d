// The same questions with pgvector and without it, over the same passages in the same database.
//
// The database is PGlite: PostgreSQL and pgvector as WebAssembly, with one session. Its times say nothing of a native server,
// which should be faster, and have no target; that both find the same has one.
import { openPassageIndex } from '../../server/src/engines/knowledge/passages/passage-index.ts'
import { newId } from '../../server/src/platform/ids.ts'
import type { NamedEmbedder } from '../../server/src/ports/embedder.ts'
import type { NewChunk } from '../../server/src/resources/knowledge-base/chunk-store.ts'
import { type Chunk, searchable } from '../../server/src/resources/knowledge-base/chunks.ts'
import {
  type KnowledgeSearch,
  openKnowledgeSearch,
} from '../../server/src/resources/knowledge-base/search.ts'
import { findExtension } from '../../server/src/resources/knowledge-base/vectors/extension.ts'
import { openVectorIndex } from '../../server/src/resources/knowledge-base/vectors/vector-index.ts'
import { keepVectors } from '../../server/src/resources/knowledge-base/vectors/vector-upkeep.ts'
import { addIndexedDocument, addRepository } from '../../server/test/props/knowledge/passages-in-database.ts'
import { type DatabaseWithPgvector, openPglite } from '../../server/test/props/knowledge/pglite.ts'
import { quiet } from '../knowledge-fixture.ts'
import { type Row, verdict } from '../row.ts'
import { workspaceId } from '../service-process.ts'
import { percentile, timed } from './timing.ts'

// As many as PGlite indexes in a minute or two.
const passages = 10_000
const perDocument = 500
// Real passages to begin with; the embedder takes a minute for them.
const embedded = 3_000
const rounds = 3
const leastAgreement = 0.95

export async function measurePgvector(
  texts: readonly Chunk[],
  questions: readonly string[],
  embedder: NamedEmbedder,
): Promise<Row[]> {
  const database = await openPglite()
  const { db, connection } = database
  try {
    const repositoryId = await fill(database, texts, embedder)
    const memory = openSearch(database, embedder, 'memory')
    await memory.prepare([repositoryId])
    await findExtension(db)
    const buildMs = await timed(() =>
      keepVectors({ db, sessions: connection, embedder: embedder.name }, new AbortController().signal),
    )
    const pgvector = openSearch(database, embedder, 'pgvector')
    await pgvector.prepare([repositoryId])
    const result = await compare({ memory, pgvector }, repositoryId, questions)
    const bytes = { memory: memory.bytes, pgvector: pgvector.bytes }
    await Promise.all([memory.close(), pgvector.close()])
    return rowsOf(result, bytes, buildMs)
  } finally {
    await database.close()
  }
}

const openSearch = (
  { db }: DatabaseWithPgvector,
  embedder: NamedEmbedder,
  where: 'memory' | 'pgvector',
): KnowledgeSearch => {
  const memory = openPassageIndex()
  const index =
    where === 'memory' ? memory : openVectorIndex({ db, log: quiet, embedder: embedder.name, memory })
  return openKnowledgeSearch({
    db,
    log: quiet,
    embedder,
    index,
    memoryBytes: 1024 ** 3,
    idleMs: 3_600_000,
  })
}

/** Passages of the manual, then mixtures of two: directions at random have no neighbours, and no index finds them. */
async function fill(
  { db }: DatabaseWithPgvector,
  texts: readonly Chunk[],
  embedder: NamedEmbedder,
): Promise<string> {
  const real = texts.slice(0, embedded)
  const vectors: Float32Array[] = []
  for (let from = 0; from < real.length; from += 32)
    vectors.push(...(await embedder.embed(real.slice(from, from + 32).map(searchable))))
  const chunkAt = (place: number): NewChunk => {
    const chunk = real[place % real.length] as Chunk
    const own = vectors[place % real.length] as Float32Array
    const other = vectors[(place * 7_919) % real.length] as Float32Array
    return { ...chunk, chunkId: newId(), vector: place < real.length ? own : mixture(own, other) }
  }
  const repositoryId = await addRepository(db, workspaceId)
  for (let from = 0; from < passages; from += perDocument)
    await addIndexedDocument(db, {
      repositoryId,
      title: `Part ${from}`,
      embedder: embedder.name,
      chunks: Array.from({ length: perDocument }, (_, place) => chunkAt(from + place)),
    })
  return repositoryId
}

function mixture(own: Float32Array, other: Float32Array): Float32Array {
  const sum = own.map((value, i) => 0.7 * value + 0.3 * (other[i] ?? 0))
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

interface Comparison {
  readonly memoryMs: readonly number[]
  readonly pgvectorMs: readonly number[]
  /** How many of the first five of each question both have. */
  readonly same: number
  readonly all: number
}

async function compare(
  { memory, pgvector }: { memory: KnowledgeSearch; pgvector: KnowledgeSearch },
  repositoryId: string,
  questions: readonly string[],
): Promise<Comparison> {
  const [memoryMs, pgvectorMs]: [number[], number[]] = [[], []]
  let same = 0
  let all = 0
  for (let round = 0; round < rounds; round++)
    for (const query of questions) {
      const ask = async (search: KnowledgeSearch, times: number[]): Promise<string[]> => {
        let ids: string[] = []
        const ms = await timed(async () => {
          const found = await search.search({ repositoryIds: [repositoryId], query, topK: 5 })
          ids = found.map(({ chunkId }) => chunkId)
        })
        // The first round compiles and fills caches.
        if (round > 0) times.push(ms)
        return ids
      }
      const exact = await ask(memory, memoryMs)
      const found = new Set(await ask(pgvector, pgvectorMs))
      // Every round finds the same.
      if (round > 0) continue
      same += exact.filter((id) => found.has(id)).length
      all += exact.length
    }
  return { memoryMs, pgvectorMs, same, all }
}

function rowsOf(
  { memoryMs, pgvectorMs, same, all }: Comparison,
  bytes: { memory: number; pgvector: number },
  buildMs: number,
): Row[] {
  const told = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`
  const count = passages.toLocaleString('en')
  const megabytes = (size: number) => `${(size / 1024 ** 2).toFixed(1)} MB`
  return [
    {
      claim: `a question to ${count} passages with pgvector (HNSW), embedding included, in PostgreSQL as WebAssembly (PGlite); not measured on a native server`,
      measured: `${told(pgvectorMs)}; indexed in ${(buildMs / 1_000).toFixed(0)} s; ${megabytes(bytes.pgvector)} in our memory`,
      yardstick: `in memory, over the same database: ${told(memoryMs)}; ${megabytes(bytes.memory)}`,
      ratio: (percentile(pgvectorMs, 0.95) / percentile(memoryMs, 0.95)).toFixed(2),
      target: 'none: p95 ≤ 10 ms is for a native server',
      verdict: 'no target',
    },
    {
      claim: 'the first five passages with pgvector are those of the exact search',
      measured: `${same} of ${all}`,
      yardstick: 'the search in memory',
      ratio: (same / all).toFixed(3),
      target: `≥ ${leastAgreement}`,
      verdict: verdict(same / all >= leastAgreement),
    },
  ]
}
