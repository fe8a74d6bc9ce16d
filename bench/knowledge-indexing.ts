// Passages indexed per second, from the stored file to rows that are found, against the bare embedder on the same texts.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { confinedParser } from '../server/src/engines/knowledge/parse/confined-parser.ts'
import { miniLmEmbedder } from '../server/src/engines/minilm/minilm.ts'
import { minilm } from '../server/src/engines/models/catalogue.ts'
import { openClaimant } from '../server/src/platform/db/claim.ts'
import { openGuard } from '../server/src/platform/guard/guard.ts'
import { Jobs } from '../server/src/platform/jobs/jobs.ts'
import type { NamedEmbedder } from '../server/src/ports/embedder.ts'
import { type Chunk, searchable } from '../server/src/resources/knowledge-base/chunks.ts'
import { insertDocument, newDocument } from '../server/src/resources/knowledge-base/document-store.ts'
import { indexingJob } from '../server/src/resources/knowledge-base/indexing-worker.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { type ManualPage, readManual } from './knowledge/manual.ts'
import { type KnowledgeFixture, openKnowledgeFixture, quiet } from './knowledge-fixture.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const rounds = 3
const target = 0.8

/** Documents of some thirty passages each: one is parsed while another is embedded, the first before anything is embedded. */
const wanted = [
  ...['sect.apparmor.html', 'sect.apt-frontends.html', 'sect.backup.html', 'sect.common-procedures.html'],
  ...['sect.building-first-package.html', 'sect.computer-layers.html', 'sect.config-bootloader.html'],
  ...[
    'sect.dist-upgrade.html',
    'sect.hotplug.html',
    'sect.how-to-migrate.html',
    'sect.rights-management.html',
  ],
  ...['sect.network-diagnosis-tools.html', 'sect.rtc-services.html', 'sect.user-group-databases.html'],
]

/** Indexes by the job of the service, from documents that wait to passages that are found. */
async function indexAll(
  { db, connection, newRepository }: KnowledgeFixture,
  pages: readonly ManualPage[],
  embedder: NamedEmbedder,
): Promise<{ readonly ms: number; readonly texts: readonly string[] }> {
  const repositoryId = await newRepository()
  for (const { name, html } of pages) {
    const content = Buffer.from(html)
    await db.atomically(
      insertDocument(
        newDocument({
          repository_id: repositoryId,
          kind: 'file',
          title: name,
          has_title: true,
          filename: name,
          media_type: 'text/html',
          content,
          content_hash: hash('sha256', content, 'buffer'),
        }),
      ),
    )
  }
  const guard = openGuard({ allowPrivate: false, trustedHosts: [] })
  const claimant = await openClaimant(connection, () => {})
  const jobs = new Jobs({ db, log: quiet, claimant })
  const begunMs = performance.now()
  await jobs.start(
    indexingJob({ db, guard, embedder, parser: confinedParser(), limits: { bytes: 1, ms: 1 } }),
  )
  const waiting = () =>
    db.pool.query('SELECT 1 FROM knowledge_documents WHERE repository_id = $1 AND due_at IS NOT NULL', [
      repositoryId,
    ])
  while (((await waiting()).rowCount ?? 0) > 0) await sleep(10)
  const ms = performance.now() - begunMs
  await jobs.stop()
  await claimant.close()
  await guard.close()
  const { rows } = await db.pool.query<Chunk & { content: string }>(
    'SELECT heading, content FROM knowledge_chunks WHERE repository_id = $1',
    [repositoryId],
  )
  return { ms, texts: rows.map(({ heading, content }) => searchable({ heading, text: content })) }
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
      const { ms, texts } = await indexAll(fixture, pages, embedder)
      const bareMs = await embedOnce(embedder, texts)
      rates.push({ ours: (texts.length * 1_000) / ms, bare: (texts.length * 1_000) / bareMs })
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
