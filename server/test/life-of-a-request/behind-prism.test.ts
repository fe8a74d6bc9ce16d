// The real service behind Prism, which validates every response against the OpenAPI document.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type Operation, updateAgent } from '@parley/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyAgent } from '../support/any-agent.ts'
import { type Listener, runUntilReady } from '../support/program.ts'
import { answeringOperations, bodyFor, makeOne } from '../support/requests/example.ts'
import { fill } from '../support/requests/paths.ts'
import {
  boundKey,
  makeDatabase,
  openService,
  type TestDatabase,
  type TestService,
  unboundKey,
  workspaceId,
} from '../support/service.ts'

const stranger = '99999999-9999-4999-8999-999999999999'
/** Parameters of what does not exist. */
const strangers = { id: stranger, version: '999999', vendor: 'rime' }

let database: TestDatabase
let service: TestService
/** A second process of the same installation, with one request a minute for each key. */
let limited: TestService
let folder: string
let document: Record<string, unknown>
/** Validates requests and responses. */
let strict: Listener
/** Validates responses only, so that refusals come from the service and not from Prism. */
let lenient: Listener
/** Behind it: passes requests on to either process, because every Prism has to compile the whole document. */
let either: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-prism-'))
  // The receivers of test deliveries do not exist.
  database = await makeDatabase()
  service = await openService(
    { PARLEY_WEBHOOK_TIMEOUT_SECONDS: '0.2', PARLEY_RATE_LIMIT: '1000000' },
    database,
  )
  limited = await openService({ PARLEY_RATE_LIMIT: '1' }, database)
  document = (await service.bare('GET', '/agent/v1/openapi.json')).body
  const withoutSecurity = { ...document, security: [] }
  strict = await startPrism('as-served', service, document)
  either = createServer(passOn).listen(0, '127.0.0.1')
  await once(either, 'listening')
  const { port } = either.address() as AddressInfo
  lenient = await startPrism(
    'without-security',
    { url: `http://127.0.0.1:${port}` },
    withoutSecurity,
    '--validate-request=false',
  )
})
afterAll(async () => {
  await strict?.stop()
  await lenient?.stop()
  either?.close()
  await limited.close()
  await service.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const toLimited = 'x-to-limited'

function passOn(asked: IncomingMessage, answer: ServerResponse): void {
  const { [toLimited]: isLimited, ...headers } = asked.headers
  const target = new URL(asked.url ?? '', isLimited ? limited.url : service.url)
  const passed = request(target, { method: asked.method, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 0, reply.headers)
    reply.pipe(answer)
  })
  asked.pipe(passed.once('error', () => answer.destroy()))
}

async function startPrism(
  name: string,
  { url }: Pick<TestService, 'url'>,
  contents: unknown,
  ...options: string[]
): Promise<Listener> {
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(contents))
  // Prism ignores the path of a server URL, so it is part of the upstream URL.
  return runUntilReady(
    'prism',
    [
      'proxy',
      file,
      `${url}/agent/v1`,
      '--port=0',
      '--host=127.0.0.1',
      '--multiprocess=false',
      '--errors',
      ...options,
    ],
    /listening on (http:\/\/127\.0\.0\.1:\d+)/,
  )
}

interface PrismRequest {
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** One request through Prism. A violation is a 500 of Prism's own, or at least this header. */
async function through({ found }: Listener, method: string, { path, headers = {}, body }: PrismRequest) {
  const response = await fetch(found + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return {
    status: response.status,
    violations: response.headers.get('sl-violations'),
    headers: response.headers,
    body: (await response.json()) as { code?: string; type?: string; data?: Record<string, unknown> },
  }
}

const credentials = ({ method }: Operation): Record<string, string> => ({
  'x-api-key': boundKey,
  ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
})

/** A request that succeeds. */
async function good(
  operation: Operation,
): Promise<Required<Pick<PrismRequest, 'path' | 'headers'>> & PrismRequest> {
  return {
    path: fill(operation.path, (await makeOne(service, operation)) ?? {}),
    headers: credentials(operation),
    ...(operation.body && { body: await bodyFor(service, operation) }),
  }
}

/** Any text is the name of a caller, up to a length. */
const tooLong = 'x'.repeat(321)

describe.each(answeringOperations.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    const { method, path, params, query, body, status } = operation

    // A refusal changes nothing, so that all refusals are of the same request.
    let made: Promise<PrismRequest> | undefined
    const toRefuse = () => (made ??= good(operation))

    const refused = async (
      change: Partial<PrismRequest>,
      headers: Record<string, string | undefined> = {},
    ) => {
      const asked = { ...(await toRefuse()), ...change }
      const all = Object.entries({ ...credentials(operation), ...headers }).filter(
        (entry) => entry[1] !== undefined,
      )
      const reply = await through(lenient, method, {
        ...asked,
        headers: Object.fromEntries(all) as Record<string, string>,
      })
      expect(reply.violations, JSON.stringify(reply.body)).toBeNull()
      return [reply.status, reply.body.code]
    }

    it('answers a good request as documented', async () => {
      const asked = await good(operation)
      const reply = await through(strict, method, asked)
      expect([reply.status, reply.violations], JSON.stringify(reply.body)).toEqual([status, null])
    })

    if (method === 'POST')
      it('replays its answer as documented', async () => {
        const asked = await good(operation)
        await through(strict, method, asked)
        const reply = await through(strict, method, asked)
        expect([reply.status, reply.violations]).toEqual([status, null])
        expect(reply.headers.get('idempotent-replayed')).toBe('true')
      })

    it('refuses with 401 as documented', async () => {
      expect(await refused({}, { 'x-api-key': undefined })).toEqual([401, 'API_KEY_MISSING'])
      expect(await refused({}, { 'x-api-key': 'svc_nobody' })).toEqual([401, 'API_KEY_INVALID'])
      expect(await refused({}, { authorization: `Bearer ${boundKey}` })).toEqual([
        401,
        'BEARER_NOT_SUPPORTED',
      ])
    })

    it('refuses with 403 as documented', async () => {
      expect(await refused({}, { 'x-workspace-id': stranger })).toEqual([403, 'WORKSPACE_CONFLICT'])
      expect(await refused({}, { 'x-api-key': unboundKey, 'x-workspace-id': stranger })).toEqual([
        403,
        'WORKSPACE_ACCESS_DENIED',
      ])
    })

    it('refuses with 411 as documented', async () => {
      expect(await refused({}, { 'x-api-key': unboundKey })).toEqual([411, 'WORKSPACE_SCOPE_REQUIRED'])
    })

    // Whoever asks for an erasure is not told whether there was anything to erase.
    // Every vendor can be given credentials, and tells whether it has some.
    if (params && !['eraseCaller', 'getCredentials', 'putCredentials'].includes(operation.id))
      it('refuses with 404 as documented', async () => {
        const all = Object.fromEntries(Object.keys(params.shape).map((name) => [name, stranger]))
        const [answer, code] = await refused({ path: fill(path, { ...all, ...strangers }) })
        expect([answer, code]).toEqual([404, expect.stringMatching(/_NOT_FOUND$/)])
      })

    if (params)
      it('refuses a malformed id with 400 as documented', async () => {
        expect(
          await refused({ path: path.replace('{number}', tooLong).replaceAll(/\{\w+\}/g, 'nonsense') }),
        ).toEqual([400, 'VALIDATION_ERROR'])
      })

    if (query)
      it('refuses a bad query with 400 as documented', async () => {
        const { path: address } = await toRefuse()
        expect(await refused({ path: `${address}?nonsense=1` })).toEqual([400, 'VALIDATION_ERROR'])
        expect(await refused({ path: `${address}?%00=1` })).toEqual([400, 'VALIDATION_ERROR'])
      })

    if (body)
      it('refuses a bad body with 400 as documented', async () => {
        expect(await refused({ body: { nonsense: 1 } })).toEqual([400, 'VALIDATION_ERROR'])
        expect(await refused({ body: '<a/>' }, { 'content-type': 'text/xml' })).toEqual([
          400,
          'UNSUPPORTED_CONTENT_TYPE',
        ])
      })

    if (method === 'POST')
      it('refuses a missing Idempotency-Key with 400 as documented', async () => {
        expect(await refused({}, { 'idempotency-key': undefined })).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
      })

    it('refuses with 429 as documented', async () => {
      const scope = { 'x-api-key': unboundKey, 'x-workspace-id': workspaceId, [toLimited]: 'yes' }
      const ask = () => refused({}, scope)
      // The request is repeated more than twice, because a minute may end in between.
      await expect.poll(ask).toEqual([429, 'RATE_LIMITED'])
    })
  },
)

it('agents of every shape are written and read as documented', async () => {
  const configs = anyAgent(createAgent.body.shape.agent_config)
  const patches = anyAgent(updateAgent.body.shape.agent_config)
  const headers = () => ({ 'x-api-key': boundKey, 'idempotency-key': randomUUID() })
  await fc.assert(
    fc.asyncProperty(configs, patches, async (config, patch) => {
      const made = await through(strict, 'POST', {
        path: '/agents',
        headers: headers(),
        body: { agent_config: config },
      })
      expect([made.status, made.violations], JSON.stringify(made.body)).toEqual([201, null])
      const path = `/agents/${made.body.data?.agent_id}`
      const changed = await through(strict, 'PATCH', {
        path,
        headers: headers(),
        body: { agent_config: patch },
      })
      expect([changed.status, changed.violations], JSON.stringify(changed.body)).toEqual([200, null])
      const read = await through(strict, 'GET', { path, headers: headers() })
      expect([read.status, read.violations], JSON.stringify(read.body)).toEqual([200, null])
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

it('an answer that differs from the document would be noticed', async () => {
  const paths = { '/agents': (document.paths as Record<string, unknown>)['/agents'] }
  const wrong = JSON.parse(JSON.stringify({ ...document, paths }), (key, value) =>
    key === 'agent_id' && value?.type === 'string' ? { type: 'integer' } : value,
  )
  const misled = await startPrism('wrong', service, wrong)
  try {
    const { headers, body } = await good(createAgent)
    const reply = await through(misled, 'POST', { path: '/agents', headers, body })
    expect(reply.status).toBe(500)
    expect(reply.body.type).toContain('VIOLATIONS')
    expect(reply.violations).toContain('agent_id')
  } finally {
    await misled.stop()
  }
})
