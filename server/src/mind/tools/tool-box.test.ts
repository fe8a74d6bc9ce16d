// Tools, from the agent's configuration to the request on the wire and back.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openVariables } from '../../call/call-variables.ts'
import { openGuard } from '../../platform/guard/guard.ts'
import { readApiTools } from '../../resources/calls/plan/read-api-tools.ts'
import { openToolBox } from './tool-box.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const forever = new AbortController().signal

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface RecordedRequest {
  method: string | undefined
  url: string | undefined
  headers: Record<string, unknown>
  body: string
}

/** Answers with this and keeps the requests. */
async function remember(
  status = 200,
  answer = '{"state":"on its way"}',
): Promise<{ url: string; seen: RecordedRequest[] }> {
  const seen: RecordedRequest[] = []
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    response.writeHead(status).end(answer)
  })
  return { url, seen }
}

function open(apiTools: unknown, { allowPrivate = true, timeoutMs = 30_000 } = {}) {
  const guard = openGuard({ allowPrivate, trustedHosts: [] })
  cleanups.push(() => guard.close())
  const { tools, problems } = readApiTools(apiTools, { mayTransfer: true })
  const variables = openVariables({ tenant: 'acme' })
  return { ...openToolBox(tools, { guard, variables, timeoutMs }), problems }
}

const tool = {
  name: 'find_order',
  description: 'Finds an order.',
  key: 'custom_task',
  pre_call_message: 'One moment.',
  parameters: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
}

const call = (args: string, name = 'find_order') => ({ id: 'c1', name, arguments: args })

describe('a custom task', () => {
  it('with GET sends its arguments in the query', async () => {
    const { url, seen } = await remember()
    const box = open({
      tools: [tool],
      tools_params: {
        find_order: {
          url: `${url}/orders?v=1`,
          method: 'get',
          headers: { 'X-Tenant': '{tenant}' },
          param: { order: '%(id)s', by: 'phone' },
        },
      },
    })
    expect(await box.run(call('{"id":"A 7"}'), forever)).toBe('{"state":"on its way"}')
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/orders?v=1&order=A+7&by=phone',
      headers: { 'x-tenant': 'acme' },
      body: '',
    })
  })

  it('with POST sends its filled template as JSON, with its token', async () => {
    const { url, seen } = await remember(201, '')
    const value = { url: `${url}/orders/{id}`, method: 'POST', api_token: 'Bearer t', param: '{"n": %(n)i}' }
    const box = open({ tools: [{ ...tool, value }] })
    expect(await box.run(call('{"id":"A7","n":"2"}'), forever)).toBe('Done.')
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/orders/A7',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: '{"n":2}',
    })
  })

  it('without a template sends in the query what is not in the path', async () => {
    const { url, seen } = await remember()
    const box = open({ tools: [{ ...tool, value: { url: `${url}/orders/{id}`, method: 'GET' } }] })
    await box.run(call('{"id":"A7","year":2026}'), forever)
    expect(seen[0]?.url).toBe('/orders/A7?year=2026')
  })

  it('without a template sends the arguments unchanged', async () => {
    const { url, seen } = await remember()
    const box = open({ tools: [{ ...tool, value: { url, method: 'POST' } }] })
    await box.run(call('{"id":"A7","tags":["a"]}'), forever)
    expect(seen[0]?.body).toBe('{"id":"A7","tags":["a"]}')
  })

  it('has a phrase for the wait and a description for the model', () => {
    const box = open({ tools: [{ ...tool, value: { url: 'https://x.example/' } }] })
    const { name, description, parameters } = tool
    expect(box.descriptions).toEqual([{ name, description, parameters }])
    expect(box.waitingWords('find_order')).toBe('One moment.')
    expect(box.waitingWords('other')).toBeUndefined()
    const { pre_call_message: _, ...wordless } = tool
    const value = { url: 'https://x.example/', pre_call_message: { de: 'Moment.', en: 'Hold on.' } }
    expect(open({ tools: [{ ...wordless, value }] }).waitingWords('find_order')).toBe('Hold on.')
  })
})

describe('a failure is reported to the model', () => {
  it.each([
    ['not JSON', 'The arguments must be a JSON object.'],
    ['[1]', 'The arguments must be a JSON object.'],
    ['{}', '"id" is required.'],
    ['{"id":7}', '"id" must be a string.'],
    ['{"id":".."}', 'The tool was not asked: "id" cannot be part of the address.'],
  ])('arguments %s', async (args, answer) => {
    const { url, seen } = await remember()
    const box = open({ tools: [{ ...tool, value: { url: `${url}/{id}` } }] })
    expect(await box.run(call(args), forever)).toBe(answer)
    expect(seen).toEqual([])
  })

  it('an unknown tool', async () => {
    expect(await open(undefined).run(call('{}', 'magic'), forever)).toBe('There is no tool "magic".')
  })

  it('a server that refuses', async () => {
    const { url } = await remember(404, 'no such order')
    const box = open({ tools: [{ ...tool, value: { url } }] })
    expect(await box.run(call('{"id":"7"}'), forever)).toBe('The tool answered 404: no such order.')
  })

  it('an endless answer is cut', async () => {
    const { url } = await remember(200, 'x'.repeat(1_000_000))
    const box = open({ tools: [{ ...tool, value: { url } }] })
    const answer = await box.run(call('{"id":"7"}'), forever)
    expect(answer).toBe(`${'x'.repeat(16_384)} … (cut)`)
  })

  it('a private address', async () => {
    const { url, seen } = await remember()
    const box = open(
      { tools: [{ ...tool, value: { url: url.replace('http:', 'https:') } }] },
      { allowPrivate: false },
    )
    expect(await box.run(call('{"id":"7"}'), forever)).toBe(
      'The tool could not be reached: refused: points at 127.0.0.1, which is not a public address.',
    )
    expect(seen).toEqual([])
  })

  it('a server that does not answer in time', async () => {
    const url = await serve(() => {})
    const box = open({ tools: [{ ...tool, value: { url } }] }, { timeoutMs: 50 })
    expect(await box.run(call('{"id":"7"}'), forever)).toBe(
      'The tool could not be reached: timed out after 0.05 s.',
    )
  })
})

it('an aborted tool throws, and its connection is closed', async () => {
  let closed = false
  let asked = false
  const url = await serve((request) => {
    asked = true
    request.socket.on('close', () => {
      closed = true
    })
  })
  const box = open({ tools: [{ ...tool, value: { url } }] })
  const leaving = new AbortController()
  const answer = box.run(call('{"id":"7"}'), leaving.signal)
  const thrown = expect(answer).rejects.toThrow('the caller went on')
  await expect.poll(() => asked).toBe(true)
  leaving.abort(new Error('the caller went on'))
  await thrown
  await expect.poll(() => closed).toBe(true)
})

describe('unusable tools are left out, and it is noted', () => {
  const value = { url: 'https://x.example/' }
  it.each<[string, unknown, string]>([
    ['no object', 7, 'api_tools must be an object with a list `tools`; it was left aside'],
    ['no list', { tools: {} }, 'api_tools must be an object with a list `tools`; it was left aside'],
    ['broken JSON', '{"tools": [', 'api_tools must be an object with a list `tools`; it was left aside'],
    ['no name', { tools: [{}] }, 'tool 1 has a bad name and was left out'],
    [
      'a bad name',
      { tools: [{ name: 'a b' }] },
      'tool 1 needs a name of letters, digits, _ and - and was left out',
    ],
    ['not a tool', { tools: ['x'] }, 'tool 1 has a bad form and was left out'],
    ['no address', { tools: [tool] }, 'the tool find_order needs a url and was left out'],
    [
      'another scheme',
      { tools: [{ ...tool, value: { url: 'file:///etc/passwd' } }] },
      'the tool find_order needs a url that begins with https:// and was left out',
    ],
    [
      'a host that the model fills in',
      { tools: [{ ...tool, value: { url: 'https://{host}/x' } }] },
      'the tool find_order must not have a placeholder in the host of its url and was left out',
    ],
    [
      'another method',
      { tools: [{ ...tool, value: { ...value, method: 'DELETE' } }] },
      'the tool find_order must use GET or POST and was left out',
    ],
    [
      'a template that is not JSON',
      { tools: [{ ...tool, value: { ...value, param: '{"a":' } }] },
      'the tool find_order has a param that is not JSON and was left out',
    ],
    [
      'an unknown key',
      { tools: [{ ...tool, key: 'magic' }] },
      'the tool find_order has the unknown key magic and was left out',
    ],
  ])('%s', (_what, written, problem) => {
    const box = open(written)
    expect(box.problems).toEqual([problem])
    expect(box.descriptions).toEqual([])
  })

  it('one bad tool does not affect the others', () => {
    const box = open({ tools: [{ name: 'bad tool' }, { ...tool, value }] })
    expect(box.descriptions.map(({ name }) => name)).toEqual(['find_order'])
    expect(box.problems).toHaveLength(1)
  })

  it('end_call is described, and run by the call itself', async () => {
    const box = open({ tools: [{ name: 'hang_up', key: 'end_call', description: 'Ends the call.' }] })
    expect(box.descriptions).toMatchObject([{ name: 'end_call', description: 'Ends the call.' }])
    expect(box.problems).toEqual([])
  })

  it('OpenAI’s own format and JSON in strings are parsed as well', () => {
    const { name, key, ...rest } = tool
    const tools = JSON.stringify([{ type: 'function', key, function: { name, ...rest } }])
    const box = open({ tools, tools_params: JSON.stringify({ find_order: value }) })
    expect(box.problems).toEqual([])
    expect(box.descriptions[0]).toMatchObject({ name: 'find_order', description: 'Finds an order.' })
  })
})
