// Fuzzing: any request to any operation gets a documented response. Requests are generated from the contract's own
// schemas, valid or mutated; a failure prints the seed and path with which fast-check repeats it.
import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { AgentConfig, AgentPatch, ErrorBody, errors, type Operation } from '@parley/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anything, fitting, type Json } from './support/arbitrary.ts'
import { answeringOperations, fill, makeOne } from './support/example.ts'
import { boundKey, openService, type TestService, unboundKey, workspaceId } from './support/service.ts'

// Enough for every kind of mutation to occur several times per operation. FUZZ=10 runs ten times as many.
const times = Number(process.env.FUZZ ?? 1)
const runs = { whole: 40 * times, spoilt: 80 * times, roundTrip: 60 * times }

const statuses = [200, 201, 202, 400, 401, 403, 404, 411, 429]

let service: TestService
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  // The receivers of test deliveries do not exist; a slow name server must not hold up hundreds of them.
  service = await openService({ PARLEY_RATE_LIMIT: '1000000', PARLEY_WEBHOOK_TIMEOUT_SECONDS: '0.2' })
})
afterAll(async () => {
  agent.destroy()
  await service.close()
})

// --- Requests, and their mutations -----------------------------------------------------------------------------

interface Sent {
  params: Record<string, Json>
  /** Replaces every path parameter, not encoded. */
  rawParam?: string
  query: [name: string, value: string][]
  /** An array is sent as the same header several times. */
  headers: OutgoingHttpHeaders
  body?: string | Uint8Array
}

const part = (schema: z.ZodObject | undefined) =>
  (schema ? fitting(schema) : fc.constant({})) as fc.Arbitrary<Record<string, Json>>

/** Requests that match the operation's schemas. */
const whole = (operation: Operation): fc.Arbitrary<Sent> =>
  fc
    .tuple(
      part(operation.params),
      part(operation.query),
      operation.body ? fitting(operation.body).map((body) => JSON.stringify(body)) : fc.constant(undefined),
    )
    .map(([params, query, body]) => ({
      params,
      query: Object.entries(query).map(([name, value]) => [name, String(value)]),
      headers: { 'x-api-key': boundKey, ...(operation.body && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    }))

/** Every value inside a JSON value, as its parent and its key there. */
function placesIn(value: Json, found: [holder: Record<string, Json>, key: string][] = []) {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    found.push([value as Record<string, Json>, key])
    placesIn(inner, found)
  }
  return found
}

type Spoil = (sent: Sent) => Sent

/** Changes one value in the body; `change` gets its parent and key. */
const inBody = (at: number, change: (holder: Record<string, Json>, key: string) => void): Spoil => {
  return (sent) => {
    const root = { body: JSON.parse(typeof sent.body === 'string' ? sent.body : '{}') as Json }
    const places = placesIn(root)
    const [holder, key] = places[at % places.length] ?? [root, 'body']
    change(holder, key)
    return { ...sent, body: JSON.stringify(root.body) ?? '' }
  }
}

const place = fc.nat({ max: 200 })
const marked = '"put the number here"'
const put =
  (value: Json) =>
  (holder: Record<string, Json>, key: string): void => {
    holder[key] = value
  }

const withHeaders =
  (headers: OutgoingHttpHeaders): Spoil =>
  (sent) => ({ ...sent, headers: { ...sent.headers, ...headers } })

const hostileText = fc.constantFrom('a\0b', '\0', '\ud800', 'x\udfff', '\udc00\ud800')
const hugeNumber = fc.constantFrom(
  '1e999',
  '-1e999',
  '1E400',
  '9'.repeat(400),
  `-${'1'.repeat(310)}`,
  '1e308',
)
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)) })
  .map((made) => made.replaceAll('\x7f', '').trim())

const spoils: Record<string, fc.Arbitrary<Spoil>> = {
  'a value of any type': fc.tuple(place, anything).map(([at, value]) => inBody(at, put(value))),
  'a missing key': place.map((at) =>
    inBody(at, (holder, key) => {
      if (Array.isArray(holder)) holder.pop()
      else delete holder[key]
    }),
  ),
  'an unknown key': fc.tuple(place, fc.string(), anything).map(([at, name, value]) =>
    inBody(at, (holder) => {
      holder[`unknown ${name}`] = value
    }),
  ),
  'a __proto__ key': fc.tuple(place, anything).map(([at, value]) =>
    inBody(at, (holder) => {
      Object.defineProperty(holder, '__proto__', { value, enumerable: true })
    }),
  ),
  'text that is none': fc.tuple(place, hostileText).map(([at, text]) => inBody(at, put(text))),
  'a key that is none': fc.tuple(place, hostileText).map(([at, text]) =>
    inBody(at, (holder) => {
      holder[text] = 1
    }),
  ),
  'a huge number': fc.tuple(place, hugeNumber).map(([at, digits]) => {
    const mark = inBody(at, put(JSON.parse(marked)))
    return (sent) => {
      const made = mark(sent)
      return { ...made, body: String(made.body).replace(marked, digits) }
    }
  }),
  'deep nesting': fc
    .tuple(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom('[', '{"a":'))
    .map(([depth, open]) => (sent) => ({
      ...sent,
      body: `{"agent_config":${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}}`,
    })),
  'truncated JSON': fc.nat({ max: 400 }).map((length) => (sent) => ({
    ...sent,
    body: (typeof sent.body === 'string' ? sent.body : '{"a":1}').slice(0, length),
  })),
  'random bytes': fc.uint8Array({ maxLength: 200 }).map((body) => (sent) => ({ ...sent, body })),
  'any JSON': anything.map((body) => (sent) => ({ ...sent, body: JSON.stringify(body) })),
  'another content type': fc
    .oneof(
      headerText,
      fc.constantFrom(
        ...[
          'text/plain',
          'application/xml',
          'multipart/form-data; boundary=x',
          'application/json-patch+json',
        ],
        ...['application/json; charset=utf-16', 'application/json;;', 'APPLICATION/JSON', '*/*', '/', ';'],
      ),
    )
    .map((type) => withHeaders({ 'content-type': type })),
  'another content encoding': fc
    .constantFrom('gzip', 'br', 'identity', '')
    .map((encoding) => withHeaders({ 'content-encoding': encoding })),
  'another key': fc
    .oneof(
      headerText.map((key) => ({ 'x-api-key': key })),
      fc.constantFrom<OutgoingHttpHeaders[]>(
        { 'x-api-key': [boundKey, boundKey] },
        { 'x-api-key': [boundKey, unboundKey] },
        { authorization: `Bearer ${boundKey}` },
        { authorization: 'Basic Og==' },
        { 'x-api-key': unboundKey },
        { 'x-api-key': '', 'svc-api-key': unboundKey, 'x-workspace-id': workspaceId },
      ),
    )
    .map(withHeaders),
  'another workspace': fc
    .oneof(headerText, fc.uuid(), fc.constant<string[]>([workspaceId, workspaceId]))
    .map((named) => withHeaders({ 'x-workspace-id': named })),
  'another idempotency key': fc
    .oneof(headerText, fc.constant<string[]>(['a', 'b']), fc.constant('x'.repeat(5_000)))
    .map((key) => withHeaders({ 'idempotency-key': key })),
  'another request id': headerText.map((id) => withHeaders({ 'x-request-id': id })),
  'another id': fc
    .oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ...['', '.', '..', '0', 'null', `${workspaceId}0`, workspaceId.slice(1), `{${workspaceId}}`],
        ...[` ${workspaceId}`, workspaceId.replaceAll('-', ''), '\0', "' OR 1=1 --", 'x'.repeat(3_000)],
      ),
    )
    .map((id) => (sent) => ({ ...sent, rawParam: encodeURIComponent(id) })),
  'an id that is no part of an address': fc
    .constantFrom('%', '%zz', '%00', '%2e%2e', '%ff', '/', '//', '?', 'a/b', '%2f')
    .map((rawParam) => (sent) => ({ ...sent, rawParam })),
  'another query': fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom('page', 'limit', 'page[]', '__proto__', 'constructor'), fc.string()),
        fc.oneof(
          fc.constantFrom(
            '0',
            '-1',
            '1.5',
            '1e3',
            '101',
            '9007199254740991',
            '9007199254740993',
            '9'.repeat(400),
            '',
            ' 1',
            'NaN',
          ),
          fc.string({ unit: 'binary' }),
          fc.nat().map(String),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((query) => (sent) => ({ ...sent, query })),
}

/** A valid request with one mutation. */
const spoilt = (operation: Operation) =>
  fc
    .tuple(
      whole(operation),
      fc.oneof(...Object.entries(spoils).map(([name, spoil]) => spoil.map((by) => ({ name, by })))),
    )
    .map(([sent, { name, by }]) => ({ spoiltBy: name, sent: by(sent) }))

// --- Sending, and what holds for every response -----------------------------------------------------------------

interface Received {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** One request with exactly these headers, duplicates included; fetch would normalise them. */
const send = (operation: Operation, { params, rawParam, query, headers, body }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { method, path } = operation
    const address = rawParam === undefined ? fill(path, params) : path.replaceAll(/\{\w+\}/g, () => rawParam)
    const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
    const bytes = body === undefined ? undefined : Buffer.from(body as string)
    const outgoing = request(
      `${service.url}/agent/v1/`,
      {
        agent,
        method,
        path: `/agent/v1${address}${search && `?${search}`}`,
        headers: {
          ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
          ...(bytes && { 'content-length': bytes.length }),
          ...headers,
        },
      },
      async (incoming) => {
        incoming.setEncoding('utf8')
        const chunks: string[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: chunks.join('') }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })

function mustBeDocumented(operation: Operation, { status, headers, text }: Received): void {
  expect(statuses, text).toContain(status)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  if (status < 400) {
    expect(status).toBe(operation.status)
    const enveloped = z.strictObject({ status: z.literal('success'), data: operation.data })
    ;(operation.answers === 'bare' ? operation.data : enveloped).parse(JSON.parse(text))
    return
  }
  const { code, details, request_id } = ErrorBody.parse(JSON.parse(text))
  expect(errors[code][0]).toBe(status)
  if (code === 'VALIDATION_ERROR') expect(details.length).toBeGreaterThan(0)
  if (headers['x-request-id'] !== undefined && headers['idempotent-replayed'] === undefined) {
    expect(request_id).toBe(headers['x-request-id'])
  }
}

const countAgents = async () =>
  (await service.database.query<{ n: number }>('SELECT count(*)::int AS n FROM agents'))[0]?.n

/** Refusals of requests that match their schema, by rules that a schema cannot express. */
const webhookRules = ['UNSUPPORTED_EVENT', 'WEBHOOK_URL_NOT_PUBLIC', 'AGENT_NOT_FOUND']
const byRule: Record<string, readonly string[]> = {
  createWebhook: webhookRules,
  updateWebhook: webhookRules,
  // The agent or the phone number does not exist, or the time is in the past.
  placeCall: ['AGENT_NOT_FOUND', 'PHONE_NUMBER_NOT_FOUND', 'VALIDATION_ERROR'],
  startWebCall: ['AGENT_NOT_FOUND'],
  // Also: an unknown time zone, an empty window, a duplicate id.
  createBatch: ['AGENT_NOT_FOUND', 'PHONE_NUMBER_NOT_FOUND', 'VALIDATION_ERROR'],
  updateBatch: ['VALIDATION_ERROR'],
}

describe.each(answeringOperations.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    /** For a resource that exists, or for the ids of the request. */
    const aim = async (sent: Sent, atExisting: boolean) => {
      const existing = atExisting ? await makeOne(service, operation) : undefined
      return { sent: existing ? { ...sent, params: existing } : sent, exists: existing !== undefined }
    }

    it('accepts any request that matches its schema', async () => {
      await fc.assert(
        fc.asyncProperty(whole(operation), fc.boolean(), async (made, atExisting) => {
          const { sent, exists } = await aim(made, atExisting)
          const received = await send(operation, sent)
          mustBeDocumented(operation, received)
          if (byRule[operation.id]?.includes(JSON.parse(received.text).code)) return
          expect(received.status, received.text).toBe(operation.params && !exists ? 404 : operation.status)
        }),
        { numRuns: runs.whole },
      )
    })

    it('answers any mutated request as documented, and a refused one changes nothing', async () => {
      await fc.assert(
        fc.asyncProperty(spoilt(operation), fc.boolean(), async (made, atExisting) => {
          const { sent } = await aim(made.sent, atExisting)
          const before = await countAgents()
          const received = await send(operation, sent)
          mustBeDocumented(operation, received)
          if (received.status >= 400) expect(await countAgents()).toBe(before)
        }),
        { numRuns: runs.spoilt },
      )
    })
  },
)

// --- Round trips ------------------------------------------------------------------------------------------------

type Tree = Record<string, Json>

/** The objects that an update merges key by key; everything else is replaced. */
const merging = [
  'llm_agent',
  'llm_agent.llm_config',
  'synthesizer',
  'synthesizer.provider_config',
  'transcriber',
  'task_config',
  'input',
  'output',
]

function afterPatch(config: Tree, patch: Tree): Tree {
  const expected = structuredClone(config)
  // Parents first: a child is merged into what its parent already holds.
  const assign = (target: Tree, change: Tree, path: string) => {
    for (const [key, value] of Object.entries(change)) {
      const at = path + key
      const held = Object.hasOwn(target, key) ? target[key] : undefined
      if (merging.includes(at) && isTree(held) && isTree(value)) assign(held, value, `${at}.`)
      else target[key] = structuredClone(value)
    }
  }
  assign(expected, patch, '')
  return expected
}

const isTree = (value: Json | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** After a round trip over JSON: -0 is 0. */
const overTheWire = (value: Json): Tree => JSON.parse(JSON.stringify(value))

/** An agent that waits for nothing is not seeding. */
const settled = (config: Tree): Tree =>
  config.status === 'seeding' ? { ...config, status: 'active' } : config

describe('an agent', () => {
  const read = async (id: string) => (await service.ask('GET', `/agents/${id}`)).body.data

  it('is read as written, with defaults applied and updates merged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fitting(AgentConfig).map(overTheWire),
        fc.array(fitting(AgentPatch).map(overTheWire), { minLength: 1, maxLength: 3 }),
        async (config, patches) => {
          const made = await service.ask('POST', '/agents', { body: { agent_config: config } })
          expect(made.status, made.text).toBe(201)
          const id = made.body.data.agent_id
          let expected: Tree = settled({ status: 'active', ...(AgentConfig.parse(config) as Tree) })
          expect(await read(id)).toMatchObject({ agent_id: id, status: expected.status })
          expect((await read(id)).agent_config).toEqual(expected)
          for (const patch of patches) {
            const changed = await service.ask('PATCH', `/agents/${id}`, { body: { agent_config: patch } })
            expect(changed.status, changed.text).toBe(200)
            expected = settled(afterPatch(expected, patch))
            expect(changed.body.data.agent_config).toEqual(expected)
            expect((await read(id)).agent_config).toEqual(expected)
          }
        },
      ),
      {
        numRuns: runs.roundTrip,
        examples: [
          // Names on Object.prototype; as keys of a user they are ordinary.
          [
            { agent_name: 'a', llm_agent: {} },
            [
              { synthesizer: { provider_config: { constructor: { a: 1 } } } },
              { synthesizer: { provider_config: { constructor: { b: 1 } } } },
            ],
          ],
        ],
      },
    )
  })
})
