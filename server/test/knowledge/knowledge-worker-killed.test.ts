// A process that indexes documents is killed in the middle: another takes them up, and no passage is there twice.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddingServer, openEmbeddingServer } from '../props/servers/embedding-server.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'

let embeddings: EmbeddingServer
let service: TestService
let dataDir: string
const workers: RunningProcess[] = []

beforeAll(async () => {
  embeddings = await openEmbeddingServer()
  service = await openService({ ...embedderSettings(), PARLEY_ROLES: 'api' })
  dataDir = await mkdtemp(join(tmpdir(), 'parley-victim-'))
})
afterAll(async () => {
  for (const worker of workers) await worker.end('SIGKILL')
  await service?.close()
  await embeddings?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const embedderSettings = () => ({
  PARLEY_EMBEDDINGS_BASE_URL: embeddings.baseUrl,
  PARLEY_EMBEDDINGS_MODEL: 'words',
  PARLEY_EMBEDDINGS_API_KEY: 'sk-words',
})

async function startWorker(): Promise<RunningProcess> {
  const worker = await startProcess({
    ...embedderSettings(),
    DATABASE_URL: service.database.url,
    PARLEY_SECRET: 'a secret for tests only',
    PARLEY_ROLES: 'worker',
    PARLEY_DATA_DIR: dataDir,
  })
  workers.push(worker)
  return worker
}

/** Some seventy passages, which take three requests to the embedder. */
const textOf = (number: number) =>
  Array.from(
    { length: 140 },
    (_, at) => `Sentence ${at} of document ${number} is about the keeper's ${'very '.repeat(40)}long day.`,
  ).join('\n\n')

it('every document is indexed once, and no passage twice', async () => {
  const made = await service.ask('POST', '/knowledge-base', { body: { name: 'Handbook' } })
  const id: string = made.body.data.repository_id
  for (let number = 0; number < 4; number++) {
    const body = { title: `Document ${number}`, text: textOf(number) }
    expect((await service.ask('POST', `/knowledge-base/${id}/documents`, { body })).status).toBe(201)
  }
  const inState = (status: string) =>
    service.database.query<{ done: number }>('SELECT done FROM knowledge_documents WHERE status = $1', [
      status,
    ])

  // The first request of a document is answered, the second is not: it is killed with passages in hand.
  const first = await startWorker()
  await expect.poll(() => embeddings.asked.length).toBeGreaterThan(1)
  const release = embeddings.hold()
  const before = embeddings.asked.length
  await expect.poll(() => embeddings.asked.length).toBeGreaterThan(before)
  expect((await inState('processing')).length).toBeGreaterThan(0)
  await first.end('SIGKILL')
  release()

  await startWorker()
  await expect.poll(async () => (await inState('ready')).length).toBe(4)
  const passages = await service.database.query<{
    title: string
    chunk_count: number
    rows: number
    places: number
  }>(
    `SELECT d.title, d.chunk_count, count(c.chunk_id)::int AS rows, count(DISTINCT c.position)::int AS places
     FROM knowledge_documents d JOIN knowledge_chunks c USING (document_id) GROUP BY d.document_id`,
  )
  expect(passages).toHaveLength(4)
  for (const { chunk_count, rows, places } of passages) {
    expect(chunk_count).toBeGreaterThan(64)
    expect([rows, places]).toEqual([chunk_count, chunk_count])
  }
})
