// How long a question to 100,000 passages takes, without an extension in the database, and what memory words and vectors take.
//
// The yardstick is the same search over a thousand passages, in the same minute: the embedder and the round trips to the
// database without the size. A further pair of rows is about pgvector: knowledge/pgvector-search.ts.
import { miniLmEmbedder } from '../server/src/engines/minilm/minilm.ts'
import { minilm } from '../server/src/engines/models/catalogue.ts'
import { newId } from '../server/src/platform/ids.ts'
import type { NewChunk } from '../server/src/resources/knowledge-base/chunk-store.ts'
import { chunksOf } from '../server/src/resources/knowledge-base/chunks.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { readManual, readQuestions } from './knowledge/manual.ts'
import { measurePgvector } from './knowledge/pgvector-search.ts'
import { percentile, timed } from './knowledge/timing.ts'
import { type KnowledgeFixture, openKnowledgeFixture } from './knowledge-fixture.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const passages = 100_000
const fewPassages = 1_000
const perDocument = 1_000
const dimensions = 384
const targetMs = 30
const rounds = 4

/** Real words, so that the full text has real frequencies; vectors of any direction take as long as real ones. */
function chunksFrom(
  texts: readonly { heading: string | null; text: string }[],
  count: number,
  from: number,
): NewChunk[] {
  return Array.from({ length: count }, (_, place) => {
    const one = texts[(from + place) % texts.length] ?? { heading: null, text: '' }
    const vector = new Float32Array(dimensions).map(() => Math.random() - 0.5)
    const length = Math.hypot(...vector)
    return { ...one, chunkId: newId(), vector: vector.map((value) => value / length) }
  })
}

async function fill(
  fixture: KnowledgeFixture,
  texts: readonly { heading: string | null; text: string }[],
  count: number,
): Promise<string> {
  const repositoryId = await fixture.newRepository()
  for (let from = 0; from < count; from += perDocument)
    await fixture.addDocument(
      repositoryId,
      `Part ${from}`,
      chunksFrom(texts, perDocument, from),
      'all-MiniLM-L6-v2',
    )
  return repositoryId
}

export async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)
  const pages = absent ? undefined : await readManual()
  if (!pages) return []
  const texts = pages.flatMap(({ parsed }) => chunksOf(parsed.blocks, { chunkSize: 512, chunkOverlap: 128 }))
  const questions = (await readQuestions()).answered.map(({ question }) => question)
  const { embed, close } = miniLmEmbedder({ folder })
  const embedder = { name: 'all-MiniLM-L6-v2', embed }
  const fixture = await openKnowledgeFixture()
  try {
    const [large, small] = [await fill(fixture, texts, passages), await fill(fixture, texts, fewPassages)]
    await fixture.db.pool.query('ANALYZE knowledge_chunks')
    const search = fixture.openSearch(embedder)
    const loadMs = await timed(() => search.prepare([large]))
    await search.prepare([small])
    const { bytes } = search
    const times: Record<string, number[]> = { large: [], small: [] }
    for (let round = 0; round < rounds; round++)
      for (const query of questions)
        for (const [name, id] of [
          ['large', large],
          ['small', small],
        ] as const) {
          const ms = await timed(() => search.search({ repositoryIds: [id], query }))
          // The first round compiles and fills caches.
          if (round > 0) times[name]?.push(ms)
        }
    await search.close()
    return [
      ...rowsOf(times.large ?? [], times.small ?? [], { loadMs, bytes }),
      ...(await measurePgvector(texts, questions, embedder)),
    ]
  } finally {
    await fixture.close()
    await close()
  }
}

function rowsOf(
  large: readonly number[],
  small: readonly number[],
  { loadMs, bytes }: { loadMs: number; bytes: number },
): Row[] {
  const p95 = percentile(large, 0.95)
  return [
    {
      claim: `a question to ${passages.toLocaleString('en')} passages, embedding included, no extension`,
      measured: `p50 ${percentile(large, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      yardstick: `to ${fewPassages.toLocaleString('en')} passages p50 ${percentile(small, 0.5).toFixed(1)} ms, p95 ${percentile(small, 0.95).toFixed(1)} ms`,
      ratio: (p95 / percentile(small, 0.95)).toFixed(2),
      target: `p95 ≤ ${targetMs} ms`,
      verdict: verdict(p95 <= targetMs),
    },
    {
      claim: 'memory of their words and vectors',
      measured: `${(bytes / 1024 ** 2).toFixed(0)} MB, loaded in ${(loadMs / 1_000).toFixed(1)} s`,
      yardstick: `${((passages * dimensions * 4) / 1024 ** 2).toFixed(0)} MB for the vectors alone, as floats`,
      ratio: (bytes / (passages * dimensions * 4)).toFixed(2),
      target: '≤ 0.35',
      verdict: verdict(bytes / (passages * dimensions * 4) <= 0.35),
    },
  ]
}

await printIfMain(import.meta.url, measure)
