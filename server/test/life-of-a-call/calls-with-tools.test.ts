// Whole calls whose model uses tools: stored ones, those of the call itself, those of an MCP server. Model and tools
// are servers on loopback, the MCP server is the reference server from npm, and the clock is virtual.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { type EverythingServer, openEverythingServer } from '../props/servers/everything-server.ts'
import { type Answer, type ModelServer, openModelServer } from '../props/servers/model-server.ts'
import { describeUnless } from '../props/unless.ts'
import { newAgent, reaches } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'
import { openToolServer, type ToolServer } from '../support/tool-server.ts'
import { openVirtualRunner } from '../support/virtual-runner.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const question = { say: 'Where is my order?' }
const leave = { wait_for: 'agent_done', hang_up: true, after_ms: 300 }
const secret = 'Bearer r4nd0m-and-long-w9Qz'

/** The answer of a model that uses a tool. */
const uses = (name: string, args: object = {}): Answer => ({
  calls: [{ id: `call_${name}`, name, pieces: [JSON.stringify(args)] }],
})

describeUnless(absent, 'a call with tools', () => {
  let service: TestService
  let model: ModelServer
  let server: ToolServer
  let everything: EverythingServer
  let dead: string

  beforeAll(async () => {
    ;[model, server, everything] = await Promise.all([
      openModelServer(),
      openToolServer(),
      openEverythingServer(),
    ])
    const gone = await openToolServer()
    dead = `${gone.url}/mcp`
    await gone.close()
    service = await openService(
      {
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_DRAIN_SECONDS: '1',
        PARLEY_LLM_BASE_URL: model.baseUrl,
        PARLEY_LLM_MODEL: 'first',
        PARLEY_TRUSTED_HOSTS: '127.0.0.1',
      },
      undefined,
      openVirtualRunner,
    )
  })
  beforeEach(() => {
    model.asked.length = 0
    server.seen.length = 0
  })
  afterAll(async () => {
    await service?.close()
    await Promise.all([model, server, everything].map((each) => each?.close()))
  })

  const newTool = async (body: object): Promise<string> => {
    const reply = await service.ask('POST', '/tools', { body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body.data.tool_id
  }

  async function callWith(answers: readonly Answer[], agent: object, steps: readonly object[]) {
    model.answers.splice(0, model.answers.length, ...answers)
    const agent_id = await newAgent(service, { agent_welcome_message: 'Hello, this is the shop.', ...agent })
    const body = { agent_id, to_phone_number: '+15550100', metadata: { sandbox: { ring_ms: 0, steps } } }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    return reaches(service, session_id, 'completed', 'failed')
  }
  const linesOf = (call: { transcript: { role: string; content: string }[] }, who: string) =>
    call.transcript.filter(({ role }) => role === who)
  const eventsOf = async (sessionId: string, type: string) => {
    const rows = await service.database.query<{ data: unknown }>(
      'SELECT data FROM call_events WHERE session_id = $1 AND type = $2 ORDER BY seq',
      [sessionId, type],
    )
    return rows.map(({ data }) => data)
  }

  it('asks a stored tool, saves fields of its answer, and uses them in prompts and in other tools', async () => {
    const parameters = { type: 'object', required: ['order'], properties: { order: { type: 'string' } } }
    const find = {
      type: 'http',
      name: 'find_order',
      description: 'Looks an order up.',
      parameters,
      method: 'GET',
      url: `${server.url}/orders/{order}`,
      query: { by: '{session_id}' },
      headers: { Authorization: secret },
      pre_call_message: 'One moment, I look for it.',
      save: { order_state: 'state' },
    }
    const mark = {
      type: 'http',
      name: 'mark_asked',
      url: `${server.url}/asked`,
      method: 'PUT',
      body: { state: '{order_state}' },
    }
    const tool_definition_ids = [await newTool(find), await newTool(mark)]
    server.answer = { status: 200, body: JSON.stringify({ state: 'on its way', echo: secret }) }
    const agent = {
      tool_definition_ids,
      agent_prompt: 'You are a shop. The order is {order_state}.',
    }
    const words: Answer = { words: ['Your order is on its way.'] }
    const steps = [question, { say: 'Thank you. When will it be here?' }, leave]
    const answers = [uses('find_order', { order: 'A7' }), uses('mark_asked'), words]
    const call = await callWith(answers, agent, steps)

    expect(call).toMatchObject({ call_status: 'completed', error_message: null })
    expect(model.asked[0]?.body.tools?.map((tool) => 'function' in tool && tool.function)).toMatchObject([
      { name: 'find_order', description: find.description, parameters },
      { name: 'mark_asked' },
    ])
    expect(server.seen).toMatchObject([
      {
        method: 'GET',
        path: '/orders/A7',
        query: { by: call.session_id },
        headers: { authorization: secret },
      },
      { method: 'PUT', path: '/asked', body: '{"state":"on its way"}' },
    ])
    expect(JSON.stringify(linesOf(call, 'agent'))).toContain('One moment, I look for it.')
    expect(linesOf(call, 'tool')).toMatchObject([
      {
        tool: { name: 'find_order', arguments: { order: 'A7' } },
        content: expect.stringContaining('on its way'),
      },
      { tool: { name: 'mark_asked' } },
    ])
    // In the record, in the stream of events, and in the prompt of the next turn.
    expect(call.variables).toEqual({ order_state: 'on its way' })
    expect(await eventsOf(call.session_id, 'variables')).toEqual([
      { variables: { order_state: 'on its way' } },
    ])
    const prompts = model.asked.map(({ body }) => String(body.messages[0]?.content))
    expect(prompts[0]).toContain('You are a shop. The order is.')
    expect(prompts.at(-1)).toContain('You are a shop. The order is on its way.')
    expect(JSON.stringify([call, ...model.asked])).not.toContain('r4nd0m')
    expect(service.log.join('')).not.toContain('r4nd0m')
  })

  it('is run for an assistant, with an MCP server, one that is dead, and tools of the call itself', async () => {
    const described = [
      {
        type: 'mcp',
        name: 'sums',
        url: everything.url,
        tool_names: ['get-sum'],
        pre_call_message: 'I count.',
      },
      { type: 'mcp', name: 'dead', url: dead, timeout_seconds: 5 },
      { type: 'built_in', name: 'set_variable', description: 'Keeps the mood.' },
      {
        type: 'built_in',
        name: 'end_call',
        description: 'At the end.',
        pre_call_message: 'Good-bye, {mood} one.',
      },
    ]
    const tool_definition_ids = await Promise.all(described.map(newTool))
    const agent_id = await newAgent(service, { agent_welcome_message: 'Hello.', tool_definition_ids })
    const answers = [
      uses('get-sum', { a: 2, b: 40 }),
      uses('set_variable', { name: 'mood', value: 'happy' }),
      uses('end_call'),
    ]
    model.answers.splice(0, model.answers.length, ...answers)
    const { result, told } = await simulate({ agent_id, lines: ['What do I owe you?'], wait_seconds: 240 })

    const { session_id, transcript } = result
    expect(result).toMatchObject({
      call_status: 'completed',
      is_over: true,
      hangup_reason: 'end_call_tool',
      error_message: null,
      variables: { mood: 'happy' },
    })
    expect(told.length).toBeGreaterThan(0)
    expect(transcript).toMatch(/^0:00 agent: Hello\.\n.* caller: .*owe/i)
    expect(transcript).toMatch(/tool get-sum\({"a":2,"b":40}\): .*42/)
    expect(transcript).toContain('agent: I count. Good-bye, happy one.')
    const offered = model.asked[0]?.body.tools?.flatMap((tool) => ('function' in tool ? [tool.function] : []))
    expect(offered?.map(({ name }) => name).toSorted()).toEqual(['end_call', 'get-sum', 'set_variable'])
    expect(offered).toContainEqual(expect.objectContaining({ name: 'end_call', description: 'At the end.' }))
    expect(offered).toContainEqual(
      expect.objectContaining({ name: 'set_variable', description: 'Keeps the mood.' }),
    )
    expect(JSON.stringify(await eventsOf(session_id, 'note'))).toMatch(
      /The MCP server dead is not there, so its tools are left out: .*ECONNREFUSED/,
    )
    const { body } = await service.ask('GET', `/call/detail/${session_id}`)
    expect(body.data).toMatchObject({ sandbox: true, metadata: { simulation: 'talkative' } })
    expect(linesOf(body.data, 'tool').map(({ content }) => content)).toEqual([
      expect.stringContaining('42'),
      'Saved mood.',
      'The call ends.',
    ])
  })

  async function simulate(simulation: object) {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const headers = { authorization: `Bearer ${boundKey}` }
    const url = new URL(`${service.url}/mcp`)
    // The SDK's own type has an optional property that exact optional types refuse.
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never)
    const told: string[] = []
    const { structuredContent } = (await client.callTool(
      { name: 'run_simulation', arguments: { ...simulation } },
      undefined,
      { onprogress: ({ message }) => told.push(message ?? ''), timeout: 240_000 },
    )) as { structuredContent: Record<string, string> }
    await client.close()
    const { session_id = '', transcript = '' } = structuredContent
    return { told, result: { ...structuredContent, session_id, transcript } }
  }
})
