// A request that is not let in is refused before a byte of its body is read: most requests here are answered although
// their bodies are never sent.
import { mountPaths, type Operation, transcriptOperations, voiceOperations } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { as, invite } from '../support/people.ts'
import { fill } from '../support/requests/paths.ts'
import { type RawAnswer, RawConnection } from '../support/requests/raw-http.ts'
import { admin, boundKey, openService, type TestService, unboundKey } from '../support/service.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

const stranger = '99999999-9999-4999-8999-999999999999'
const voice = mountPaths.voice
const speech = mountPaths.transcripts
const dashboard = mountPaths.dashboard

let service: TranscriptionFixture
/** A key may make a single request a minute here. */
let strict: TestService
beforeAll(async () => {
  service = await openTranscriptionFixture()
  strict = await openService({ PARLEY_RATE_LIMIT: '1' }, service.database)
})
afterAll(async () => {
  await strict.close()
  await service.close()
})

type Headers = Record<string, string | number>

async function withConnection<T>(url: string, use: (connection: RawConnection) => Promise<T>): Promise<T> {
  const connection = new RawConnection(url)
  try {
    return await use(connection)
  } finally {
    connection.destroy()
  }
}

/** Sends the headers only. */
const announce = (method: string, path: string, headers: Headers, url = service.url): Promise<RawAnswer> =>
  withConnection(url, (connection) => connection.begin(method, path, headers).answer())

const gist = ({ status, body }: RawAnswer): unknown[] => [status, body.code]

/** Bodies that would be refused, by their headers alone. */
const bodies: [string, Headers][] = [
  ['broken JSON', { 'content-type': 'application/json', 'content-length': 4 }],
  ['text', { 'content-type': 'text/plain', 'content-length': 10 }],
  ['5 MB', { 'content-type': 'application/json', 'content-length': 5_000_000 }],
  [
    'a compressed body',
    { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': 9 },
  ],
  ['a body of unknown length', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
  ['an invalid content type', { 'content-type': ';', 'content-length': 3 }],
]

describe.each(bodies)('a POST with %s, on the Voice AI interface', (_what, body) => {
  const post = (headers: Headers, url?: string) =>
    announce('POST', `${voice}/agents`, { ...body, ...headers }, url).then(gist)

  it('is 401 without a valid key', async () => {
    expect(await post({})).toEqual([401, 'API_KEY_MISSING'])
    expect(await post({ 'x-api-key': 'svc_nobody' })).toEqual([401, 'API_KEY_INVALID'])
    expect(await post({ authorization: `Bearer ${boundKey}` })).toEqual([401, 'BEARER_NOT_SUPPORTED'])
  })

  it('is 411 without a workspace', async () => {
    expect(await post({ 'x-api-key': unboundKey })).toEqual([411, 'WORKSPACE_SCOPE_REQUIRED'])
  })

  it('is 403 for another workspace', async () => {
    const other = { 'x-workspace-id': stranger }
    expect(await post({ 'x-api-key': unboundKey, ...other })).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
    expect(await post({ 'x-api-key': boundKey, ...other })).toEqual([403, 'WORKSPACE_CONFLICT'])
  })

  it('is 429 for a key that is over its limit', async () => {
    await strict.ask('GET', '/agents')
    expect(await post({ 'x-api-key': boundKey }, strict.url)).toEqual([429, 'RATE_LIMITED'])
  })

  it('is 400 without an Idempotency-Key', async () => {
    expect(await post({ 'x-api-key': boundKey })).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
  })
})

describe.each(bodies)('a POST with %s, on the speech-to-text interface', (_what, body) => {
  it.each(['/transcripts', '/transcripts/sync', '/files'])(
    'to %s is refused for its key first',
    async (path) => {
      const post = (headers: Headers, url?: string) =>
        announce('POST', speech + path, { ...body, ...headers }, url).then(gist)
      expect(await post({})).toEqual([401, 'API_KEY_MISSING'])
      expect(await post({ authorization: `Bearer ${boundKey}` })).toEqual([401, 'BEARER_NOT_SUPPORTED'])
      await strict.bare('GET', `${speech}/transcripts`, { headers: { authorization: boundKey } })
      expect(await post({ authorization: boundKey }, strict.url)).toEqual([429, 'RATE_LIMITED'])
    },
  )
})

describe.each(bodies)('a POST with %s, on the dashboard', (_what, body) => {
  const post = (path: string, headers: Headers) =>
    announce('POST', dashboard + path, { ...body, ...headers }).then(gist)
  const signIn = async (credentials: { email: string; password: string }) => {
    const { headers, body: made } = await service.bare('POST', `${dashboard}/session`, { body: credentials })
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', 'x-csrf-token': made.data.csrf_token }
  }

  it('is refused for its origin, session, token, role and workspace first', async () => {
    expect(await post('/session', { origin: 'https://evil.example' })).toEqual([403, 'CSRF_TOKEN_INVALID'])
    expect(await post('/invitations', {})).toEqual([401, 'SESSION_REQUIRED'])
    const boss = await signIn(admin)
    expect(await post('/invitations', { cookie: boss.cookie })).toEqual([403, 'CSRF_TOKEN_INVALID'])
    const { cookie, csrf } = await invite(service, { workspaces: [as('viewer')] })
    const person = { cookie, 'x-csrf-token': csrf }
    expect(await post('/invitations', person)).toEqual([403, 'ROLE_REQUIRED'])
    expect(await post('/workspaces', person)).toEqual([403, 'ROLE_REQUIRED'])
    expect(await post(`/workspaces/${stranger}/agents`, person)).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
  })
})

describe('every operation', () => {
  const announced = async (prefix: string, { method, path, params }: Operation) => {
    const ids = Object.fromEntries(Object.keys(params?.shape ?? {}).map((name) => [name, stranger]))
    const answer = await announce(method, prefix + fill(path, ids), {
      'content-type': 'application/json',
      'content-length': 1_000,
    })
    return [`${method} ${path}`, answer.status]
  }

  it.each([
    ['Voice AI', voice, voiceOperations as readonly Operation[]],
    ['speech-to-text', speech, transcriptOperations as readonly Operation[]],
  ])('of %s asks for the key before the body', async (_name, prefix, operations) => {
    const answers = await Promise.all(operations.map((operation) => announced(prefix, operation)))
    expect(answers).toEqual(operations.map(({ method, path }) => [`${method} ${path}`, 401]))
  })

  it('that does not exist asks for the key before the body', async () => {
    const headers = { 'content-type': 'text/plain', 'content-length': 1_000 }
    expect(gist(await announce('POST', `${voice}/nothing`, headers))).toEqual([401, 'API_KEY_MISSING'])
    const known = { ...headers, 'x-api-key': boundKey }
    expect(gist(await announce('POST', `${voice}/nothing`, known))).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  it('with an id that cannot be decoded asks for the key first', async () => {
    for (const id of ['%', '%zz', '%ff', '%e0%a4%a']) {
      expect((await announce('GET', `${voice}/agents/${id}`, {})).status).toBe(401)
      const known = await announce('GET', `${voice}/agents/${id}?x=%`, { 'x-api-key': boundKey })
      expect(gist(known)).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('eight bodies of 1 MB of nested JSON without a key', () => {
  const nested = Buffer.from(`${'['.repeat(524_288)}${']'.repeat(524_288)}`)

  it('are answered before they are sent, and never parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const connections = Array.from({ length: 8 }, () => new RawConnection(service.url))
    try {
      for (const connection of connections) {
        connection.begin('POST', `${voice}/agents`, {
          'content-type': 'application/json',
          'content-length': nested.length,
        })
      }
      const answers = await Promise.all(connections.map((connection) => connection.answer()))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(401))
      for (const connection of connections) connection.write(nested)
      expect((await service.bare('GET', '/healthz')).status).toBe(200)
      // Each connection carries its next request: the body was read over.
      for (const connection of connections) connection.begin('GET', '/healthz', {})
      const next = await Promise.all(connections.map((connection) => connection.answer()))
      expect(next.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(parse.mock.calls.filter(([text]) => String(text).startsWith('[['))).toEqual([])
    } finally {
      parse.mockRestore()
      for (const connection of connections) connection.destroy()
    }
  })
})
