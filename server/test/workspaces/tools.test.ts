// The resource of tools: what is stored, shown and refused, and trials against a server on loopback.
import { randomUUID } from 'node:crypto'
import { StoredTool, ToolTried } from '@parley/contract'
import { Parley } from '@parley/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newAgent } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'
import { openToolServer, type ToolServer } from '../support/tool-server.ts'

let service: TestService
let server: ToolServer

beforeAll(async () => {
  server = await openToolServer()
  service = await openService({ PARLEY_ROLES: 'api', PARLEY_TRUSTED_HOSTS: '127.0.0.1' })
})
beforeEach(() => {
  server.seen.length = 0
  server.answer = { status: 200, body: '{"order":{"state":"on its way","items":[{"id":7}]}}' }
})
afterAll(async () => {
  await service?.close()
  await server?.close()
})

const secret = 'Bearer r4nd0m-and-long-w9Qz'
const parameters = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
const http = (more: object = {}) => ({
  type: 'http',
  name: 'find_order',
  parameters,
  url: `${server.url}/orders`,
  ...more,
})
const create = (body: object) => service.ask('POST', '/tools', { body })
const made = async (body: object) => {
  const reply = await create(body)
  expect(reply.status, reply.text).toBe(201)
  return StoredTool.parse(reply.body.data)
}
const trial = async (body: object, sample: object = { arguments: { id: 'A 7' } }) => {
  const { tool_id } = await made(body)
  const reply = await service.ask('POST', `/tools/${tool_id}/try`, { body: sample })
  expect(reply.status, reply.text).toBe(200)
  return ToolTried.parse(reply.body.data)
}
const faultsOf = ({ body }: { body: { details?: { path: string; message: string }[] } }) =>
  Object.fromEntries((body.details ?? []).map(({ path, message }) => [path, message]))

describe('a tool', () => {
  it('is created, read, listed, changed and removed', async () => {
    const tool = await made(http({ description: 'Finds an order.', save: { state: 'order.state' } }))
    expect(tool).toMatchObject({
      method: 'POST',
      timeout_seconds: 10,
      headers: null,
      save: { state: 'order.state' },
    })
    const { tool_id } = tool
    expect((await service.ask('GET', `/tools/${tool_id}`)).body.data).toEqual(tool)
    const listed = await service.ask('GET', '/tools?type=http&limit=1')
    expect(listed.body.data).toMatchObject({ data: [tool], pagination: { limit: 1 } })
    expect((await service.ask('GET', '/tools?type=mcp')).body.data.data).toEqual([])
    const change = { name: 'look_up', timeout_seconds: 5, save: null }
    const changed = (await service.ask('PATCH', `/tools/${tool_id}`, { body: change })).body.data
    expect(changed).toMatchObject({ ...change, description: 'Finds an order.' })
    expect((await service.ask('DELETE', `/tools/${tool_id}`)).body.data).toEqual({ tool_id, deleted: true })
    expect((await service.ask('GET', `/tools/${tool_id}`)).body.code).toBe('TOOL_NOT_FOUND')
  })

  it('belongs to its workspace', async () => {
    const { tool_id } = await made(http())
    await service.database.query('UPDATE tools SET workspace_id = gen_random_uuid() WHERE tool_id = $1', [
      tool_id,
    ])
    const requests = [
      ['GET', ''],
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', '/try', {}],
    ] as const
    for (const [method, path, body] of requests) {
      const reply = await service.ask(method, `/tools/${tool_id}${path}`, { body })
      expect([reply.status, reply.body.code]).toEqual([404, 'TOOL_NOT_FOUND'])
    }
    const agent = { agent_name: 'Ada', llm_agent: {}, tool_definition_ids: [tool_id] }
    expect((await service.ask('POST', '/agents', { body: { agent_config: agent } })).status).toBe(400)
  })

  it.each<[string, () => object, string, RegExp]>([
    ['no address', () => ({ type: 'http', name: 'a' }), 'url', /Is needed/],
    [
      'a host that the model fills in',
      () => http({ url: 'https://{host}/x' }),
      'url',
      /without placeholders/,
    ],
    ['a GET with a body', () => http({ method: 'GET', body: {} }), 'body', /no body/],
    ['a body that is not JSON', () => http({ body: '{"a":' }), 'body', /Must be JSON/],
    ['a list as arguments', () => http({ parameters: { type: 'array' } }), 'parameters.type', /object/],
    [
      'a schema that is none',
      () => http({ parameters: { type: 'object', properties: { id: { type: 'text' } } } }),
      'parameters.properties.id.type',
      /JSON Schema/,
    ],
    ['a name of the call itself', () => http({ name: 'end_call' }), 'name', /of the call itself/],
    [
      'a variable of the system',
      () => http({ save: { session_id: 'id' } }),
      'save.session_id',
      /of the system/,
    ],
    ['a field of another type', () => http({ tool_names: ['x'] }), 'tool_names', /has no tool_names/],
    ['a built-in tool that is none', () => ({ type: 'built_in', name: 'fly' }), 'name', /one of end_call/],
    [
      'an address of a built-in tool',
      () => ({ type: 'built_in', name: 'end_call', url: server.url }),
      'url',
      /has no url/,
    ],
    [
      'a mask instead of a secret',
      () => http({ headers: { Authorization: 'Bea…w9Qz' } }),
      'headers.Authorization',
      /give it itself/,
    ],
    [
      'a header that cannot be sent',
      () => http({ headers: { 'X-Shop': 'Zoë’s' } }),
      'headers.X-Shop',
      /character “’”/,
    ],
  ])('with %s is refused', async (_what, body, path, message) => {
    const reply = await create(body())
    expect([reply.status, reply.body.code], reply.text).toEqual([400, 'VALIDATION_ERROR'])
    expect(faultsOf(reply)[path]).toMatch(message)
  })

  it.each(['https://10.0.0.1/x', 'http://shop.example.com/', 'https://db.internal/'])(
    'at %s is refused, also later',
    async (url) => {
      const reply = await create(http({ url }))
      expect([reply.status, reply.body.code]).toEqual([400, 'URL_NOT_PUBLIC'])
      expect(faultsOf(reply).url).toContain('PARLEY_TRUSTED_HOSTS')
      const { tool_id } = await made(http())
      const changed = await service.ask('PATCH', `/tools/${tool_id}`, { body: { url } })
      expect(changed.body.code).toBe('URL_NOT_PUBLIC')
    },
  )
})

describe('secrets', () => {
  it('are shown by their ends, stored sealed, and kept when they come back masked', async () => {
    const tool = await made(
      http({
        headers: { Authorization: secret, 'X-User': '{user}', Accept: 'text/plain' },
        query: { api_key: secret },
      }),
    )
    expect(tool.headers).toEqual({ Authorization: 'Bea…w9Qz', 'X-User': '{user}', Accept: 'text/plain' })
    expect(tool.query).toEqual({ api_key: 'Bea…w9Qz' })
    const rows = await service.database.query('SELECT config::text, secrets::text FROM tools')
    expect(JSON.stringify(rows)).not.toContain('r4nd0m')
    const { tool_id, headers } = tool
    const changed = await service.ask('PATCH', `/tools/${tool_id}`, { body: { headers, query: null } })
    expect(changed.body.data).not.toHaveProperty('warnings')
    const sample = { arguments: { id: '1' }, variables: { user: 'ada' } }
    await service.ask('POST', `/tools/${tool_id}/try`, { body: sample })
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: secret,
      'x-user': 'ada',
      accept: 'text/plain',
    })
  })

  it('are dropped with a warning when the host changes', async () => {
    const { tool_id } = await made(http({ headers: { Authorization: secret } }))
    const url = server.url.replace('127.0.0.1', 'shop.example.com').replace('http:', 'https:')
    const { body } = await service.ask('PATCH', `/tools/${tool_id}`, { body: { url } })
    expect(body.data).toMatchObject({ headers: {}, warnings: [{ path: 'headers.Authorization' }] })
  })

  it('are hidden in the account of a trial, even if the server repeats them', async () => {
    server.answer = { status: 200, body: JSON.stringify({ you_sent: secret, token: secret.slice(7) }) }
    const tried = await trial(http({ headers: { Authorization: secret } }))
    expect(tried.request?.headers.authorization).toBe('Bea…w9Qz')
    expect(JSON.stringify(tried)).not.toContain('r4nd0m')
    expect(service.log.join('')).not.toContain('r4nd0m')
  })
})

describe('a trial sends', () => {
  it.each(['POST', 'PUT', 'PATCH'])('the arguments as JSON with %s', async (method) => {
    const tried = await trial(http({ method }))
    expect(server.seen).toMatchObject([{ method, path: '/orders', query: {}, body: '{"id":"A 7"}' }])
    expect(tried).toMatchObject({ ok: true, status: 200, body: server.answer?.body, faults: [], tools: null })
    expect(tried.request).toMatchObject({ method, url: `${server.url}/orders`, body: '{"id":"A 7"}' })
  })

  it.each(['GET', 'DELETE'])('the arguments in the query with %s', async (method) => {
    await trial(http({ method }))
    expect(server.seen).toMatchObject([{ method, query: { id: 'A 7' }, body: '' }])
  })

  it('templates in the address, the query and the body, filled from arguments and variables', async () => {
    const templates = {
      url: `${server.url}/orders/{id}`,
      query: { from: '{caller}', limit: 3, nothing: '{missing}' },
      body: { order: '{id}', count: '%(count)i', by: 'phone {caller}' },
    }
    await trial(http({ method: 'PATCH', ...templates }), {
      arguments: { id: 'A/7' },
      variables: { caller: '+15550100', count: '2', id: 'an argument of this name takes precedence' },
    })
    expect(server.seen).toMatchObject([
      {
        method: 'PATCH',
        path: '/orders/A%2F7',
        query: { from: '+15550100', limit: '3' },
        body: '{"order":"A/7","count":2,"by":"phone +15550100"}',
      },
    ])
  })

  it('nothing if the arguments do not match the schema', async () => {
    const tried = await trial(http(), { arguments: {} })
    expect(tried).toMatchObject({ ok: false, request: null, faults: ['Nothing was sent: "id" is required.'] })
    expect(server.seen).toEqual([])
  })
})

describe('a trial tells', () => {
  it('what would be saved, and what is not in the answer', async () => {
    const save = { state: 'order.state', first: '$.order.items.0.id', all: 'order.items', no: 'order.price' }
    const tried = await trial(http({ save }))
    expect(tried.variables).toEqual({ state: 'on its way', first: '7', all: '[{"id":7}]' })
    expect(tried).toMatchObject({
      ok: false,
      faults: ['The answer has nothing at order.price, so no would not be saved.'],
    })
  })

  it('the refusal of the server', async () => {
    server.answer = { status: 404, body: 'no such order' }
    const tried = await trial(http({ save: { state: 'order.state' } }))
    expect(tried).toMatchObject({ ok: false, status: 404, variables: {} })
    expect(tried.faults).toEqual(['The tool answered 404: no such order.'])
  })

  it('that the server does not answer within the time-out of the tool', async () => {
    server.answer = undefined
    const tried = await trial(http({ timeout_seconds: 0.5 }))
    expect(tried.faults).toEqual(['The tool could not be reached: timed out after 0.5 s.'])
  })

  it('that a built-in tool needs a call', async () => {
    const tried = await trial({ type: 'built_in', name: 'end_call', description: 'When they say bye.' })
    expect(tried).toMatchObject({ ok: false, request: null })
    expect(tried.faults[0]).toContain('+15550100')
  })
})

describe('an agent', () => {
  it('names tools that exist only', async () => {
    const { tool_id } = await made(http())
    const agent = { agent_name: 'Ada', llm_agent: {}, tool_definition_ids: [tool_id, randomUUID()] }
    const reply = await service.ask('POST', '/agents', { body: { agent_config: agent } })
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(Object.keys(faultsOf(reply))).toEqual(['agent_config.tool_definition_ids.1'])
  })

  it('keeps its tool from being removed', async () => {
    const { tool_id } = await made(http())
    const agentId = await newAgent(service, { tool_definition_ids: [tool_id.toUpperCase()] })
    const refused = await service.ask('DELETE', `/tools/${tool_id}`)
    expect([refused.status, refused.body.code]).toEqual([400, 'RESOURCE_IN_USE'])
    expect(refused.body.message).toContain(`Ada (${agentId})`)
    await service.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: { tool_definition_ids: [] } } })
    expect((await service.ask('DELETE', `/tools/${tool_id}`)).status).toBe(200)
  })
})

it('the client library has all of it', async () => {
  const { tools } = new Parley({ baseUrl: `${service.url}/agent/v1`, apiKey: boundKey })
  const { tool_id } = await tools.create({ type: 'http', name: 'ping', url: `${server.url}/ping` })
  expect((await tools.list({ limit: 1 })).data[0]?.tool_id).toBe(tool_id)
  expect(await tools.update(tool_id, { method: 'GET' })).toMatchObject({ method: 'GET' })
  expect(await tools.try(tool_id)).toMatchObject({ ok: true, status: 200 })
  expect(await tools.get(tool_id)).toMatchObject({ name: 'ping' })
  expect(await tools.delete(tool_id)).toEqual({ tool_id, deleted: true })
})
