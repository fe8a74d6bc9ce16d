// MCP servers as a source of tools: the reference server from npm, and servers that misbehave.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EverythingServer, openEverythingServer } from '../../../test/props/servers/everything-server.ts'
import { type OrderServer, openOrderServer } from '../../../test/props/servers/mcp-server.ts'
import { openVariables } from '../../call/call-variables.ts'
import { type Guard, openGuard } from '../../platform/guard/guard.ts'
import type { McpServerPlan } from '../../ports/call-plan.ts'
import { openMcpTools } from './mcp-tools.ts'
import { openToolBox } from './tool-box.ts'
import { toolTrials } from './try-tool.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

let everything: EverythingServer
beforeAll(async () => {
  everything = await openEverythingServer()
})
afterAll(() => everything?.close())

const forever = new AbortController().signal

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const openGuardFor = (allowPrivate = true): Guard => {
  const guard = openGuard({ allowPrivate, trustedHosts: [] })
  cleanups.push(() => guard.close())
  return guard
}

const plan = (more: Partial<McpServerPlan> = {}): McpServerPlan => ({
  name: 'everything',
  description: '',
  url: everything.url,
  headers: {},
  toolNames: null,
  timeoutMs: 10_000,
  waitingWords: undefined,
  answer: { save: {}, secrets: [] },
  ...more,
})

function open(plans: readonly McpServerPlan[], { allowPrivate = true } = {}) {
  const guard = openGuardFor(allowPrivate)
  const notes: string[] = []
  const variables = openVariables({ tenant: 'acme' })
  const note = (sentence: string) => notes.push(sentence)
  const mcp = openMcpTools(plans, { guard, variables: variables.values, note })
  cleanups.push(() => mcp.close())
  const box = openToolBox([], { guard, variables, mcp })
  const names = () => box.descriptions.map(({ name }) => name)
  const run = (name: string, args: object = {}) =>
    box.run({ id: 'c1', name, arguments: JSON.stringify(args) }, forever)
  return { box, notes, variables, names, run }
}

describe('the reference server', () => {
  it('offers its tools with their schemas, and answers them as text', async () => {
    const { box, names, run, notes } = open([plan()])
    await expect.poll(() => names()).toContain('echo')
    const sum = box.descriptions.find(({ name }) => name === 'get-sum')
    expect(sum).toMatchObject({ parameters: { type: 'object', required: ['a', 'b'] } })
    expect(await run('get-sum', { a: 2, b: 40 })).toContain('42')
    expect(await run('echo', { message: 'hello' })).toContain('hello')
    expect(await run('get-tiny-image')).toContain('(an image)')
    expect(await run('get-sum', { a: 'two' })).toBe('"b" is required.')
    expect(notes).toEqual([])
  })

  it('gives the agent the chosen tools only, and says which are missing', async () => {
    const { names, run, notes } = open([plan({ toolNames: ['echo', 'fly'] })])
    await expect.poll(() => names()).toEqual(['echo'])
    expect(notes).toEqual(['The MCP server everything does not offer fly; left out.'])
    expect(await run('get-sum', { a: 1, b: 2 })).toBe('There is no tool "get-sum".')
  })

  it('twice has its tools under different names', async () => {
    const toolNames = ['echo']
    const { names, run } = open([plan({ toolNames }), plan({ name: 'second', toolNames })])
    await expect.poll(() => names()).toHaveLength(2)
    expect(new Set(names()).size).toBe(2)
    for (const name of names()) expect(await run(name, { message: 'two' })).toContain('two')
  })

  it('has fields of its structured answers saved, words for the wait, and secrets hidden', async () => {
    const answer = { save: { sky: 'conditions' }, secrets: ['New York'] }
    const { box, names, run, variables } = open([plan({ answer, waitingWords: 'One moment.' })])
    await expect.poll(() => names()).toContain('get-structured-content')
    expect(box.waitingWords('echo')).toBe('One moment.')
    await run('get-structured-content', { location: 'New York' })
    expect(variables.saved.sky).toEqual(expect.any(String))
    expect(await run('echo', { message: 'New York' })).not.toContain('New York')
  })

  it('that crashed answers with the reason, and is used again when it is back', async () => {
    const { names, run } = open([plan({ toolNames: ['echo'] })])
    await expect.poll(() => names()).toEqual(['echo'])
    await everything.kill()
    expect(await run('echo', { message: 'one' })).toMatch(/^The tool could not be used: .*ECONNREFUSED/)
    await everything.start()
    // A new session, without anybody asking for it.
    expect(await run('echo', { message: 'two' })).toContain('two')
  })

  it('that is killed while a tool runs answers with the reason, long before the time-out', async () => {
    const { names, run } = open([plan({ timeoutMs: 120_000 })])
    await expect.poll(() => names()).toContain('trigger-long-running-operation')
    const before = everything.taken
    const answer = run('trigger-long-running-operation', { duration: 3_600, steps: 1 })
    await expect.poll(() => everything.taken).toBeGreaterThan(before)
    await everything.kill()
    expect(await answer).toMatch(/^The tool could not be used: (?!it did not answer)/)
    await everything.start()
    expect(await run('echo', { message: 'two' })).toContain('two')
  })

  it('is listed and called on trial', async () => {
    const trials = toolTrials(openGuardFor())
    const sample = { arguments: { a: 1, b: 2 }, variables: {} }
    const listed = await trials.mcp(plan({ toolNames: ['fly'] }), null, sample)
    expect(listed.offered?.map(({ name }) => name)).toContain('get-sum')
    expect(listed.faults).toEqual(['The server does not offer fly, which is in tool_names.'])
    const called = await trials.mcp(plan({ answer: { save: { all: '$' }, secrets: [] } }), 'get-sum', sample)
    expect(called).toMatchObject({ faults: [], saved: { all: expect.stringContaining('3') } })
    expect((await trials.mcp(plan(), 'fly', sample)).faults).toEqual(['The server has no tool fly.'])
  })
})

describe('a server that misbehaves costs the call nothing but its tools', () => {
  it.each<[string, RequestListener, string, { timeoutMs?: number }]>([
    ['refuses us', (_, response) => response.writeHead(401).end('no'), 'it answered 401', {}],
    ['never answers', () => {}, 'it did not answer within 0.3 s', { timeoutMs: 300 }],
    ['speaks something else', (_, response) => response.end('<html>'), 'Unexpected content type: null', {}],
  ])('one that %s', async (_what, listener, reason, patience) => {
    const url = await serve(listener)
    const { names, notes } = open([plan({ url, ...patience }), plan({ toolNames: ['echo'] })])
    await expect.poll(() => notes).toHaveLength(1)
    expect(notes[0]).toContain('The MCP server everything is not there, so its tools are left out: ')
    expect(notes[0]).toContain(reason)
    await expect.poll(() => names()).toEqual(['echo'])
  })

  it('one in a private network is refused by the guard', async () => {
    const url = await serve(() => expect.unreachable())
    const { notes } = open([plan({ url: url.replace('http:', 'https:') })], { allowPrivate: false })
    await expect.poll(() => notes[0]).toContain('which is not a public address')
  })

  it('one whose answer never ends is cut off', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const { notes } = open([plan({ url, timeoutMs: 1_000 })])
    await expect.poll(() => notes).toHaveLength(1)
  })
})

describe('a server that breaks while a tool runs is told of at once, and the tool is run once', () => {
  const stream = { 'content-type': 'text/event-stream' }
  const json = { 'content-type': 'application/json' }
  it.each<[string, OrderServer['misbehave'], RegExp]>([
    ['dies before it answers', (response) => response.destroy(), /other side closed|ECONNRESET/],
    [
      'dies in the middle of its answer',
      (response) => {
        response.writeHead(200, stream).write('data: {"jsonrpc":')
        setImmediate(() => response.destroy())
      },
      /the connection broke off/,
    ],
    [
      'ends without an answer',
      (response) => response.writeHead(200, stream).end(': good-bye\n\n'),
      /it ended the connection without an answer/,
    ],
    [
      'answers garbage in a stream',
      (response) => response.writeHead(200, stream).end('data: {"jsonrpc":"2.0","id":"x"}\n\ndata: }{\n\n'),
      /it ended the connection without an answer/,
    ],
    ['answers garbage', (response) => response.writeHead(200, json).end('}{'), /not valid JSON/],
    [
      'answers something that is no result of a tool',
      (response, id) =>
        response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: 7 } })),
      /content/,
    ],
    ['fails', (response) => response.writeHead(503).end('away'), /it answered 503/],
  ])('one that %s', async (_what, misbehave, reason) => {
    const orders = await openOrderServer()
    cleanups.push(() => orders.close())
    // Nobody waits for as long as this.
    const { names, run } = open([plan({ url: orders.url, timeoutMs: 2_000_000 })])
    await expect.poll(() => names()).toContain('find_order')
    orders.misbehave = misbehave
    const answer = await run('find_order', { order: 'A7' })
    expect(answer).toMatch(/^The tool could not be used: .*\.$/s)
    expect(answer).toMatch(reason)
    expect(orders.used).toHaveLength(1)
    orders.misbehave = undefined
    expect(await run('find_order', { order: 'A7' })).toContain('on its way')
  })
})

it('headers are sent with every request, filled from the variables of the call', async () => {
  const seen: unknown[] = []
  const url = await serve((request, response) => {
    seen.push(request.headers['x-tenant'])
    response.writeHead(500).end()
  })
  open([plan({ url, headers: { 'X-Tenant': '{tenant}' } })])
  await expect.poll(() => seen[0]).toBe('acme')
})
