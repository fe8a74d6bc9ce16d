// The knowledge base over the API: documents of every kind are indexed, found, indexed again without a gap and deleted.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { KnowledgeDocument, Repository } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vendorAt } from '../../src/mind/model/choose-server.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { embeddingKeys } from '../../src/resources/knowledge-base/embedding-keys.ts'
import { docxOf, paragraph, pdfOf } from '../props/knowledge/documents.ts'
import { type EmbeddingServer, openEmbeddingServer } from '../props/servers/embedding-server.ts'
import { newAgent } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService, unboundKey } from '../support/service.ts'

const stranger = '99999999-9999-4999-8999-999999999999'

const site: Record<string, string> = {
  '/robots.txt': 'User-agent: *\nDisallow: /secret',
  '/': '<html><title>Home</title><body><a href="/hours#now">Hours</a> <a href="/secret">S</a> <a href="https://other.example/">O</a> <p>Welcome to the lighthouse.</p></body></html>',
  '/hours':
    '<html><title>Hours</title><body><p>The lantern room is open at dusk.</p><a href="/deep">D</a></body></html>',
  '/deep': '<html><title>Deep</title><body><p>The cellar holds whale oil.</p></body></html>',
  '/secret': '<html><body><p>The key is under the mat.</p></body></html>',
}

let embeddings: EmbeddingServer
let web: Server
let origin: string
let service: TestService
/** The pages that were requested from the site. */
const visited: string[] = []

beforeAll(async () => {
  embeddings = await openEmbeddingServer()
  web = createServer(({ url = '' }, response) => {
    visited.push(url)
    if (url === '/moved') return response.writeHead(302, { location: '/hours' }).end()
    const packed = url === '/packed.xml.gz' && gzipSync(sitemap(['/deep']))
    if (packed) return response.setHeader('content-type', 'application/gzip').end(packed)
    const part = /^\/part-(\d+)\.xml$/.exec(url)?.[1]
    const xml =
      (url === '/sitemap.xml' && sitemap(['/hours', '/deep', '/secret'])) ||
      (url === '/sitemaps.xml' && sitemapOfSitemaps(1_000)) ||
      (part && sitemap([`/?part=${part}`]))
    const body = xml || site[url]
    if (body === undefined) return response.writeHead(404).end()
    return response.setHeader('content-type', xml ? 'application/xml' : 'text/html').end(body)
  })
  await new Promise<void>((ready) => web.listen(0, '127.0.0.1', ready))
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  origin = `http://${host}`
  service = await openService({
    PARLEY_EMBEDDINGS_BASE_URL: embeddings.baseUrl,
    PARLEY_EMBEDDINGS_MODEL: 'words',
    PARLEY_EMBEDDINGS_API_KEY: 'sk-words',
    PARLEY_TRUSTED_HOSTS: `${host},${new URL(embeddings.baseUrl).host}`,
  })
})
afterAll(async () => {
  await service?.close()
  await embeddings?.close()
  web?.closeAllConnections()
  web?.close()
})

const sitemapOfSitemaps = (count: number) =>
  `<sitemapindex>${Array.from({ length: count }, (_, at) => `<sitemap><loc>${origin}/part-${at}.xml</loc></sitemap>`).join('')}</sitemapindex>`

const sitemap = (paths: readonly string[]) =>
  `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`

async function newRepository(more: object = {}): Promise<string> {
  const reply = await service.ask('POST', '/knowledge-base', { body: { name: 'Handbook', ...more } })
  expect(reply.status, reply.text).toBe(201)
  return Repository.parse(reply.body.data).repository_id
}

async function addText(id: string, text: string, title = 'Notes'): Promise<KnowledgeDocument> {
  const reply = await service.ask('POST', `/knowledge-base/${id}/documents`, { body: { title, text } })
  expect(reply.status, reply.text).toBe(201)
  return KnowledgeDocument.parse(reply.body.data)
}

async function addFile(id: string, name: string, content: Buffer | string) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  const response = await fetch(`${service.url}/agent/v1/knowledge-base/${id}/documents`, {
    method: 'POST',
    headers: { 'x-api-key': boundKey, 'idempotency-key': crypto.randomUUID() },
    body: form,
  })
  return {
    status: response.status,
    body: (await response.json()) as { data: KnowledgeDocument; code?: string },
  }
}

const documentOf = async (id: string, documentId: string): Promise<KnowledgeDocument> =>
  (await service.ask('GET', `/knowledge-base/${id}/documents/${documentId}`)).body.data

const documentsOf = async (id: string): Promise<KnowledgeDocument[]> =>
  (await service.ask('GET', `/knowledge-base/${id}/documents?limit=100`)).body.data.data

const ended = (id: string, documentId: string, status = 'ready') =>
  expect.poll(async () => (await documentOf(id, documentId)).status).toBe(status)

const search = async (id: string, query: string, more: object = {}) =>
  (await service.ask('POST', `/knowledge-base/${id}/search`, { body: { query, ...more } })).body.data

/** The best passage, once notices have arrived. */
const finds = (id: string, query: string, text: RegExp) =>
  expect.poll(async () => (await search(id, query))[0]?.text).toMatch(text)

describe('a repository', () => {
  it('has every default, is listed, changed and deleted', async () => {
    const id = await newRepository()
    const repository = (await service.ask('GET', `/knowledge-base/${id}`)).body.data
    expect(repository).toMatchObject({
      description: null,
      language: 'en',
      chunk_size: 512,
      chunk_overlap: 128,
      top_k: 5,
      status: 'ready',
      chunk_count: 0,
      document_counts: { queued: 0, processing: 0, ready: 0, failed: 0 },
    })
    const { data } = (await service.ask('GET', '/knowledge-base')).body.data
    expect(data[0]).toEqual(repository)
    const changed = await service.ask('PATCH', `/knowledge-base/${id}`, {
      body: { top_k: 2, description: 'D' },
    })
    expect(changed.body.data).toMatchObject({ top_k: 2, description: 'D', name: 'Handbook' })
    expect((await service.ask('DELETE', `/knowledge-base/${id}`)).body.data).toEqual({
      repository_id: id,
      deleted: true,
    })
    expect((await service.ask('GET', `/knowledge-base/${id}`)).body.code).toBe('REPOSITORY_NOT_FOUND')
  })

  it('is refused with settings that make no sense, and is not there for another workspace', async () => {
    const bad = await service.ask('POST', '/knowledge-base', {
      body: { name: '', chunk_size: 200, chunk_overlap: 150, language: 'English!' },
    })
    expect(bad.body.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'chunk_overlap',
      'language',
      'name',
    ])
    const overlap = { name: 'A', chunk_size: 200, chunk_overlap: 150 }
    expect((await service.ask('POST', '/knowledge-base', { body: overlap })).body.details).toEqual([
      { path: 'chunk_overlap', message: 'Must be at most half of chunk_size.' },
    ])
    const id = await newRepository()
    const body = { chunk_overlap: 400 }
    expect((await service.ask('PATCH', `/knowledge-base/${id}`, { body })).body.details).toEqual([
      { path: 'chunk_overlap', message: 'Must be at most half of chunk_size, 512.' },
    ])
    const headers = { 'x-api-key': unboundKey, 'x-workspace-id': stranger }
    expect((await service.ask('GET', `/knowledge-base/${id}`, { headers })).status).toBeGreaterThan(400)
    expect((await search(stranger, 'hello')) ?? 'none').toBe('none')
  })
})

describe('a document', () => {
  it('is indexed, found with its place, and not stored twice', async () => {
    const id = await newRepository()
    const text = '# Fees\n\nA visit costs ten euros.\n\n## Children\n\nChildren never pay anything.'
    const added = await addText(id, text, 'Prices')
    expect(added).toMatchObject({ kind: 'text', status: 'queued', title: 'Prices', bytes: text.length })
    await ended(id, added.document_id)
    expect(await documentOf(id, added.document_id)).toMatchObject({
      chunk_count: 2,
      progress: { done: 2, total: 2 },
      error: null,
    })
    await finds(id, 'do children pay', /Children never pay/)
    const [best, ...others] = await search(id, 'do children pay')
    expect(best).toMatchObject({
      document_id: added.document_id,
      title: 'Prices',
      heading: 'Fees > Children',
    })
    expect(best.score).toBeGreaterThan(others[0].score)
    expect(await search(id, 'do children pay', { top_k: 1 })).toHaveLength(1)
    expect((await addText(id, text, 'Again')).document_id).toBe(added.document_id)
    expect(embeddings.asked.at(-1)).toMatchObject({ authorization: 'Bearer sk-words', model: 'words' })
  })

  it('is embedded and searched with the workspace’s own key, if it is for that server', async () => {
    const keep = (base_url: string, vendor = 'openai') =>
      service.ask('PUT', `/credentials/${vendor}`, {
        body: { credentials: { api_key: 'sk-own' }, base_url },
      })
    const keysFor = async (text: string) => {
      // Keys are remembered by repository.
      const id = await newRepository()
      const from = embeddings.asked.length
      await ended(id, (await addText(id, text)).document_id)
      await search(id, 'where')
      return new Set(embeddings.asked.slice(from).map(({ authorization }) => authorization))
    }
    expect((await keep(embeddings.baseUrl)).status).toBe(200)
    expect(await keysFor('The kettle is in the kitchen.')).toEqual(new Set(['Bearer sk-own']))
    // A key for another server is not sent to this one.
    expect((await keep(origin)).status).toBe(200)
    expect(await keysFor('The broom is in the cellar.')).toEqual(new Set(['Bearer sk-words']))
    await service.ask('DELETE', '/credentials/openai')
    // The key is that of whichever vendor of models the workspace has named for the server.
    expect((await keep(embeddings.baseUrl, 'mistral')).status).toBe(200)
    expect(await keysFor('The ladder is in the barn.')).toEqual(new Set(['Bearer sk-own']))
    await service.ask('DELETE', '/credentials/mistral')
  })

  it('of a workspace with a key of a vendor is embedded with it at that vendor’s own host only', async () => {
    const db = openDb({ connectionString: service.database.url }, 2, () => {})
    const id = await newRepository()
    const account = { credentials: { apiKey: 'of the workspace' }, baseUrl: undefined }
    const keyAt = (baseUrl: string) =>
      embeddingKeys({ db, accountsOf: async () => ({ mistral: account }), vendorAt }, baseUrl)(id)
    expect(await keyAt('https://api.mistral.ai/v1')).toBe('of the workspace')
    expect(await keyAt('https://api.openai.com/v1')).toBeUndefined()
    expect(await keyAt('https://api.mistral.ai.example/v1')).toBeUndefined()
    await db.close()
  })

  it('may be a file of any kind that can be read', async () => {
    const id = await newRepository({ chunk_size: 200, chunk_overlap: 0 })
    const files: [string, Buffer | string, string][] = [
      ['a.txt', 'The otter swims.', 'text/plain'],
      ['b.html', '<html><title>Badgers</title><p>The badger digs.</p></html>', 'text/html'],
      ['c.csv', 'animal,deed\nfox,steals\n', 'text/csv'],
      ['d.pdf', pdfOf(['The heron waits.']), 'application/pdf'],
      ['e.docx', docxOf(paragraph('The lynx listens.')), docx],
    ]
    const ids = await Promise.all(
      files.map(async ([name, content]) => (await addFile(id, name, content)).body.data.document_id),
    )
    for (const documentId of ids) await ended(id, documentId)
    const documents = await documentsOf(id)
    for (const [name, , media_type] of files)
      expect(documents.find(({ filename }) => filename === name)).toMatchObject({ kind: 'file', media_type })
    expect(documents.find(({ filename }) => filename === 'b.html')?.title).toBe('Badgers')
    for (const [question, answer] of [
      ['heron', /heron waits/],
      ['lynx', /lynx/],
      ['fox', /animal: fox; deed: steals/],
    ])
      await finds(id, question as string, answer as RegExp)
  })

  it('that cannot be read is refused, or fails with a sentence', async () => {
    const id = await newRepository()
    const picture = await addFile(id, 'a.pdf', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]))
    expect(picture).toMatchObject({ status: 400, body: { code: 'DOCUMENT_NOT_READABLE' } })
    const { body } = await addFile(id, 'a.pdf', '%PDF-1.7 broken')
    await ended(id, body.data.document_id, 'failed')
    expect((await documentOf(id, body.data.document_id)).error).toBe('The file is a damaged PDF, or none.')
    expect((await service.ask('GET', `/knowledge-base/${id}`)).body.data.status).toBe('failed')
    const both = { body: { text: 'a', url: 'https://a.example' } }
    expect((await service.ask('POST', `/knowledge-base/${id}/documents`, both)).body.code).toBe(
      'VALIDATION_ERROR',
    )
    const mend = 'For a page in your own network, let the operator add its host to PARLEY_TRUSTED_HOSTS.'
    for (const [url, reason] of [
      ['https://127.0.0.1:9/', 'Points at 127.0.0.1, which is not a public address.'],
      ['http://wiki.example/', 'Must use https.'],
    ])
      expect(
        (await service.ask('POST', `/knowledge-base/${id}/documents`, { body: { url } })).body.details,
      ).toEqual([{ path: 'url', message: `${reason} ${mend}` }])
  })

  it('is really gone when it is deleted', async () => {
    const id = await newRepository()
    const { document_id } = await addText(id, 'The password of the safe is swordfish.')
    await ended(id, document_id)
    await finds(id, 'password safe', /swordfish/)
    const removed = await service.ask('DELETE', `/knowledge-base/${id}/documents/${document_id}`)
    expect(removed.body.data).toEqual({ document_id, deleted: true })
    expect(await search(id, 'password safe')).toEqual([])
    for (const table of ['knowledge_documents', 'knowledge_contents', 'knowledge_chunks'])
      expect(
        await service.database.query(`SELECT 1 FROM ${table} WHERE document_id = $1`, [document_id]),
      ).toEqual([])
    expect((await service.ask('GET', `/knowledge-base/${id}/documents/${document_id}`)).body.code).toBe(
      'DOCUMENT_NOT_FOUND',
    )
  })
})

describe('indexing', () => {
  it('again leaves no gap: the old passages are found until the new ones are there', async () => {
    const id = await newRepository({ chunk_size: 200, chunk_overlap: 0 })
    const sentences = Array.from({ length: 12 }, (_, place) => `Sentence number ${place} speaks of herons.`)
    const { document_id } = await addText(id, sentences.join(' '))
    await ended(id, document_id)
    const before = (await documentOf(id, document_id)).chunk_count
    const release = embeddings.hold()
    await service.ask('PATCH', `/knowledge-base/${id}`, { body: { chunk_size: 128 } })
    await ended(id, document_id, 'processing')
    const rows = () =>
      service.database.query('SELECT chunk_id FROM knowledge_chunks WHERE document_id = $1', [document_id])
    expect(await rows()).toHaveLength(before)
    release()
    await expect.poll(async () => (await documentOf(id, document_id)).chunk_count).toBeGreaterThan(before)
    await ended(id, document_id)
    expect(await rows()).toHaveLength((await documentOf(id, document_id)).chunk_count)
  })

  it('is tried again when the embedder fails, and taken over from a process that died', async () => {
    const id = await newRepository()
    embeddings.refusal = 503
    const { document_id } = await addText(id, 'The tide turns at noon.')
    await expect
      .poll(
        async () =>
          (
            await service.database.query<{ tries: number }>(
              'SELECT tries FROM knowledge_documents WHERE document_id = $1',
              [document_id],
            )
          )[0]?.tries,
      )
      .toBeGreaterThan(0)
    embeddings.refusal = undefined
    await ended(id, document_id)
    // As a process that was killed in the middle leaves it.
    await service.database.query(
      "UPDATE knowledge_documents SET claimed_by = 2000000000, status = 'processing', due_at = now(), tries = 1 WHERE document_id = $1",
      [document_id],
    )
    await ended(id, document_id)
  })

  it('of an address follows redirects, links and sitemaps, but not what a site forbids', async () => {
    const id = await newRepository()
    const add = async (body: object): Promise<KnowledgeDocument> =>
      (await service.ask('POST', `/knowledge-base/${id}/documents`, { body })).body.data
    const page = await add({ url: `${origin}/moved` })
    await ended(id, page.document_id)
    expect(await documentOf(id, page.document_id)).toMatchObject({ kind: 'page', title: 'Hours' })
    await finds(id, 'lantern room', /open at dusk/)

    const whole = await add({ url: `${origin}/`, depth: 1 })
    await ended(id, whole.document_id)
    await expect
      .poll(async () => (await documentsOf(id)).filter(({ status }) => status === 'ready').length)
      .toBe(4)
    const pages = (await documentsOf(id)).filter(({ site_id }) => site_id === whole.document_id)
    expect(pages.map(({ url }) => url).toSorted()).toEqual([`${origin}/`, `${origin}/hours`])
    // The same page by another way is searched once.
    expect(pages.find(({ url }) => url === `${origin}/hours`)?.duplicate_of).toBe(page.document_id)

    const bounded = await add({ url: `${origin}/`, depth: 1, max_pages: 1 })
    await ended(id, bounded.document_id)
    const few = (await documentsOf(id)).filter(({ site_id }) => site_id === bounded.document_id)
    expect(few.map(({ url }) => url)).toEqual([`${origin}/`])

    const map = await add({ url: `${origin}/sitemap.xml` })
    await expect.poll(async () => (await documentOf(id, map.document_id)).kind).toBe('site')
    await finds(id, 'whale oil cellar', /whale oil/)
    expect((await search(id, 'key under the mat')).map(({ text }: { text: string }) => text)).not.toContain(
      'The key is under the mat.',
    )
    const packed = await add({ url: `${origin}/packed.xml.gz` })
    await expect.poll(async () => (await documentOf(id, packed.document_id)).kind).toBe('site')
    // No more sitemaps are read than the pages that were asked for take.
    const large = await add({ url: `${origin}/sitemaps.xml`, depth: 1, max_pages: 3 })
    await ended(id, large.document_id)
    expect((await documentsOf(id)).filter(({ site_id }) => site_id === large.document_id)).toHaveLength(3)
    expect(visited.filter((path) => path.startsWith('/part-'))).toEqual([
      ...['/part-0.xml', '/part-1.xml', '/part-2.xml'],
    ])

    const missing = await add({ url: `${origin}/nowhere` })
    await ended(id, missing.document_id, 'failed')
    expect((await documentOf(id, missing.document_id)).error).toBe(
      `The address ${origin}/nowhere answered 404.`,
    )
  })
})

describe('a site', () => {
  const add = async (id: string, body: object): Promise<KnowledgeDocument> =>
    (await service.ask('POST', `/knowledge-base/${id}/documents`, { body })).body.data
  const allReady = (id: string, count: number) =>
    expect
      .poll(async () => (await documentsOf(id)).map(({ status }) => status))
      .toEqual(Array.from({ length: count }, () => 'ready'))
  const pageAt = async (id: string, path: string) =>
    (await documentsOf(id)).find(({ url, kind }) => kind === 'page' && url === `${origin}${path}`)

  it('that is read again has its new content, and no pages that are gone', async () => {
    site['/news'] =
      '<html><title>News</title><body><p>The ferry is late.</p><a href="/old">O</a></body></html>'
    site['/old'] = '<html><title>Old</title><body><p>The pier is closed.</p></body></html>'
    const id = await newRepository()
    const { document_id } = await add(id, { url: `${origin}/news`, depth: 1 })
    await allReady(id, 3)
    await finds(id, 'ferry', /ferry is late/)
    const before = await pageAt(id, '/news')
    site['/news'] = '<html><title>News</title><body><p>The ferry is on time.</p></body></html>'
    delete site['/old']
    await service.ask('POST', `/knowledge-base/${id}/documents/${document_id}/reindex`)
    await finds(id, 'ferry', /ferry is on time/)
    await allReady(id, 2)
    expect((await pageAt(id, '/news'))?.document_id).toBe(before?.document_id)
    expect(await search(id, 'pier closed')).toEqual([
      expect.objectContaining({ text: expect.stringContaining('ferry') }),
    ])
  })

  it('that is deleted leaves its content to others that have the same', async () => {
    const same = '<html><title>Twin</title><body><p>The anchor weighs a ton.</p></body></html>'
    Object.assign(site, { '/one': `${same}`, '/other': same })
    const id = await newRepository()
    const whole = await add(id, { url: `${origin}/one`, depth: 1 })
    await allReady(id, 2)
    const alone = await add(id, { url: `${origin}/other` })
    await ended(id, alone.document_id)
    const first = await pageAt(id, '/one')
    expect((await documentOf(id, alone.document_id)).duplicate_of).toBe(first?.document_id)
    await service.ask('DELETE', `/knowledge-base/${id}/documents/${whole.document_id}`)
    await expect.poll(async () => (await documentOf(id, alone.document_id)).chunk_count).toBeGreaterThan(0)
    expect((await documentOf(id, alone.document_id)).duplicate_of).toBeNull()
    await finds(id, 'anchor', /weighs a ton/)
  })
})

it('a page whose original has changed is found by its own content again', async () => {
  const same = '<html><title>Tide</title><body><p>High water is at four.</p></body></html>'
  Object.assign(site, { '/tide': same, '/tide-copy': same })
  const id = await newRepository()
  const add = async (path: string): Promise<KnowledgeDocument> => {
    const body = { url: `${origin}${path}` }
    return (await service.ask('POST', `/knowledge-base/${id}/documents`, { body })).body.data
  }
  const first = await add('/tide')
  await ended(id, first.document_id)
  const copy = await add('/tide-copy')
  await ended(id, copy.document_id)
  expect((await documentOf(id, copy.document_id)).duplicate_of).toBe(first.document_id)
  site['/tide'] = '<html><title>Tide</title><body><p>The gauge is broken.</p></body></html>'
  await service.ask('POST', `/knowledge-base/${id}/documents/${first.document_id}/reindex`)
  await expect.poll(async () => (await documentOf(id, copy.document_id)).duplicate_of).toBeNull()
  await finds(id, 'high water', /at four/)
  await finds(id, 'gauge', /broken/)
})

it('of two pages with one content that are indexed at the same time, one is searched', async () => {
  const same = '<html><title>Fog</title><body><p>The horn sounds in fog.</p></body></html>'
  Object.assign(site, { '/fog': same, '/fog-copy': same })
  const id = await newRepository()
  const release = embeddings.hold()
  const from = embeddings.asked.length
  const ids = await Promise.all(
    ['/fog', '/fog-copy'].map(async (path) => {
      const body = { url: `${origin}${path}` }
      return (await service.ask('POST', `/knowledge-base/${id}/documents`, { body })).body.data.document_id
    }),
  )
  const processing = async () =>
    (await documentsOf(id)).filter(({ status }) => status === 'processing').length
  await expect.poll(processing).toBe(2)
  await expect.poll(() => embeddings.asked.length).toBeGreaterThan(from)
  release()
  for (const documentId of ids) await ended(id, documentId)
  const documents = await documentsOf(id)
  expect(documents.filter(({ duplicate_of }) => duplicate_of !== null)).toHaveLength(1)
  expect(documents.map(({ chunk_count }) => chunk_count).toSorted()).toEqual([0, 1])
})

describe('an agent', () => {
  const statusOf = async (agentId: string) =>
    (await service.ask('GET', `/agents/${agentId}`)).body.data.status

  it('waits for a repository that is indexed for the first time, and then takes calls', async () => {
    const id = await newRepository()
    const release = embeddings.hold()
    await addText(id, 'The ferry leaves at eight.')
    const agentId = await newAgent(service, { agent_type: 'knowledgebase_agent', repository_ids: [id] })
    expect(await statusOf(agentId)).toBe('seeding')
    const body = { agent_id: agentId, to_phone_number: '+15550000001' }
    expect((await service.ask('POST', '/calls', { body })).body.code).toBe('AGENT_NOT_ACTIVE')
    release()
    await expect.poll(() => statusOf(agentId)).toBe('active')
    expect((await service.ask('DELETE', `/knowledge-base/${id}`)).body).toMatchObject({
      code: 'RESOURCE_IN_USE',
      message: 'This repository is named by 1 agent; remove it from their repository_ids first.',
    })
  })

  it('cannot name a repository that is not there', async () => {
    const config = { agent_name: 'Ada', llm_agent: {}, repository_ids: [stranger] }
    const reply = await service.ask('POST', '/agents', { body: { agent_config: config } })
    expect(reply.body.details).toEqual([
      { path: 'agent_config.repository_ids.0', message: 'There is no repository with this id.' },
    ])
  })
})

describe('a call', () => {
  it('shows the passages that it was answered from, of its own workspace and as long as they are there', async () => {
    const id = await newRepository()
    const { document_id } = await addText(id, 'The ferry leaves at nine.')
    await finds(id, 'ferry', /at nine/)
    const [found] = await search(id, 'ferry')
    const body = { agent_id: await newAgent(service), to_phone_number: '+15550000001' }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    const passages = async () =>
      (await service.ask('GET', `/calls/${session_id}/passages`)).body.data.passages
    expect(await passages()).toEqual([])
    const source = (chunk_id: string) => ({ document_id, chunk_id, title: 'Notes', score: 0.7 })
    const line = { role: 'agent', content: 'At nine.', sources: [source(found.chunk_id), source(stranger)] }
    await service.database.query(
      'UPDATE calls SET finished = true, due_at = NULL, transcript = $2 WHERE session_id = $1',
      [session_id, JSON.stringify([{ role: 'user', content: 'When does it leave?' }, line, line])],
    )
    const { chunk_id, title, heading, text } = found
    expect(await passages()).toEqual([{ chunk_id, document_id, repository_id: id, title, heading, text }])
    await service.ask('DELETE', `/knowledge-base/${id}/documents/${document_id}`)
    expect(await passages()).toEqual([])
    expect((await service.ask('GET', `/calls/${stranger}/passages`)).body.code).toBe('CALL_NOT_FOUND')
  })
})

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
