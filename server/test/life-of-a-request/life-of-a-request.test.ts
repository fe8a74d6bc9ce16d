// A request, step by step, through a whole service.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundKey, openService, type TestService, unboundKey, workspaceId } from '../support/service.ts'

const agentConfig = { agent_name: 'Ada', llm_agent: {} }
const newAgent = { agent_config: agentConfig }
const stranger = '99999999-9999-4999-8999-999999999999'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const countAgents = async () =>
  (await service.database.query<{ n: number }>('SELECT count(*)::int AS n FROM agents'))[0]?.n

describe('the request id', () => {
  it("is the client's own if it is valid, in the header and in an error body", async () => {
    const { headers, body } = await service.bare('GET', '/agent/v1/agents', {
      headers: { 'x-request-id': 'order-66_a.b' },
    })
    expect(headers.get('x-request-id')).toBe('order-66_a.b')
    expect(body.request_id).toBe('order-66_a.b')
  })

  it.each(['has spaces', 'x'.repeat(129), 'ütf'])('is generated when the client sends %j', async (given) => {
    const { headers } = await service.bare('GET', '/healthz', {
      headers: { 'x-request-id': encodeURI(given) },
    })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the body', () => {
  const post = (body: string, headers = {}) => service.ask('POST', '/agents', { body, headers })

  it('that is not JSON is INVALID_JSON', async () => {
    const { status, body } = await post('{"agent_config":')
    expect([status, body.code]).toEqual([400, 'INVALID_JSON'])
  })

  it('is refused when it is not UTF-8', async () => {
    const response = await fetch(`${service.url}/agent/v1/agents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': boundKey, 'idempotency-key': randomUUID() },
      body: Buffer.from('{"agent_config":{"agent_name":"\xff","llm_agent":{}}}', 'latin1'),
    })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'INVALID_JSON',
    ])
  })

  it.each([65, 1_000, 20_000])('is refused when it is nested %i levels deep', async (levels) => {
    const deep = `{"agent_config":{"agent_name":"x","llm_agent":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`
    const { status, body } = await post(deep)
    expect([status, body.code]).toEqual([400, 'INVALID_JSON'])
  })

  it.each([
    [
      'a __proto__ key',
      '{"agent_config":{"agent_name":"x","llm_agent":{"__proto__":{"a":1}}}}',
      'agent_config.llm_agent.__proto__',
    ],
    ['a NUL', '{"agent_config":{"agent_name":"a\\u0000b","llm_agent":{}}}', 'agent_config.agent_name'],
    [
      'a lone surrogate',
      '{"agent_config":{"agent_name":"x","llm_agent":{"deep":["\\ud800"]}}}',
      'agent_config.llm_agent.deep.0',
    ],
    [
      'a number that overflows',
      '{"agent_config":{"agent_name":"x","llm_agent":{"n":1e999}}}',
      'agent_config.llm_agent.n',
    ],
  ])('with %s is refused by its path and nothing is stored', async (_what, raw, path) => {
    const before = await countAgents()
    const { status, body } = await post(raw)
    expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
    expect(await countAgents()).toBe(before)
  })

  it('may contain any other Unicode, which is returned unchanged', async () => {
    const agent_name = 'Zoë 🦊 \u0001 \\u0000'
    const { body } = await post(JSON.stringify({ agent_config: { agent_name, llm_agent: {} } }))
    expect(
      (await service.ask('GET', `/agents/${body.data.agent_id}`)).body.data.agent_config.agent_name,
    ).toBe(agent_name)
  })

  it('over the limit is PAYLOAD_TOO_LARGE', async () => {
    const { status, body } = await post(
      `{"agent_config":{"agent_name":"${'x'.repeat(1_100_000)}","llm_agent":{}}}`,
    )
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('as %s is UNSUPPORTED_CONTENT_TYPE', async (type) => {
    const { status, body } = await post('{}', { 'content-type': type })
    expect([status, body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
  })

  it('compressed is UNSUPPORTED_CONTENT_TYPE', async () => {
    const { status, body } = await post('{}', { 'content-encoding': 'gzip' })
    expect([status, body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
  })

  it('with a Content-Encoding of none is read', async () => {
    const { status } = await post(JSON.stringify(newAgent), { 'content-encoding': 'identity' })
    expect(status).toBe(201)
  })

  it('missing where required is an error of the whole body', async () => {
    const { status, body } = await service.ask('POST', '/agents')
    expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', ''])
  })

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ';'])(
    'may be empty as %s where none is expected',
    async (type) => {
      const stop = (headers: Record<string, string>) =>
        service.ask('POST', `/calls/${stranger}/stop`, {
          headers: { 'content-type': type, ...headers },
          body: '',
        })
      expect((await stop({})).body.code).toBe('CALL_NOT_FOUND')
      const full = await service.ask('POST', `/calls/${stranger}/stop`, {
        headers: { 'content-type': type },
        body: 'x',
      })
      expect(full.body.code).toBe('UNSUPPORTED_CONTENT_TYPE')
    },
  )
})

describe('the key', () => {
  const list = (headers: Record<string, string>) => service.bare('GET', '/agent/v1/agents', { headers })

  it.each(['x-api-key', 'svc-api-key', 'x-svc-api-key', 'authorization', 'X-API-KEY'])(
    'is read from %s',
    async (name) => {
      expect((await list({ [name]: boundKey })).status).toBe(200)
    },
  )

  it('missing is 401', async () => {
    expect((await list({})).body.code).toBe('API_KEY_MISSING')
    expect((await list({ 'x-api-key': '  ' })).status).toBe(401)
  })

  it('unknown is 401', async () => {
    const { status, body } = await list({ 'x-api-key': 'svc_nobody' })
    expect([status, body.code]).toEqual([401, 'API_KEY_INVALID'])
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('as %s is 401, even beside a valid one', async (scheme) => {
    const { status, body } = await list({ 'x-api-key': boundKey, authorization: `${scheme} ${boundKey}` })
    expect([status, body.code]).toEqual([401, 'BEARER_NOT_SUPPORTED'])
  })

  it('sent twice is 401, not one of the two', async () => {
    const { status } = await list({ 'x-api-key': `${boundKey}, ${boundKey}` })
    expect(status).toBe(401)
  })

  it('revoked is 401 at once, also in a process that has just used it', async () => {
    const other = await openService({ PARLEY_API_KEY: 'svc_another_key' }, service.database)
    try {
      const headers = { 'x-api-key': 'svc_another_key', 'x-workspace-id': workspaceId }
      expect((await list(headers)).status).toBe(200)
      // The other process revokes it; this one is notified.
      await service.database.query("UPDATE api_keys SET active = false WHERE prefix = 'svc_anot'")
      await service.database.query("SELECT pg_notify('api_keys', '')")
      await expect.poll(async () => (await list(headers)).body.code).toBe('API_KEY_INACTIVE')
    } finally {
      await other.close()
    }
    // The first process restores the key from its environment.
    await (await openService({}, service.database)).close()
  })

  it('is stored as a hash only', async () => {
    const rows = await service.database.query('SELECT * FROM api_keys')
    expect(JSON.stringify(rows)).not.toContain(boundKey)
  })

  it('records its last use', async () => {
    await list({ 'x-api-key': boundKey })
    const second = await openService({}, service.database)
    await second.ask('GET', '/agents')
    await second.close()
    const [row] = await service.database.query<{ last_used_at: Date | null }>(
      "SELECT last_used_at FROM api_keys WHERE setting = 'PARLEY_WORKSPACE_API_KEY'",
    )
    expect(row?.last_used_at).toBeInstanceOf(Date)
  })
})

describe('the workspace', () => {
  const list = (headers: Record<string, string>) => service.bare('GET', '/agent/v1/agents', { headers })

  it.each([
    ['a bound key needs none', { 'x-api-key': boundKey }, 200, undefined],
    [
      'a bound key may repeat its own',
      { 'x-api-key': boundKey, 'x-workspace-id': workspaceId.toUpperCase() },
      200,
      undefined,
    ],
    [
      'a bound key may not name another',
      { 'x-api-key': boundKey, 'x-workspace-id': stranger },
      403,
      'WORKSPACE_CONFLICT',
    ],
    [
      'a bound key may not send an invalid one',
      { 'x-api-key': boundKey, 'x-workspace-id': 'x' },
      403,
      'WORKSPACE_CONFLICT',
    ],
    ['an unbound key names one', { 'x-api-key': unboundKey, 'x-workspace-id': workspaceId }, 200, undefined],
    ['an unbound key without one is 411', { 'x-api-key': unboundKey }, 411, 'WORKSPACE_SCOPE_REQUIRED'],
    [
      'an unbound key with an empty one is 411',
      { 'x-api-key': unboundKey, 'x-workspace-id': '' },
      411,
      'WORKSPACE_SCOPE_REQUIRED',
    ],
    [
      'an unbound key has no access elsewhere',
      { 'x-api-key': unboundKey, 'x-workspace-id': stranger },
      403,
      'WORKSPACE_ACCESS_DENIED',
    ],
    ['the key is checked first', { 'x-workspace-id': stranger }, 401, 'API_KEY_MISSING'],
  ])('%s', async (_what, headers, status, code) => {
    const reply = await list(headers)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })
})

describe('the order of refusals', () => {
  it('puts the scope before the idempotency key, and that before the body', async () => {
    const noScope = await service.bare('POST', '/agent/v1/agents', {
      headers: { 'x-api-key': unboundKey },
      body: {},
    })
    expect(noScope.status).toBe(411)
    const noKey = await service.bare('POST', '/agent/v1/agents', {
      headers: { 'x-api-key': boundKey },
      body: {},
    })
    expect([noKey.status, noKey.body.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
  })
})

describe('unknown addresses', () => {
  it.each([
    ['GET', '/nothing'],
    ['PUT', '/agents'],
    ['HEAD', '/nothing'],
    ['HEAD', '/calls/web'],
    ['OPTIONS', '/agents'],
    ['POST', `/agents/${stranger}`],
  ])('%s %s is 404', async (method, path) => {
    const { status, body } = await service.ask(method, path)
    expect(status).toBe(404)
    if (method !== 'HEAD') expect(body.code).toBe('ROUTE_NOT_FOUND')
  })

  it('are hidden without a valid key', async () => {
    expect((await service.bare('GET', '/agent/v1/nothing')).status).toBe(401)
  })

  it('outside the API are 404 too', async () => {
    expect((await service.bare('GET', '/nothing')).body.code).toBe('ROUTE_NOT_FOUND')
  })

  it.each(['%', '%zz', '%00', 'x'.repeat(300)])('an id such as %j is a documented 4xx', async (id) => {
    const { status, body } = await service.ask('GET', `/agents/${id}`)
    expect([400, 404]).toContain(status)
    expect(body.status).toBe('error')
  })
})

describe('HEAD', () => {
  it('is answered wherever GET is, with the same headers and no body', async () => {
    const { body } = await service.ask('POST', '/agents', { body: newAgent })
    for (const path of [
      '/agents',
      `/agents/${body.data.agent_id}`,
      `/agents/${stranger}`,
      '/webhooks?page=0',
    ]) {
      const [get, head] = [await service.ask('GET', path), await service.ask('HEAD', path)]
      expect([head.status, head.text]).toEqual([get.status, ''])
      for (const name of ['content-type', 'content-length', 'cache-control', 'ratelimit-policy'])
        expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/agent/v1/openapi.json'])
      expect((await service.bare('HEAD', path)).status).toBe(200)
    expect((await service.bare('HEAD', '/agent/v1/agents')).status).toBe(401)
  })

  it('does not start a stream', async () => {
    const { body } = await service.ask('POST', '/agents', { body: newAgent })
    const call = {
      agent_id: body.data.agent_id,
      to_phone_number: '+15550100',
      schedule_time: '2090-01-01T00:00:00Z',
    }
    const placed = await service.ask('POST', '/calls', { body: call })
    expect(placed.status, placed.text).toBe(201)
    const { status, headers } = await service.ask('HEAD', `/calls/${placed.body.data.session_id}/events`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

describe('a slash at the end of a path', () => {
  it('changes nothing', async () => {
    expect((await service.ask('GET', '/agents/?limit=1')).body.data.pagination.limit).toBe(1)
    expect((await service.bare('GET', '/healthz/')).status).toBe(200)
    expect((await service.bare('GET', '/dashboard')).status).toBe(200)
    expect((await service.bare('GET', '/dashboard/')).status).toBe(200)
    const headers = { 'idempotency-key': randomUUID() }
    const made = await service.ask('POST', '/agents/', { headers, body: newAgent })
    expect(made.status).toBe(201)
    expect((await service.ask('POST', '/agents', { headers, body: newAgent })).text).toBe(made.text)
  })
})

describe('malformed HTTP', () => {
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text))
      let received = ''
      socket.on('data', (data) => {
        received += data
      })
      socket.on('end', () => resolve(received))
      socket.on('error', reject)
    })

  it.each([
    ['garbage', 'hello\r\n\r\n'],
    ['headers of 40 KB', `GET /agent/v1/agents HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
    [
      'two lengths',
      'POST /agent/v1/agents HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    ],
    ['no Host', 'GET /agent/v1/agents HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ])('%s is answered 400 with the error body', async (_what, text) => {
    const reply = await raw(text)
    expect(reply).toMatch(/^HTTP\/1\.1 400 /)
    expect(reply).toContain('"code":"MALFORMED_REQUEST"')
  })

  it('an unknown expectation is not 417', async () => {
    const reply = await raw(
      `GET /agent/v1/agents HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nx-api-key: ${boundKey}\r\nconnection: close\r\n\r\n`,
    )
    expect(reply).toMatch(/^HTTP\/1\.1 200 /)
  })

  // As Java's own client and `curl --http2` send it with every request to http.
  const offering = (protocol: string, key: string) =>
    `POST /agent/v1/agents HTTP/1.1\r\nhost: x\r\nconnection: upgrade, http2-settings, close\r\nupgrade: ${protocol}\r\n` +
    `http2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\nx-api-key: ${key}\r\nidempotency-key: ${randomUUID()}\r\n` +
    `content-type: application/json\r\ncontent-length: ${JSON.stringify(newAgent).length}\r\n\r\n${JSON.stringify(newAgent)}`

  it.each(['h2c', 'websocket', 'TLS/1.2'])(
    'an upgrade to %s that nobody takes is passed over',
    async (to) => {
      expect(await raw(offering(to, boundKey))).toMatch(/^HTTP\/1\.1 201 /)
      expect(await raw(offering(to, 'wrong'))).toContain('"code":"API_KEY_INVALID"')
    },
  )
})

describe('the log', () => {
  it('has one wide line per request, without keys, bodies or addresses', async () => {
    service.log.length = 0
    await service.ask('POST', '/agents?page=secret-query', {
      body: { agent_config: { agent_name: 'Very Private Name', llm_agent: {} } },
      headers: { 'x-request-id': 'wide-one' },
    })
    await expect.poll(() => service.log.length).toBe(1)
    const [line = ''] = service.log
    expect(JSON.parse(line)).toMatchObject({
      request_id: 'wide-one',
      method: 'POST',
      route: '/agent/v1/agents',
      workspace_id: workspaceId,
      msg: 'request',
    })
    for (const secret of [boundKey, 'Very Private Name', 'secret-query']) expect(line).not.toContain(secret)
  })
})

it('answers a first request with exactly the documented envelope', async () => {
  const { status, body, headers } = await service.ask('POST', '/agents', { body: newAgent })
  expect(status).toBe(201)
  expect(body).toEqual({ status: 'success', data: { agent_id: expect.any(String), agent_name: 'Ada' } })
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
})
