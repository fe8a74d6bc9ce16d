// Credentials for vendors: what is stored, shown and refused, and what a vendor on loopback says to them.
import { VendorCredentials } from '@parley/contract'
import { Parley } from '@parley/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDeepgramStt } from '../props/vendors/deepgram-stt.ts'
import { openDeepgramTts } from '../props/vendors/deepgram-tts.ts'
import type { TtsServer } from '../props/vendors/tts-suite.ts'
import { answerJson, openVendorServer } from '../props/vendors/vendor-server.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

const secret = 'dg-7f3a0c55e7d2b4891bc'

/** OpenAI's list of models. */
const openModels = (answer: object) =>
  openVendorServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${secret}`,
    request: (client) => answerJson(client, answer),
  })

let service: TestService
let vendor: TtsServer

beforeAll(async () => {
  vendor = await openDeepgramTts(secret)
  service = await openService({
    PARLEY_ROLES: 'api',
    PARLEY_TRUSTED_HOSTS: '127.0.0.1',
    PARLEY_CARTESIA_API_KEY: 'installed-key',
  })
})
afterAll(async () => {
  await service?.close()
  await vendor?.close()
})

const put = (name: string, body: object) => service.ask('PUT', `/credentials/${name}`, { body })
const stored = async (name: string) => {
  const { body } = await service.ask('GET', '/credentials')
  const all = body.data.vendors.map((one: unknown) => VendorCredentials.parse(one))
  return all.find((one: VendorCredentials) => one.vendor === name) as VendorCredentials
}

it('every vendor is listed with what it needs and whose credentials are used', async () => {
  expect(await stored('polly')).toMatchObject({
    label: 'Amazon Polly',
    uses: ['synthesizer'],
    agent_names: ['polly'],
    source: 'none',
    fields: [
      { name: 'access_key_id', is_required: true, is_secret: false },
      { name: 'secret_access_key', is_required: true, is_secret: true },
      { name: 'region', is_required: true, is_secret: false },
      { name: 'session_token', is_required: false, is_secret: true },
    ],
  })
  expect(await stored('openai')).toMatchObject({ uses: ['synthesizer', 'transcriber', 'language_model'] })
  expect(await stored('azure')).toMatchObject({ agent_names: ['azuretts', 'azure'] })
  expect(await stored('cartesia')).toMatchObject({ source: 'installation', credentials: null })
})

it('a key is checked when it is stored, shown by its ends, and asked about again', async () => {
  const body = { credentials: { api_key: secret }, base_url: vendor.baseUrl }
  const reply = await put('deepgram', body)
  expect(reply.status, reply.text).toBe(200)
  expect(VendorCredentials.parse(reply.body.data)).toMatchObject({
    source: 'workspace',
    credentials: { api_key: 'dg-…91bc' },
    base_url: vendor.baseUrl,
    last_check: { ok: true, http_status: 200, message: 'The key is valid.' },
  })
  expect(reply.text).not.toContain(secret)
  expect(await stored('deepgram')).toEqual(reply.body.data)
  expect((await service.ask('GET', '/credentials/deepgram')).body.data).toEqual(reply.body.data)
  expect((await service.ask('GET', '/credentials/rime')).body.data).toMatchObject({ source: 'none' })

  vendor.fault = { is: 'refuse', status: 503 }
  const asked = await service.ask('POST', '/credentials/deepgram/check')
  expect(asked.body.data).toMatchObject({ ok: null, http_status: 503 })
  expect((await stored('deepgram')).last_check).toEqual(asked.body.data)
  vendor.fault = undefined
})

it('a valid key is told which models of its agents end, by the vendor’s own dates before those known here', async () => {
  const models = await openModels({
    object: 'list',
    data: [
      { id: 'gpt-5-mini', object: 'model', created: 1, owned_by: 'openai', shutdown_date: '2031-05-06' },
      { id: 'gpt-9', object: 'model', created: 1, owned_by: 'openai', shutdown_date: '2031-07-08' },
      { id: 'gpt-9-terra', object: 'model', created: 1, owned_by: 'openai', shutdown_date: null },
      { id: 'gpt-0', object: 'model', created: 1, owned_by: 'openai', shutdown_date: '2020-01-01' },
    ],
  })
  const agent = (llm_config: object, more: object = {}) =>
    service.ask('POST', '/agents', {
      body: { agent_config: { agent_name: 'Ada', llm_agent: { llm_config }, ...more } },
    })
  const fallback = [
    { provider: 'openai', model: 'gpt-9' },
    { provider: 'groq', model: 'llama-3.1-8b-instant' },
  ]
  await agent({ provider: 'openai', model: 'gpt-5-mini', fallback })
  await agent(
    { provider: 'openai', model: 'gpt-9-terra' },
    { transcriber: { provider: 'openai', model: 'whisper-1' } },
  )
  const { body, text } = await put('openai', { credentials: { api_key: secret }, base_url: models.baseUrl })
  expect(body.data.last_check?.message, text).toBe(
    'The key is valid. Agents here use models that end. OpenAI ends gpt-5-mini on 6 May 2031. Use gpt-5.6-terra instead. ' +
      'OpenAI ends gpt-9 on 8 July 2031. ' +
      `OpenAI ${new Date() < new Date('2027-02-26') ? 'ends' : 'ended'} whisper-1 on 26 February 2027. ` +
      'Use gpt-live-transcribe (for recordings gpt-transcribe) instead.',
  )
  await models.close()
  await service.ask('DELETE', '/credentials/openai')
})

it('a key that the vendor refuses is stored, and the refusal is told', async () => {
  const { body, text } = await put('deepgram', {
    credentials: { api_key: 'wrong-key-of-mine' },
    base_url: vendor.baseUrl,
  })
  expect(body.data.last_check).toMatchObject({ ok: false, http_status: 401 })
  expect(body.data.last_check.message).toMatch(/^Refused: 401: .*It was refused/)
  expect(text).not.toContain('wrong-key-of-mine')
})

it('a vendor that is not there is no reason to refuse the key', async () => {
  const { body } = await put('deepgram', {
    credentials: { api_key: secret },
    base_url: 'http://127.0.0.1:1',
  })
  expect(body.data.last_check).toMatchObject({
    ok: null,
    http_status: null,
    message: 'Deepgram could not be reached: ECONNREFUSED.',
  })
})

it('a service account that is none is told as such, and not repeated', async () => {
  const { status, body, text } = await put('google', { credentials: { service_account: 'hunter2-hunter2' } })
  expect(status, text).toBe(200)
  expect(body.data.last_check).toMatchObject({
    ok: false,
    http_status: null,
    message: 'The service account of Google must be its JSON file, with client_email and private_key.',
  })
  expect(text).not.toContain('hunter2-hunter2')
})

it.each([
  ['deepgram', { credentials: {} }, 'credentials.api_key', 'Deepgram needs it.'],
  [
    'deepgram',
    { credentials: { api_key: 'k', region: 'x' } },
    'credentials.region',
    'Deepgram takes api_key.',
  ],
  [
    'deepgram',
    { credentials: { api_key: 'dg-…91bc' } },
    'credentials.api_key',
    'Is how a stored secret is shown: give it itself.',
  ],
  [
    'azure',
    { credentials: { api_key: 'k', region: 'example.com/' } },
    'credentials.region',
    'Has letters, figures and hyphens only.',
  ],
])('for %s, %o is refused at %s', async (name, body, path, message) => {
  const reply = await put(name, body)
  expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(reply.body.details).toContainEqual({ path, message })
})

it('an address in a private network is refused unless the operator trusts it', async () => {
  const reply = await put('deepgram', { credentials: { api_key: secret }, base_url: 'https://10.0.0.1' })
  expect([reply.status, reply.body.code]).toEqual([400, 'URL_NOT_PUBLIC'])
})

it('each service may have an address of its own, all of which are asked', async () => {
  const ears = await openDeepgramStt(secret)
  const body = {
    credentials: { api_key: secret },
    base_urls: { synthesizer: vendor.baseUrl, transcriber: ears.baseUrl },
  }
  try {
    const { body: reply, status, text } = await put('deepgram', body)
    expect(status, text).toBe(200)
    expect(VendorCredentials.parse(reply.data)).toMatchObject({
      base_url: null,
      base_urls: body.base_urls,
      last_check: {
        ok: true,
        message: 'synthesizer: The key is valid. transcriber: The key is valid.',
      },
    })
    expect(await stored('deepgram')).toEqual(reply.data)
    vendor.fault = { is: 'refuse', status: 401 }
    const asked = await service.ask('POST', '/credentials/deepgram/check')
    expect(asked.body.data).toMatchObject({ ok: false, http_status: 401 })
    expect(asked.body.data.message).toMatch(/^synthesizer: Refused: 401.* transcriber: The key is valid\.$/)
  } finally {
    vendor.fault = undefined
    await ears.close()
  }
})

it('the guard judges each address', async () => {
  const base_urls = {
    synthesizer: vendor.baseUrl,
    transcriber: 'https://10.0.0.1',
    recordings: 'https://192.168.7.7',
  }
  const reply = await put('deepgram', { credentials: { api_key: secret }, base_urls })
  expect([reply.status, reply.body.code]).toEqual([400, 'URL_NOT_PUBLIC'])
  expect(reply.body.details.map(({ path }: { path: string }) => path)).toEqual([
    'base_urls.transcriber',
    'base_urls.recordings',
  ])
  const odd = await put('deepgram', { credentials: { api_key: secret }, base_urls: { ears: vendor.baseUrl } })
  expect([odd.status, odd.body.code]).toEqual([400, 'VALIDATION_ERROR'])
})

it('credentials are a workspace’s own, and are deleted', async () => {
  await put('deepgram', { credentials: { api_key: secret }, base_url: vendor.baseUrl })
  const [row] = await service.database.query<{ workspace_id: string }>(
    'UPDATE vendor_credentials SET workspace_id = gen_random_uuid() RETURNING workspace_id',
  )
  expect(row).toBeDefined()
  const parley = new Parley({ baseUrl: `${service.url}/agent/v1`, apiKey: boundKey })
  const seen = (await parley.credentials.list()).vendors.find((one) => one.vendor === 'deepgram')
  expect(seen).toMatchObject({ source: 'none', credentials: null })
  await expect(parley.credentials.delete('deepgram')).rejects.toMatchObject({ code: 'CREDENTIALS_NOT_FOUND' })
  await expect(parley.credentials.check('deepgram')).rejects.toMatchObject({ status: 404 })

  await put('deepgram', { credentials: { api_key: secret }, base_url: vendor.baseUrl })
  expect((await service.ask('DELETE', '/credentials/deepgram')).body.data).toEqual({
    vendor: 'deepgram',
    deleted: true,
  })
  expect((await stored('deepgram')).source).toBe('none')
})

it('is nowhere in the database or in the log in the clear', async () => {
  await put('deepgram', { credentials: { api_key: secret }, base_url: vendor.baseUrl })
  const tables = await service.database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  )
  expect(tables.map(({ name }) => name)).toContain('public.vendor_credentials')
  const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
  for (const { name } of tables)
    for (const form of forms)
      expect(
        await service.database.query(`SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0`, [form]),
        name,
      ).toEqual([])
  expect(service.log.length).toBeGreaterThan(0)
  for (const key of [secret, 'wrong-key-of-mine', 'hunter2-hunter2'])
    expect(service.log.join('')).not.toContain(key)
})
