// A language model server on loopback that answers from a script, and every way in which such a server fails. The protocol is
// that of the vendor who is given.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface ScriptedReply {
  readonly words?: readonly string[]
  readonly calls?: readonly {
    readonly id: string
    readonly name: string
    readonly pieces: readonly string[]
  }[]
  /** What happens after the words; by default the stream ends normally. */
  readonly after?: 'stall' | 'finish without done' | 'finish and stall'
  readonly finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  readonly oneByteAtATime?: boolean
  /** Written before all events. */
  readonly before?: string
  /** How long the server thinks; undefined: not at all. */
  readonly afterMs?: number
}

export type Answer =
  | ScriptedReply
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | { readonly raw: string; readonly contentType?: string; readonly oneByteAtATime?: boolean }
  | 'no answer'

export interface ScriptedServer<Body> {
  /** The address of the server, without a path. */
  readonly origin: string
  readonly asked: {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly authorization: string | undefined
    readonly body: Body
  }[]
  /** The next answers in order; the last one repeats. */
  readonly answers: Answer[]
  /** Connections that are open now. */
  readonly open: ReadonlySet<Socket>
  readonly connections: () => number
  /** Closes all open connections. */
  cut(): void
  close(): Promise<void>
}

/** The whole stream of events of an answer; the last one is missing if the answer does not end. */
export type StreamOf<Body> = (answer: ScriptedReply, asked: Body, path: string) => string

export async function openScriptedServer<Body>(
  streamOf: StreamOf<Body>,
  answers: Answer[],
): Promise<ScriptedServer<Body>> {
  const asked: ScriptedServer<Body>['asked'] = []
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await textOf(request)) || '{}') as Body
    const { url: path = '', headers } = request
    asked.push({ path, headers, authorization: headers.authorization, body })
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'no answer'
    await give(answer, response, (spoken) => streamOf(spoken, body, path))
  })
  server.on('connection', (socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
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

async function give(
  answer: Answer,
  response: ServerResponse,
  streamOf: (spoken: ScriptedReply) => string,
): Promise<void> {
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
  if (answer.afterMs !== undefined) await new Promise((due) => setTimeout(due, answer.afterMs))
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  await write(response, (answer.before ?? '') + streamOf(answer), answer.oneByteAtATime)
  if (answer.after !== 'stall' && answer.after !== 'finish and stall') response.end()
}

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
