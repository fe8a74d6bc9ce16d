// The search of the knowledge base with pgvector, in a real one, held against the search in memory.
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPassageIndex } from '../../src/engines/knowledge/passages/passage-index.ts'
import { knowledgeEngines } from '../../src/main/knowledge-engines.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Log } from '../../src/platform/log.ts'
import type { NamedEmbedder } from '../../src/ports/embedder.ts'
import type { NewChunk } from '../../src/resources/knowledge-base/chunk-store.ts'
import { type KnowledgeSearch, openKnowledgeSearch } from '../../src/resources/knowledge-base/search.ts'
import { findExtension } from '../../src/resources/knowledge-base/vectors/extension.ts'
import { openVectorIndex } from '../../src/resources/knowledge-base/vectors/vector-index.ts'
import { indexName, isIndexed } from '../../src/resources/knowledge-base/vectors/vector-store.ts'
import { keepVectors, vectorSweep } from '../../src/resources/knowledge-base/vectors/vector-upkeep.ts'
import { startIndexing } from '../../src/resources/knowledge-base/work.ts'
import {
  addIndexedDocument,
  addRepository,
  replaceDocument,
} from '../props/knowledge/passages-in-database.ts'
import { type DatabaseWithPgvector, openPglite } from '../props/knowledge/pglite.ts'
import { emptyDatabase } from '../support/database/empty-database.ts'

const workspaceId = '11111111-1111-4111-8111-111111111111'
const dimensions = 96
// The tolerance of a score: in memory a vector is made of bytes, and its cosine is off by some thousandths.
const tolerance = 0.005
const forever = new AbortController().signal

/** Texts that share words are similar: the sum of a direction for each word. */
const embedderOf = (name: string, length = dimensions): NamedEmbedder => ({
  name,
  embed: async (texts) => texts.map((text) => vectorOf(text, name, length)),
})

function vectorOf(text: string, salt: string, length: number): Float32Array {
  const vector = new Float32Array(length)
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
    const bytes = hash('sha512', salt + word, 'buffer')
    for (let i = 0; i < length; i++) vector[i] = (vector[i] ?? 0) + (bytes[i % bytes.length] ?? 0) / 127.5 - 1
  }
  const norm = Math.hypot(...vector) || 1
  return vector.map((value) => value / norm)
}

async function chunksFrom(texts: readonly string[], embedder: NamedEmbedder): Promise<NewChunk[]> {
  const vectors = await embedder.embed(texts)
  return texts.map((text, place) => ({ heading: null, text, chunkId: newId(), vector: vectors[place] }))
}

/** Real prose: the paragraphs of our own guide. */
async function paragraphs(): Promise<string[][]> {
  const folder = new URL('../../../docs/guide/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  const pages = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return pages.map((page) => page.split(/\n\s*\n/).filter((text) => text.length > 80 && text.length < 1_500))
}

const questions = [
  'How is a document indexed again?',
  'What happens when the model does not answer in time?',
  'Can a caller interrupt the agent?',
  'Which languages are spoken?',
  'How are recordings kept and deleted?',
  'Where do I set the voice of an agent?',
  'What does a webhook receive when a call has ended?',
  'How many calls can run at once?',
  'Which key does a workspace use for its vendor?',
  'Who may listen to calls?',
  'How is a batch of recipients uploaded?',
  'What is said when nobody speaks for a while?',
]

const quiet = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Log

let database: DatabaseWithPgvector
let manual: string
const pages: string[] = []
const embedder = embedderOf('hashed words')
const opened: KnowledgeSearch[] = []

function searchWith(options: {
  of?: NamedEmbedder
  where: 'memory' | 'database'
  mostCompared?: number
  log?: Log
}): KnowledgeSearch {
  const { of = embedder, where, mostCompared, log = quiet } = options
  const { db } = database
  const memory = openPassageIndex()
  const index =
    where === 'memory'
      ? memory
      : openVectorIndex({
          db,
          log,
          embedder: of.name,
          memory,
          ...(mostCompared !== undefined && { mostCompared }),
        })
  const search = openKnowledgeSearch({
    db,
    log: quiet,
    embedder: of,
    index,
    memoryBytes: 1024 ** 3,
    idleMs: 3_600_000,
  })
  opened.push(search)
  return search
}

const ask = (search: KnowledgeSearch, query: string, repositoryId = manual) =>
  search.search({ repositoryIds: [repositoryId], query })

/** The share of the first five that both have. What both have must be scored alike. */
async function agreement(one: KnowledgeSearch, other: KnowledgeSearch): Promise<number> {
  let same = 0
  let all = 0
  for (const question of questions) {
    const expected = await ask(one, question)
    const scores = new Map((await ask(other, question)).map(({ chunkId, score }) => [chunkId, score]))
    expect(expected).toHaveLength(5)
    all += expected.length
    for (const { chunkId, score } of expected) {
      const found = scores.get(chunkId)
      if (found === undefined) continue
      same++
      expect(Math.abs(found - score)).toBeLessThan(tolerance)
    }
  }
  return same / all
}

const query = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.db.pool.query<Row>(sql, values)).rows

const keep = (of = embedder.name) =>
  keepVectors({ db: database.db, sessions: database.connection, embedder: of }, forever)

const scansOf = async (name: string): Promise<number> => {
  await query('SELECT pg_stat_force_next_flush()')
  const [row] = await query<{ scans: string }>(
    'SELECT idx_scan AS scans FROM pg_stat_user_indexes WHERE indexrelname = $1',
    [name],
  )
  return Number(row?.scans ?? 0)
}

beforeAll(async () => {
  database = await openPglite()
  manual = await addRepository(database.db, workspaceId)
  for (const [place, texts] of (await paragraphs()).entries())
    pages.push(
      await addIndexedDocument(database.db, {
        repositoryId: manual,
        title: `Page ${place}`,
        embedder: embedder.name,
        chunks: await chunksFrom(texts, embedder),
      }),
    )
})
afterEach(async () => {
  for (const search of opened.splice(0)) await search.close()
})
afterAll(() => database?.close())

describe('a database without pgvector', () => {
  it('is searched in memory, and a worker that must have it does not start', async () => {
    const plain = await emptyDatabase()
    const db = openDb(plain.connection, 2, () => {})
    try {
      expect(await findExtension(db)).toEqual({ missing: 'The database server has no pgvector.' })
      const info = vi.fn()
      const sweep = vectorSweep({
        db,
        sessions: plain.connection,
        embedder: 'any',
        signal: forever,
        log: { ...quiet, info } as unknown as Log,
      })
      await sweep.run()
      await sweep.run()
      expect(info).toHaveBeenCalledExactlyOnceWith(
        { search: 'memory', reason: 'The database server has no pgvector.' },
        'how the knowledge base is searched',
      )
      const infrastructure = { config: { knowledgeSearch: 'pgvector' }, db } as never
      await expect(startIndexing(infrastructure, {} as never, knowledgeEngines)).rejects.toThrow(
        'PARLEY_KNOWLEDGE_SEARCH is pgvector. The database server has no pgvector.',
      )
    } finally {
      await db.close()
      await plain.close()
    }
  })
})

describe('a database with pgvector', () => {
  it('creates the extension, and has nothing to index for an embedder that made no vectors', async () => {
    expect(await findExtension(database.db)).toEqual({ version: expect.stringMatching(/^0\.\d+\.\d+$/) })
    expect(await keep('another')).toBeUndefined()
  })

  it('is searched in memory until there is an index, then by it, with the same answers', async () => {
    const inMemory = searchWith({ where: 'memory' })
    const exact = searchWith({ where: 'database' })
    const byIndex = searchWith({ where: 'database', mostCompared: 0 })
    expect(await agreement(inMemory, exact)).toBe(1)
    expect(await agreement(inMemory, byIndex)).toBe(1)
    const loaded = exact.bytes
    expect(await keep()).toBe(true)
    // Bytes in memory are rounded to 1/127 and may swap two passages that are as good as each other.
    await expect.poll(async () => (await ask(exact, 'voice')) && exact.bytes).toBeLessThan(loaded / 1.5)
    const name = indexName({ embedder: embedder.name, dimensions })
    expect(await agreement(inMemory, exact)).toBeGreaterThanOrEqual(0.95)
    expect(await scansOf(name)).toBe(0)
    await expect.poll(async () => (await ask(byIndex, 'voice')) && byIndex.bytes).toBeLessThan(loaded / 1.5)
    expect(await agreement(inMemory, byIndex)).toBeGreaterThanOrEqual(0.95)
    expect(await scansOf(name)).toBeGreaterThanOrEqual(questions.length)
  })

  it('finds by the vector alone and by the words alone as in memory', async () => {
    let isAway = false
    const of: NamedEmbedder = {
      ...embedder,
      embed: (texts) => (isAway ? Promise.reject(new Error('away')) : embedder.embed(texts)),
    }
    const searches = [
      searchWith({ where: 'memory', of }),
      searchWith({ where: 'database', of, mostCompared: 0 }),
    ]
    await Promise.all(searches.map((search) => ask(search, 'voice')))
    // A question without any word of the repository.
    const strange = await Promise.all(searches.map((search) => ask(search, 'xyzzy plugh')))
    expect(strange[1]?.map(({ chunkId }) => chunkId)).toEqual(strange[0]?.map(({ chunkId }) => chunkId))
    expect(strange[0]?.length).toBe(5)
    isAway = true
    const byWords = await Promise.all(searches.map((search) => ask(search, 'Who may listen to calls?')))
    expect(byWords[1]).toEqual(byWords[0])
    expect(byWords[0]?.length).toBe(5)
  })

  it('finds all of a small repository among the many passages of others', async () => {
    const small = await addRepository(database.db, workspaceId)
    const texts = ['Otters hold hands asleep.', 'Badgers dig at night.', 'Voices carry over water.']
    await addIndexedDocument(database.db, {
      repositoryId: small,
      title: 'Animals',
      embedder: embedder.name,
      chunks: await chunksFrom(texts, embedder),
    })
    const byIndex = searchWith({ where: 'database', mostCompared: 0 })
    const found = await ask(byIndex, 'Which animals sleep hand in hand?', small)
    expect(found.map(({ text }) => text).sort()).toEqual(texts.toSorted())
  })

  it('forgets what is deleted, and finds what takes the place of old passages', async () => {
    const byIndex = searchWith({ where: 'database', mostCompared: 0 })
    const before = ['The ferry leaves at seven.', 'Dogs travel free on the ferry.']
    const ferry = { repositoryId: manual, title: 'Ferry', embedder: embedder.name }
    const documentId = await addIndexedDocument(database.db, {
      ...ferry,
      chunks: await chunksFrom(before, embedder),
    })
    const best = async (question: string) => (await ask(byIndex, question))[0]?.text
    await expect.poll(() => best('When does the ferry leave?')).toBe(before[0])
    const after = ['The ferry leaves at nine.']
    await replaceDocument(database.db, documentId, { ...ferry, chunks: await chunksFrom(after, embedder) })
    await expect.poll(() => best('When does the ferry leave?')).toBe(after[0])
    const all = await ask(byIndex, 'Do dogs travel free on the ferry?')
    expect(all.filter(({ text }) => before.includes(text))).toEqual([])
    await query('DELETE FROM knowledge_documents WHERE document_id = $1', [documentId])
    await expect.poll(() => best('When does the ferry leave?')).not.toMatch(/ferry/)
    const [left] = await query<{ chunks: string; vectors: string }>(`
      SELECT (SELECT count(*) FROM knowledge_chunks) AS chunks, (SELECT count(*) FROM knowledge_vectors) AS vectors`)
    expect(left?.vectors).toBe(left?.chunks)
  })

  it('has an index of its own for another embedder, and none for one whose vectors are gone', async () => {
    const next = embedderOf('other words', 40)
    const [first, ...others] = pages
    const again = async (documentId: string) => {
      const chunks = await query<{ content: string }>(
        'SELECT content FROM knowledge_chunks WHERE document_id = $1 ORDER BY position',
        [documentId],
      )
      await replaceDocument(database.db, documentId, {
        repositoryId: manual,
        embedder: next.name,
        chunks: await chunksFrom(
          chunks.map(({ content }) => content),
          next,
        ),
      })
    }
    await again(first ?? '')
    expect(await keep(next.name)).toBe(true)
    const old = { embedder: embedder.name, dimensions }
    expect(await isIndexed(database.db, old)).toBe(true)
    const search = searchWith({ where: 'database', of: next, mostCompared: 0 })
    // Passages of the old embedder are found by their words.
    expect((await ask(search, 'Can a caller interrupt the agent?')).length).toBe(5)
    for (const documentId of others) await again(documentId)
    await query('DELETE FROM knowledge_documents WHERE embedder <> $1', [next.name])
    expect(await keep(next.name)).toBe(true)
    expect(await isIndexed(database.db, old)).toBe(false)
    expect(await isIndexed(database.db, { embedder: next.name, dimensions: 40 })).toBe(true)
    const inMemory = searchWith({ where: 'memory', of: next })
    expect(await agreement(inMemory, search)).toBeGreaterThanOrEqual(0.95)
  })

  it('goes on in memory when the extension is dropped, and comes back with it', async () => {
    const next = embedderOf('other words', 40)
    const warn = vi.fn()
    const log = { ...quiet, warn } as unknown as Log
    const search = searchWith({ where: 'database', of: next, mostCompared: 0, log })
    const before = await ask(search, 'Can a caller interrupt the agent?')
    await query('DROP EXTENSION vector CASCADE')
    const byWords = await ask(search, 'Can a caller interrupt the agent?')
    expect(byWords.length).toBe(5)
    expect(warn).toHaveBeenCalledOnce()
    const after = await ask(search, 'Can a caller interrupt the agent?')
    expect(after[0]).toMatchObject({ chunkId: before[0]?.chunkId })
    expect(Math.abs((after[0]?.score ?? 0) - (before[0]?.score ?? 9))).toBeLessThan(tolerance)
    // Documents are indexed all the same.
    const fog = { repositoryId: manual, title: 'Fog', embedder: next.name }
    await addIndexedDocument(database.db, {
      ...fog,
      chunks: await chunksFrom(['Fog delays the ferry.'], next),
    })
    await expect.poll(async () => (await ask(search, 'fog'))[0]?.text).toBe('Fog delays the ferry.')
    expect(await findExtension(database.db)).toHaveProperty('version')
    expect(await keep(next.name)).toBe(true)
    const later = searchWith({ where: 'database', of: next, mostCompared: 0 })
    expect((await ask(later, 'fog'))[0]?.text).toBe('Fog delays the ferry.')
    expect(await agreement(search, later)).toBeGreaterThanOrEqual(0.95)
  })
})
