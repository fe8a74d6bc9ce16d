// Every key of a stored tool, from what the API is sent to what a server, the model or the caller notices. The title
// of a test begins with the type of the tool and its key; a key without a test fails the last ones.
import { readFile } from 'node:fs/promises'
import { builtInTools, NewTool } from '@parley/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { openScriptedRuntime, planWith } from '../../test/props/call/scripted-runtime.ts'
import { openOrderServer } from '../../test/props/servers/mcp-server.ts'
import { openToolServer } from '../../test/support/tool-server.ts'
import { withCallTools } from '../call/think/call-tools.ts'
import { assembleCall } from '../main/media/assemble-call.ts'
import { openVault } from '../platform/secrets.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { type ClaimedTool, readStoredTools } from '../resources/calls/plan/plan-tools.ts'
import { fieldsOf } from '../resources/tools/check-tool.ts'
import { type ToolParts, tools } from '../resources/tools/tools.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const vault = openVault('a secret of the installation that is long enough')
const workspaceId = '00000000-0000-4000-8000-000000000001'
const forever = new AbortController().signal

/** A tool as the claim of a call has it, after the API has taken it. */
async function stored(body: object): Promise<ClaimedTool> {
  const written: unknown[] = []
  const work = { add: ({ values }: { values: readonly unknown[] }) => written.push(...values), begin() {} }
  const guard = { inspect: async () => ({ ok: true }) }
  const resource = tools({ vault, guard } as unknown as ToolParts)
  await resource.create(workspaceId, NewTool.parse(body), work as never)
  const [tool_id, , type, config, secrets] = written as [string, string, ClaimedTool['type'], string, Buffer?]
  return {
    tool_id,
    type,
    config: JSON.parse(config),
    secrets: secrets ? `\\x${secrets.toString('hex')}` : null,
  }
}

/** What a call has of such tools. It has somewhere to be transferred to, so that every built-in tool has its use. */
async function callWith(...bodies: readonly object[]) {
  const claimed = await Promise.all(bodies.map(stored))
  const ids = claimed.map(({ tool_id }) => tool_id)
  const call_transfer_config = { destinations: [{ name: 'desk', to_phone_number: '+15550101' }] }
  const storedTools = readStoredTools(ids, claimed, keyOpener(vault))
  const plan = planWith({ call_transfer_config }, {}, { storedTools, variables: { tenant: 'acme' } })
  const { runtime, close } = openScriptedRuntime()
  const notes: string[] = []
  const parts = assembleCall({
    plan,
    runtime,
    connect: () => expect.fail('nobody is called'),
    onUpdate: (update) => update.type === 'note' && notes.push(update.note),
  })
  cleanups.push(close, () => parts.release?.())
  return {
    plan,
    notes,
    variables: parts.variables,
    offered: () => withCallTools(parts.tools.descriptions, plan),
    names: () => parts.tools.descriptions.map(({ name }) => name),
    waitingWords: (name: string) => parts.tools.waitingWords(name),
    run: (name: string, args: object = {}) =>
      parts.tools.run({ id: 'c1', name, arguments: JSON.stringify(args) }, forever),
  }
}

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }

/** A call with an HTTP tool, and the server that it asks. */
async function httpCall(wishes: object = {}, path = '') {
  const server = await openToolServer()
  cleanups.push(() => server.close())
  const call = await callWith({ type: 'http', name: 'find_order', url: server.url + path, ...wishes })
  const ask = async (args: object = { id: 'A 7' }) => {
    const answer = await call.run('find_order', args)
    return { answer, request: server.seen.at(-1) }
  }
  return { ...call, server, ask }
}

describe('an HTTP request', () => {
  it('http.name: what the model calls it by', async () => {
    const { names, run, server } = await httpCall({ name: 'look_up' })
    expect(names()).toEqual(['look_up'])
    await run('look_up')
    expect(server.seen).toHaveLength(1)
  })

  it('http.description: what the model reads of it', async () => {
    const { offered } = await httpCall({ description: 'Looks an order up.' })
    expect(offered()).toContainEqual(expect.objectContaining({ description: 'Looks an order up.' }))
  })

  it('http.parameters: what the model has to give, which is checked before anything is sent', async () => {
    const { offered, ask, server } = await httpCall({ parameters: schema })
    expect(offered()).toContainEqual(expect.objectContaining({ parameters: schema }))
    expect((await ask({})).answer).toBe('"id" is required.')
    expect(server.seen).toEqual([])
  })

  it('http.url: where it is asked, with its placeholders filled', async () => {
    const { ask } = await httpCall({}, '/{tenant}/orders/{id}?v=1')
    expect((await ask()).request).toMatchObject({ path: '/acme/orders/A%207', query: { v: '1' } })
  })

  it('http.method: how', async () => {
    expect((await (await httpCall({ method: 'DELETE' })).ask()).request?.method).toBe('DELETE')
    expect((await (await httpCall()).ask()).request?.method).toBe('POST')
  })

  it('http.headers: are sent, secrets and placeholders among them', async () => {
    const { ask } = await httpCall({
      headers: { Authorization: 'Bearer long-secret', 'X-Tenant': '{tenant}' },
    })
    expect((await ask()).request?.headers).toMatchObject({
      authorization: 'Bearer long-secret',
      'x-tenant': 'acme',
    })
  })

  it('http.query: is filled and sent instead of the arguments', async () => {
    const { ask } = await httpCall({ method: 'GET', query: { order: '{id}', of: '{tenant}' } })
    expect((await ask()).request?.query).toEqual({ order: 'A 7', of: 'acme' })
  })

  it('http.body: is filled and sent instead of the arguments', async () => {
    const { ask } = await httpCall({ body: { order: '{id}', of: '{tenant}' } })
    expect((await ask()).request?.body).toBe('{"order":"A 7","of":"acme"}')
  })

  it('http.timeout_seconds: how long the caller waits', async () => {
    const { ask, server } = await httpCall({ timeout_seconds: 0.5 })
    server.answer = undefined
    expect((await ask()).answer).toBe('The tool could not be reached: timed out after 0.5 s.')
  })

  it('http.pre_call_message: said while it runs', async () => {
    const { waitingWords } = await httpCall({ pre_call_message: 'I ask {tenant}.' })
    expect(waitingWords('find_order')).toBe('I ask acme.')
  })

  it('http.save: fields of the answer that become variables', async () => {
    const { ask, server, variables } = await httpCall({ save: { state: 'order.state' } })
    server.answer = { status: 200, body: '{"order":{"state":"on its way"}}' }
    await ask()
    expect(variables?.saved).toEqual({ state: 'on its way' })
  })
})

/** A call with an MCP server, which offers find_order and cancel_order. */
async function mcpCall(wishes: object = {}, path = '', others: readonly object[] = []) {
  const server = await openOrderServer()
  cleanups.push(() => server.close())
  const call = await callWith(...others, { type: 'mcp', name: 'shop', url: server.url + path, ...wishes })
  return { ...call, server }
}

describe('an MCP server', () => {
  it('mcp.name: distinguishes tools whose names are taken, and names it in the record', async () => {
    const other = { type: 'http', name: 'find_order', url: 'https://shop.example.com/' }
    const { names } = await mcpCall({ name: 'crm' }, '', [other])
    await expect.poll(names).toEqual(['find_order', 'crm_find_order', 'cancel_order'])
    const { notes } = await mcpCall({ name: 'crm', tool_names: ['fly'] })
    await expect.poll(() => notes.join()).toContain('The MCP server crm does not offer fly')
  })

  it('mcp.description: what the model reads before the description of each of its tools', async () => {
    const { names, offered } = await mcpCall({ description: 'The shop’s own book of orders.' })
    await expect.poll(names).toHaveLength(2)
    expect(offered().find(({ name }) => name === 'find_order')?.description).toBe(
      'The shop’s own book of orders.\nLooks an order up.',
    )
  })

  it('mcp.url: where it is, with its placeholders filled', async () => {
    const { names, server } = await mcpCall({}, '/{tenant}')
    await expect.poll(names).toHaveLength(2)
    expect(new Set(server.seen.map(({ path }) => path))).toEqual(new Set(['/mcp/acme']))
  })

  it('mcp.headers: are sent with every request', async () => {
    const headers = { Authorization: 'Bearer long-secret', 'X-Tenant': '{tenant}' }
    const { names, server } = await mcpCall({ headers })
    await expect.poll(names).toHaveLength(2)
    for (const { headers: sent } of server.seen)
      expect(sent).toMatchObject({ authorization: 'Bearer long-secret', 'x-tenant': 'acme' })
  })

  it('mcp.tool_names: which of its tools the agent has', async () => {
    const { names } = await mcpCall({ tool_names: ['cancel_order'] })
    await expect.poll(names).toEqual(['cancel_order'])
  })

  it('mcp.timeout_seconds: how long the caller waits', async () => {
    const { names, run, server } = await mcpCall({ timeout_seconds: 0.5 })
    await expect.poll(names).toHaveLength(2)
    server.misbehave = () => {}
    expect(await run('find_order', { order: 'A7' })).toBe(
      'The tool could not be used: it did not answer within 0.5 s.',
    )
  })

  it('mcp.pre_call_message: said while one of its tools runs', async () => {
    const { names, waitingWords } = await mcpCall({ pre_call_message: 'I ask {tenant}.' })
    await expect.poll(names).toHaveLength(2)
    expect(waitingWords('cancel_order')).toBe('I ask acme.')
  })

  it('mcp.save: fields of the answers that become variables', async () => {
    const { names, run, variables } = await mcpCall({ save: { state: 'state' } })
    await expect.poll(names).toHaveLength(2)
    await run('find_order', { order: 'A7' })
    expect(variables?.saved).toEqual({ state: 'on its way' })
  })
})

describe('a tool of the call itself', () => {
  it.each(builtInTools)('built_in.name: which one, as %s', async (name) => {
    const { offered } = await callWith({ type: 'built_in', name, description: 'As I say.' })
    const [own, ...others] = offered().filter(({ description }) => description === 'As I say.')
    expect([own?.name, others]).toEqual([name, []])
    // The call itself takes its arguments.
    expect(Object.keys(own?.parameters.properties ?? {})).not.toEqual([])
  })

  it('built_in.description: what the model reads instead of ours', async () => {
    const { offered } = await callWith({ type: 'built_in', name: 'send_dtmf', description: 'For the menu.' })
    expect(offered().find(({ name }) => name === 'send_dtmf')).toMatchObject({
      description: 'For the menu.',
      parameters: { required: ['digits'] },
    })
  })

  it('built_in.pre_call_message: said before it is done', async () => {
    const { waitingWords } = await callWith({
      type: 'built_in',
      name: 'transfer_call',
      pre_call_message: 'I connect you to {tenant}.',
    })
    expect(waitingWords('transfer_call')).toBe('I connect you to acme.')
  })
})

describe('of the keys of a tool', () => {
  const keys = Object.entries(fieldsOf).flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`))

  it('each one belongs to a type', () => {
    const known = new Set(['type', ...Object.values(fieldsOf).flat()])
    expect(Object.keys(NewTool.shape).filter((key) => !known.has(key))).toEqual([])
  })

  it.each(keys)('%s has a test that is named after it', async (key) => {
    const titles = (await readFile(import.meta.filename, 'utf8')).matchAll(
      /^ *it(?:\.each\(\w+\))?\('([\w.]+): /gm,
    )
    expect([...titles].map(([, title]) => title)).toContain(key)
  })

  it('each one is in the guide, with its types', async () => {
    const guide = await readFile(new URL('../../../docs/guide/tools.md', import.meta.url), 'utf8')
    const rows = guide.matchAll(/^\| `(\w+)` \| (all|[\w, ]+) \| /gm)
    const said = [...rows].flatMap(([, field, types = '']) =>
      (types === 'all' ? Object.keys(fieldsOf) : types.split(', ')).map((type) => `${type}.${field}`),
    )
    expect(said.toSorted()).toEqual(keys.toSorted())
  })
})
