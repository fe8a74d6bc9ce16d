// The language model over real HTTP, against a server that answers correctly and in every wrong way.
import OpenAI from 'openai'
import { Agent } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  type ModelServer,
  openModelServer,
} from '../../../../test/props/servers/model-server.ts'
import { openGuard } from '../../../platform/guard/guard.ts'
import type { ModelPart, ModelRequest } from '../../../ports/language-model.ts'
import { modelVendors } from '../../index.ts'
import { onPassedOver } from '../wire/passed-over.ts'
import type { ModelError } from './model-error.ts'
import { type ModelChoice, streamedModel, type TokenTimeouts } from './streamed-model.ts'

const secret = 'sk-very-secret-1234'
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function serve(...answers: Answer[]): Promise<ModelServer> {
  const server = await openModelServer(...answers)
  cleanups.push(() => server.close())
  return server
}

function ask(baseUrl: string, choice: Partial<ModelChoice> = {}) {
  const dispatcher = new Agent()
  cleanups.push(() => dispatcher.destroy())
  const vendor = { provider: 'custom', vendor: modelVendors.custom }
  return streamedModel({ ...vendor, baseUrl, apiKey: secret, dispatcher }, { model: 'm', ...choice })
}

const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] }
const forever = new AbortController().signal

async function all(reply: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of reply) parts.push(part)
  return parts
}

const textOf = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

async function failure(server: { baseUrl: string }, choice?: Partial<ModelChoice>) {
  const parts: ModelPart[] = []
  try {
    for await (const part of ask(server.baseUrl, choice).reply(hello, forever)) parts.push(part)
  } catch (error) {
    const { kind, message } = error as ModelError
    expect(message).not.toContain(secret)
    return { kind, message, said: textOf(parts) }
  }
  throw new Error(`answered ${JSON.stringify(parts)}`)
}

const who = (server: ModelServer) => `the language model m at ${new URL(server.baseUrl).host}`

const allClosed = (server: ModelServer) => expect.poll(() => server.open.size).toBe(0)

const order: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Where is order 7?' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'find', arguments: '{"id":7}' }] },
    { role: 'tool', content: 'on its way', toolCallId: 'c1' },
  ],
  tools: [{ name: 'find', description: 'Finds an order.', parameters: { type: 'object', properties: {} } }],
}

describe('an answer', () => {
  it('comes word by word, with the count of tokens at its end', async () => {
    const server = await serve({ words: ['Good ', 'morning', '.'] })
    expect(await all(ask(server.baseUrl).reply(hello, forever))).toEqual([
      { type: 'text', text: 'Good ' },
      { type: 'text', text: 'morning' },
      { type: 'text', text: '.' },
      {
        type: 'usage',
        provider: 'custom',
        model: 'm',
        isAborted: false,
        inputTokens: 20,
        outputTokens: 3,
        cachedTokens: 10,
        cacheWriteTokens: 0,
      },
    ])
    expect(server.asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: `Bearer ${secret}`,
    })
  })

  it('is the same when it arrives one byte at a time', async () => {
    const server = await serve({ words: ['Grüß ', 'Gott 😀'], oneByteAtATime: true })
    expect(textOf(await all(ask(server.baseUrl).reply(hello, forever)))).toBe('Grüß Gott 😀')
  })

  it('may call tools, whose arguments arrive in pieces', async () => {
    const server = await serve({
      words: ['One moment.'],
      calls: [
        { id: 'c1', name: 'find', pieces: ['{"id"', ':7}'] },
        { id: 'c2', name: 'end_call', pieces: [] },
      ],
    })
    expect(await all(ask(server.baseUrl).reply(order, forever))).toEqual([
      { type: 'text', text: 'One moment.' },
      { type: 'tool-call', call: { id: 'c1', name: 'find', arguments: '{"id":7}' } },
      { type: 'tool-call', call: { id: 'c2', name: 'end_call', arguments: '{}' } },
      expect.objectContaining({ type: 'usage' }),
    ])
  })

  it('may end without its last line', async () => {
    const server = await serve({ words: ['Yes.'], after: 'finish without done' })
    expect(textOf(await all(ask(server.baseUrl).reply(hello, forever)))).toBe('Yes.')
  })

  it('whose response stays open after the last word is complete, and loses its connection', async () => {
    const server = await serve({ words: ['Yes.'], after: 'finish and stall' })
    expect(textOf(await all(ask(server.baseUrl).reply(hello, forever)))).toBe('Yes.')
    await allClosed(server)
  })

  it('reuses an open connection', async () => {
    const server = await serve({ words: ['Yes.'] })
    const model = ask(server.baseUrl)
    for (let turn = 0; turn < 10; turn++) await all(model.reply(hello, forever))
    // undici opens a second one when we return before it has released the first.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  it('may take longer than any timeout, as long as it keeps arriving', async () => {
    const server = await serve({ words: Array(60).fill('word '), oneByteAtATime: true })
    const timeouts = { firstTokenMs: 60_000, silenceMs: 5_000 }
    const parts = await all(ask(server.baseUrl, { timeouts }).reply(hello, forever))
    expect(textOf(parts)).toHaveLength(300)
  })
})

describe('the official package', () => {
  it('understands the server of these tests, text and tools', async () => {
    const server = await serve({
      words: ['One ', 'moment.'],
      calls: [{ id: 'c1', name: 'find', pieces: ['{"id"', ':7}'] }],
    })
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: secret, maxRetries: 0 })
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      stream_options: { include_usage: true },
    })
    const { choices, usage } = await stream.finalChatCompletion()
    expect(choices[0]?.message).toMatchObject({
      content: 'One moment.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":7}' } }],
    })
    expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 2 })
  })

  it('sees the failures of that server as failures', async () => {
    const server = await serve({ status: 429, body: { error: { message: 'slow down', code: 'rate_limit' } } })
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: secret, maxRetries: 0 })
    const answer = client.chat.completions.create({ model: 'm', messages: [], stream: true })
    await expect(answer).rejects.toThrow(OpenAI.RateLimitError)
  })

  it('sends the same request for the same conversation', async () => {
    const server = await serve({ words: ['Yes.'] })
    const options = { temperature: 0.2, max_tokens: 100, top_p: 0.9, stop: ['END'] }
    const ours = { temperature: 0.2, maxTokens: 100, topP: 0.9, stop: ['END'] }
    await all(ask(server.baseUrl, { options: ours }).reply(order, forever))
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: secret })
    const find = {
      name: 'find',
      description: 'Finds an order.',
      parameters: { type: 'object', properties: {} },
    }
    await client.chat.completions.create({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      ...options,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where is order 7?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":7}' } }],
        },
        { role: 'tool', content: 'on its way', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: find }],
    })
    const [ourRequest, theirs] = server.asked
    expect(ourRequest?.body).toEqual(theirs?.body)
    expect(ourRequest?.path).toBe(theirs?.path)
    expect(ourRequest?.authorization).toBe(theirs?.authorization)
  })
})

describe('a server that refuses', () => {
  const complaint = (message: string) => ({ error: { message, type: 'x', param: null, code: null } })

  it.each<[string, Answer, string, string]>([
    [
      'the key, and echoes it',
      { status: 401, body: complaint(`Incorrect API key provided: ${secret}.`) },
      'refused',
      'does not accept the API key (401): Incorrect API key provided: …',
    ],
    [
      'the model',
      { status: 404, body: complaint("model 'm' not found") },
      'refused',
      "does not exist there (404): model 'm' not found",
    ],
    [
      'too many requests',
      { status: 429, body: complaint('slow down') },
      'busy',
      'has had too many requests (429): slow down',
    ],
    ['by failing', { status: 500, body: 'oops' }, 'busy', 'failed (500)'],
    ['with a plain string', { status: 503, body: { error: 'loading' } }, 'busy', 'failed (503): loading'],
    [
      'with a detail',
      { status: 422, body: { detail: 'bad role' } },
      'refused',
      'refused the request (422): bad role',
    ],
    ['with a redirect', { status: 307, headers: { location: '/x' } }, 'refused', 'is somewhere else (307)'],
  ])('%s', async (_what, answer, kind, sentence) => {
    const server = await serve(answer)
    expect(await failure(server)).toEqual({ kind, message: `${who(server)} ${sentence}`, said: '' })
  })

  it('an option is asked again without it, and does not get it again', async () => {
    const refusal = (param: string) => ({
      status: 400,
      body: { error: { message: `Unsupported parameter: ${param}`, param } },
    })
    const server = await serve(refusal('max_tokens'), refusal('temperature'), { words: ['Yes.'] })
    const model = ask(server.baseUrl, { options: { maxTokens: 50, temperature: 0.1, topP: 1 } })
    for (let turn = 0; turn < 2; turn++) await all(model.reply(hello, forever))
    expect(server.asked).toHaveLength(4)
    expect(server.asked.at(-1)?.body).toEqual({
      model: 'm',
      messages: hello.messages,
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 50,
      top_p: 1,
    })
  })
})

describe('a server in trouble', () => {
  it.each<[string, Answer, TokenTimeouts, string]>([
    ['never answers', 'no answer', { firstTokenMs: 150, silenceMs: 60_000 }, 'said nothing for 0.15 s'],
    [
      'stalls before the first token',
      { words: [], after: 'stall' },
      { firstTokenMs: 150, silenceMs: 60_000 },
      'said nothing for 0.15 s',
    ],
    [
      'stalls in the middle',
      { words: ['I am'], after: 'stall' },
      { firstTokenMs: 60_000, silenceMs: 150 },
      'fell silent for 0.15 s',
    ],
  ])('%s: the wait is limited', async (_what, answer, timeouts, sentence) => {
    const server = await serve(answer)
    const { kind, message } = await failure(server, { timeouts })
    expect({ kind, message }).toEqual({ kind: 'late', message: `${who(server)} ${sentence}` })
    await allClosed(server)
  })

  it.each<[string, Answer, string, string]>([
    [
      'a page',
      { raw: '<html>Welcome</html>', contentType: 'text/html' },
      'garbled',
      'did not answer with an event stream',
    ],
    ['no events', { raw: 'hello hello hello' }, 'garbled', 'did not answer with an event stream'],
    ['nothing', { raw: '' }, 'garbled', 'did not answer with an event stream'],
    ['events that are not JSON', { raw: 'data: {"choices"\n\n' }, 'garbled', 'sent what cannot be read'],
    ['JSON of another shape', { raw: 'data: {"choices":7}\n\n' }, 'garbled', 'sent what cannot be read'],
    [
      'one JSON object',
      { raw: '{"error":{"message":"no streaming here"}}', contentType: 'application/json' },
      'garbled',
      'did not answer with an event stream: no streaming here',
    ],
    [
      'an error event',
      { raw: 'data: {"error":{"message":"out of memory"}}\n\n' },
      'busy',
      'broke off: out of memory',
    ],
    ['an empty answer', { words: [] }, 'garbled', 'answered nothing'],
    [
      'only reasoning',
      { words: [], finishReason: 'length' },
      'refused',
      'used up max_tokens before it said anything',
    ],
    [
      'a filtered answer',
      { words: [], finishReason: 'content_filter' },
      'refused',
      'held its answer back (content_filter)',
    ],
  ])('sends %s', async (_what, answer, kind, sentence) => {
    const server = await serve(answer)
    expect(await failure(server)).toEqual({ kind, message: `${who(server)} ${sentence}`, said: '' })
  })

  it('sends events of a new type: they are counted, and the rest is said', async () => {
    const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
    const raw = [
      'data: {"object":"status","type":"queue","position":3}\n\n',
      chunk('Good '),
      'data: {"type":"queue","position":2}\n\n',
      chunk('day.'),
      'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ].join('')
    const server = await serve({ raw })
    const told: unknown[] = []
    const listening = onPassedOver(({ company, service, messageType }) =>
      told.push([company, service, messageType]),
    )
    cleanups.push(() => listening.stop())
    expect(textOf(await all(ask(server.baseUrl).reply(hello, forever)))).toBe('Good day.')
    const one = [modelVendors.custom.label, 'language_model', 'queue']
    expect(told).toEqual([one, one])
  })

  it('cuts the connection in the middle: what was said is kept', async () => {
    const server = await serve({ words: ['I am ', 'sorry'], after: 'stall' })
    const said: string[] = []
    const reading = async () => {
      for await (const part of ask(server.baseUrl).reply(hello, forever)) {
        if (part.type === 'text') said.push(part.text)
        if (said.length === 2) server.cut()
      }
    }
    const message = `${who(server)} broke the connection off`
    await expect(reading()).rejects.toMatchObject({ kind: 'gone', message })
    expect(said).toEqual(['I am ', 'sorry'])
  })

  it('is unreachable', async () => {
    const server = await openModelServer()
    await server.close()
    const { kind, message } = await failure(server)
    expect({ kind, message }).toEqual({
      kind: 'gone',
      message: `${who(server)} cannot be reached: no connection (ECONNREFUSED)`,
    })
  })
})

describe('an aborted request', () => {
  it.each<[string, Answer]>([
    ['before the first token', 'no answer'],
    ['in the middle', { words: ['I am'], after: 'stall' }],
  ])('%s ends without an error and closes the socket', async (_when, answer) => {
    const server = await serve(answer)
    const leaving = new AbortController()
    const parts = all(ask(server.baseUrl).reply(hello, leaving.signal))
    await expect.poll(() => server.asked.length).toBe(1)
    leaving.abort()
    expect(textOf(await parts)).toMatch(/^(I am)?$/)
    await allClosed(server)
  })

  it('aborted before it was sent opens no connection', async () => {
    const server = await serve({ words: ['Yes.'] })
    expect(await all(ask(server.baseUrl).reply(hello, AbortSignal.abort()))).toEqual([])
    expect(server.connections()).toBe(0)
  })

  it('and a reader that stops early closes the socket too', async () => {
    const server = await serve({ words: ['I am'], after: 'stall' })
    for await (const part of ask(server.baseUrl).reply(hello, forever)) if (part.type === 'text') break
    await allClosed(server)
  })
})

it('a private address from a user is refused by the guard', async () => {
  const server = await serve({ words: ['Yes.'] })
  const guard = openGuard({ allowPrivate: false, trustedHosts: [] })
  cleanups.push(() => guard.close())
  const baseUrl = server.baseUrl.replace('http:', 'https:')
  const vendor = { provider: 'custom', vendor: modelVendors.custom }
  const { dispatcher } = guard
  const model = streamedModel({ ...vendor, baseUrl, apiKey: undefined, dispatcher }, { model: 'm' })
  await expect(all(model.reply(hello, forever))).rejects.toMatchObject({
    kind: 'refused',
    message: `${who(server)} cannot be reached: refused: points at 127.0.0.1, which is not a public address`,
  })
  expect(server.connections()).toBe(0)
})
