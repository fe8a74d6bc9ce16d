// Parley as an MCP server, with the official client as the assistant. Nothing runs calls here, so they wait.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newAgent } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService, unboundKey, workspaceId } from '../support/service.ts'

let service: TestService
const clients: Client[] = []

beforeAll(async () => {
  service = await openService({ PARLEY_ROLES: 'api,worker' })
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await service?.close()
})

async function assistant(headers: Record<string, string> = { authorization: `Bearer ${boundKey}` }) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  clients.push(client)
  const url = new URL(`${service.url}/mcp`)
  // The SDK's own type has an optional property that exact optional types refuse.
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never)
  return client
}

interface ToolResult {
  readonly isError?: boolean
  readonly content: { readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  readonly structuredContent?: any
}
const use = async (client: Client, name: string, args: object = {}) =>
  (await client.callTool({ name, arguments: { ...args } })) as unknown as ToolResult
const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join('\n')

const post = (headers: Record<string, string>, body: unknown = ping) =>
  service.bare('POST', '/mcp', {
    headers: { accept: 'application/json, text/event-stream', ...headers },
    body,
  })
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('the door', () => {
  it.each<[string, Record<string, string>]>([
    ['a Bearer token', { authorization: `Bearer ${boundKey}` }],
    ['a raw Authorization header', { authorization: boundKey }],
    ['X-Api-Key', { 'x-api-key': boundKey }],
    ['an unbound key and its workspace', { 'x-api-key': unboundKey, 'x-workspace-id': workspaceId }],
  ])('opens for %s', async (_what, headers) => {
    const { status, text, headers: answered } = await post(headers)
    expect(status, text).toBe(200)
    expect(text).toContain('"result":{}')
    expect(answered.get('ratelimit')).toMatch(/^"default";r=\d+/)
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['no key', {}, 401, 'API_KEY_MISSING'],
    ['an unknown key', { authorization: 'Bearer svc_nobody' }, 401, 'API_KEY_INVALID'],
    ['an unbound key alone', { 'x-api-key': unboundKey }, 411, 'WORKSPACE_SCOPE_REQUIRED'],
  ])('refuses %s', async (_what, headers, status, code) => {
    const reply = await post(headers)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('refuses a list of messages, which would count as one request', async () => {
    const reply = await post({ 'x-api-key': boundKey }, [ping, ping])
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each(['GET', 'DELETE'])('has no session for %s', async (method) => {
    const headers = { 'x-api-key': boundKey, accept: 'text/event-stream' }
    const { status, headers: answered } = await service.bare(method, '/mcp', { headers })
    expect([status, answered.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('an assistant', () => {
  it('is told what it can do, with a schema for each tool', async () => {
    const client = await assistant()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_agents', 'get_agent', 'place_call', 'list_calls', 'get_call', 'read_transcript', 'stop_call'],
      'run_simulation',
    ])
    for (const { inputSchema, description } of tools) {
      expect(description).toBeTruthy()
      expect(inputSchema.type).toBe('object')
    }
    expect(client.getInstructions()).toContain('run_simulation')
  })

  it('finds agents of its own workspace only, with secrets masked', async () => {
    const secret = 'sk-secret-that-is-long-enough'
    const agentId = await newAgent(service, { llm_agent: { llm_config: { api_key: secret } } })
    const client = await assistant()
    const { structuredContent: list } = await use(client, 'list_agents', { limit: 5 })
    expect(list.agents).toContainEqual(expect.objectContaining({ agent_id: agentId, agent_name: 'Ada' }))
    const agent = await use(client, 'get_agent', { agent_id: agentId })
    expect(agent.structuredContent.agent_config.agent_name).toBe('Ada')
    expect(textOf(agent)).not.toContain(secret)

    const [other] = await service.database.query<{ workspace_id: string }>(
      `INSERT INTO workspaces (workspace_id, name) VALUES (gen_random_uuid(), 'Other') RETURNING workspace_id`,
    )
    await service.database.query('UPDATE agents SET workspace_id = $1 WHERE agent_id = $2', [
      other?.workspace_id,
      agentId,
    ])
    expect(await use(client, 'get_agent', { agent_id: agentId })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('AGENT_NOT_FOUND') }],
    })
  })

  it('places a call, sees it, and stops it', async () => {
    const agent_id = await newAgent(service)
    const client = await assistant()
    const wish = { agent_id, to_phone_number: '+15550106', variables: { name: 'Grace' } }
    const { structuredContent: placed } = await use(client, 'place_call', wish)
    expect(placed).toMatchObject({ agent_id, call_status: 'queued', to_phone_number: '+15550106' })
    const { session_id } = placed
    const { structuredContent: list } = await use(client, 'list_calls', { agent_id })
    expect(list.calls.map((call: { session_id: string }) => call.session_id)).toEqual([session_id])
    expect(await use(client, 'stop_call', { session_id })).not.toHaveProperty('isError')
    const { structuredContent: call } = await use(client, 'get_call', { session_id })
    expect(call).toMatchObject({ session_id, variables: { name: 'Grace' }, call_status: 'canceled' })
    expect(textOf(await use(client, 'stop_call', { session_id }))).toContain('CALL_STATE_CONFLICT')
    const line = { turn: 1, role: 'user', content: 'Hello?', start_time: 61, end_time: 62, interrupted: true }
    await service.database.query('UPDATE calls SET transcript = $2 WHERE session_id = $1', [
      session_id,
      JSON.stringify([line]),
    ])
    expect(textOf(await use(client, 'read_transcript', { session_id }))).toBe(
      '1:01 caller: Hello? (interrupted)\n(canceled, api_stopped)',
    )
  })

  it('learns what is wrong with its arguments', async () => {
    const client = await assistant()
    const agent_id = await newAgent(service)
    const wrong = await use(client, 'place_call', { agent_id, to_phone_number: 'my mother' })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('to_phone_number')
    const unreachable = await use(client, 'place_call', { agent_id, to_phone_number: '+4930901820' })
    expect(textOf(unreachable)).toContain('NO_LINE_TO_NUMBER')
  })
})

it('a simulation that nobody runs in time is told as it stands', async () => {
  const agent_id = await newAgent(service)
  const { structuredContent } = await use(await assistant(), 'run_simulation', { agent_id, wait_seconds: 1 })
  expect(structuredContent).toMatchObject({ call_status: 'queued', is_over: false })
  expect(structuredContent.note).toContain('read_transcript')
})
