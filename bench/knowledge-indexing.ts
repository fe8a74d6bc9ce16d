// Passages indexed per second, from the stored file to rows that are found, against the bare embedder on the same texts.
import { hash } from 'node:crypto'
import { miniLmEmbedder } from '../server/src/adapters/embedded/minilm/minilm.ts'
import { minilm } from '../server/src/adapters/embedded/models/catalogue.ts'
import { confinedParser } from '../server/src/adapters/knowledge/parse/confined-parser.ts'
import { openGuard } from '../server/src/platform/guard/guard.ts'
import { newId } from '../server/src/platform/ids.ts'
import type { NamedEmbedder } from '../server/src/ports/embedder.ts'
import { replaceChunks } from '../server/src/resources/knowledge-base/chunk-store.ts'
import { searchable } from '../server/src/resources/knowledge-base/chunks.ts'
import { insertDocument } from '../server/src/resources/knowledge-base/document-store.ts'
import { indexDocument } from '../server/src/resources/knowledge-base/index-document.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { type ManualPage, readManual } from './knowledge/manual.ts'
import { type KnowledgeFixture, openKnowledgeFixture } from './knowledge-fixture.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const rounds = 3
const target = 0.8
const { signal } = new AbortController()
const neverMind = () => {}

/** Pages that make some hundred passages. */
const wanted = ['network-services.html', 'sect.apt-get.html', 'sect.virtualization.html']

async function indexOnce(fixture: KnowledgeFixture, page: ManualPage, embedder: NamedEmbedder) {
  const repositoryId = await fixture.newRepository()
  const documentId = newId()
  const content = Buffer.from(page.html)
  const guard = openGuard({ allowPrivate: false, trustedHosts: [] })
  const shared = { documentId, repositoryId, filename: page.name, mediaType: 'text/html', url: null }
  await fixture.db.atomically(
    insertDocument({
      ...{
        ...shared,
        siteId: null,
        kind: 'file',
        title: page.name,
        hasTitle: true,
        depth: null,
        maxPages: null,
      },
      ...{ content, contentHash: hash('sha256', content, 'buffer') },
    }),
  )
  const begunMs = performance.now()
  const parts = { db: fixture.db, guard, embedder, parser: confinedParser(), limits: { bytes: 1, ms: 1 } }
  const sizes = { chunkSize: 512, chunkOverlap: 128 }
  const document = { ...shared, ...sizes, kind: 'file' as const, depth: null, maxPages: null }
  const indexing = await indexDocument(parts, document, neverMind, signal)
  if (indexing.of !== 'passages') throw new Error(`the page was ${indexing.of}`)
  await fixture.db.transaction((tx) =>
    replaceChunks(tx, { repositoryId, documentId, configuration: 'english' }, indexing.chunks),
  )
  const ms = performance.now() - begunMs
  await guard.close()
  return { ms, texts: indexing.chunks.map(searchable) }
}

async function embedOnce(embedder: NamedEmbedder, texts: readonly string[]): Promise<number> {
  const begunMs = performance.now()
  await embedder.embed(texts)
  return performance.now() - begunMs
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

export async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)
  const pages = absent ? undefined : await readManual(wanted)
  if (!pages) return []
  const { embed, close } = miniLmEmbedder({ folder })
  const embedder = { name: 'all-MiniLM-L6-v2', embed }
  const fixture = await openKnowledgeFixture()
  try {
    await embed(['Hello.'])
    const rates: { ours: number; bare: number }[] = []
    for (let round = 0; round < rounds; round++) {
      let [passages, ourMs, bareMs] = [0, 0, 0]
      for (const page of pages) {
        const { ms, texts } = await indexOnce(fixture, page, embedder)
        passages += texts.length
        ourMs += ms
        bareMs += await embedOnce(embedder, texts)
      }
      rates.push({ ours: (passages * 1_000) / ourMs, bare: (passages * 1_000) / bareMs })
    }
    const ratio = median(rates.map(({ ours, bare }) => ours / bare))
    return [
      {
        claim: 'passages indexed per second: parsed, cut, embedded and stored',
        measured: `${median(rates.map(({ ours }) => ours)).toFixed(1)} a second`,
        yardstick: `the bare embedder ${median(rates.map(({ bare }) => bare)).toFixed(1)} a second`,
        ratio: ratio.toFixed(2),
        target: `≥ ${target}`,
        verdict: verdict(ratio >= target),
      },
    ]
  } finally {
    await fixture.close()
    await close()
  }
}

await printIfMain(import.meta.url, measure)
