// A language model server on loopback with OpenAI's streaming protocol, and every way in which such a server fails.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { OpenAI } from 'openai'

export type Answer =
  | {
      readonly words?: readonly string[]
      readonly calls?: readonly {
        readonly id: string
        readonly name: string
        readonly pieces: readonly string[]
      }[]
      /** What happens after the words; by default the stream ends normally. */
      readonly after?: 'stall' | 'finish without done' | 'finish and stall'
      readonly finishReason?: OpenAI.ChatCompletionChunk.Choice['finish_reason']
      readonly oneByteAtATime?: boolean
    }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | { readonly raw: string; readonly contentType?: string; readonly oneByteAtATime?: boolean }
  | 'no answer'

export type Asked = OpenAI.ChatCompletionCreateParamsStreaming

export type Answering = (asked: Asked) => Answer

export interface ModelServer {
  readonly baseUrl: string
  readonly asked: {
    readonly path: string
    readonly authorization: string | undefined
    readonly body: Asked
  }[]
  /** The next answers in order; the last one repeats. A function answers by what was asked. */
  readonly answers: (Answer | Answering)[]
  /** Connections that are open now. */
  readonly open: ReadonlySet<Socket>
  readonly connections: () => number
  /** Closes all open connections. */
  cut(): void
  close(): Promise<void>
}

export async function openModelServer(...answers: (Answer | Answering)[]): Promise<ModelServer> {
  const asked: ModelServer['asked'] = []
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request))
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'no answer'
    await give(typeof answer === 'function' ? answer(body) : answer, body, response)
  })
  server.on('connection', (socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    answers,
    open,
    connections: () => connections,
    cut: () => {
      for (const socket of open) socket.destroy()
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

async function give(answer: Answer, asked: Asked, response: ServerResponse): Promise<void> {
  if (answer === 'no answer') return
  if ('status' in answer) {
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body)
    return
  }
  if ('raw' in answer) {
    response.writeHead(200, { 'content-type': answer.contentType ?? 'text/event-stream' })
    await write(response, answer.raw, answer.oneByteAtATime)
    response.end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  await write(response, streamOf(answer, asked), answer.oneByteAtATime)
  if (answer.after !== 'stall' && answer.after !== 'finish and stall') response.end()
}

type Spoken = Extract<Answer, { words?: readonly string[] }>

function streamOf({ words = [], calls = [], after, finishReason }: Spoken, asked: Asked): string {
  const choices = [
    choice({ role: 'assistant', content: '', refusal: null }),
    ...words.map((content) => choice({ content })),
    ...calls.flatMap(({ id, name, pieces }, index) => [
      choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces.map((piece) => choice({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ]
  const isOpen = after === 'stall'
  if (!isOpen) choices.push(choice({}, finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')))
  const chunks = choices.map((one) => chunk(asked.model, [one]))
  if (!isOpen && asked.stream_options?.include_usage) {
    const usage = { prompt_tokens: 20, completion_tokens: words.length, total_tokens: 20 + words.length }
    chunks.push({ ...chunk(asked.model, []), usage })
  }
  const events = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`)
  return events.join('') + (after ? '' : 'data: [DONE]\n\n')
}

const choice = (
  delta: OpenAI.ChatCompletionChunk.Choice.Delta,
  finish_reason: OpenAI.ChatCompletionChunk.Choice['finish_reason'] = null,
): OpenAI.ChatCompletionChunk.Choice => ({ index: 0, delta, logprobs: null, finish_reason })

const chunk = (model: string, choices: OpenAI.ChatCompletionChunk.Choice[]): OpenAI.ChatCompletionChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model,
  system_fingerprint: 'fp_1',
  choices,
  usage: null,
})

async function write(response: ServerResponse, text: string, oneByteAtATime = false): Promise<void> {
  if (!oneByteAtATime) {
    response.write(text)
    return
  }
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.of(byte))
    await new Promise((next) => setImmediate(next))
  }
}
