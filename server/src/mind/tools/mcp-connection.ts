// A connection to an MCP server over streamable HTTP, with the official client: opened, asked, and opened again when it
// breaks.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { ConnectError } from '../../platform/guard/connect-error.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import type { McpServerPlan } from '../../ports/call-plan.ts'
import type { ToolDescription } from '../../ports/language-model.ts'
import { answeredFetch } from './answered-fetch.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { fillUrl, fillWords, type TemplateValues } from './template.ts'
import { cut, dataOf, type ToolAnswer } from './tool-answer.ts'

// No model can choose from more.
const mostTools = 200
const mostPages = 20
const answerLimitBytes = 1_048_576
// The server is told that we leave, but nobody waits for its answer.
const leaveMs = 2_000

// The SDK is loaded by the first call that uses it: most use no MCP server.
const loadSdk = async () => {
  const [{ Client }, { StreamableHTTPClientTransport, StreamableHTTPError }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Client, StreamableHTTPClientTransport, StreamableHTTPError, ...types }
}
type Sdk = Awaited<ReturnType<typeof loadSdk>>

interface Open {
  readonly sdk: Sdk
  readonly client: Client
  leave(): void
}

export interface McpConnectionOptions {
  readonly guard: Guard
  /** The values for the placeholders of the address and the headers. */
  readonly variables: TemplateValues
  /** Sent with every request, unless the server has its own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export class McpConnection {
  readonly #server: McpServerPlan
  readonly #guard: Guard
  readonly #variables: TemplateValues
  readonly #headers: Readonly<Record<string, string>> | undefined
  #open: Promise<Open> | undefined
  #isClosed = false

  constructor(server: McpServerPlan, { guard, variables, headers }: McpConnectionOptions) {
    this.#server = server
    this.#guard = guard
    this.#variables = variables
    this.#headers = headers
  }

  /** Lists everything that the server offers. Throws one sentence. */
  async list(): Promise<readonly ToolDescription[]> {
    try {
      const { sdk, client } = await this.#connected()
      const tools: ToolDescription[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages && tools.length < mostTools; page++) {
        const params = cursor === undefined ? {} : { cursor }
        const list = await client.request(
          { method: 'tools/list', params },
          sdk.ListToolsResultSchema,
          this.#limits,
        )
        for (const { name, description = '', inputSchema } of list.tools)
          tools.push({ name, description, parameters: inputSchema })
        cursor = list.nextCursor
        if (cursor === undefined) break
      }
      return tools.slice(0, mostTools)
    } catch (error) {
      this.#drop()
      throw new Error(this.#reason(error), { cause: error })
    }
  }

  /** Calls a tool. A failure is an answer, too; only an aborted call throws. */
  async call(name: string, given: TemplateValues, signal: AbortSignal): Promise<ToolAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { sdk, client } = await this.#connected()
        const request = { method: 'tools/call' as const, params: { name, arguments: { ...given } } }
        const limits = { ...this.#limits, signal }
        return answerOf(await client.request(request, sdk.CallToolResultSchema, limits))
      } catch (error) {
        signal.throwIfAborted()
        const wasNotTaken = isRefusedUnread(error)
        if (wasNotTaken || !isAnswer(error)) this.#drop()
        // Otherwise the tool may have run, and running it twice may do harm.
        if (wasNotTaken && attempt === 1) continue
        return { ok: false, text: `The tool could not be used: ${this.#reason(error)}.` }
      }
    }
  }

  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  get #limits() {
    const { timeoutMs } = this.#server
    return { timeout: timeoutMs, maxTotalTimeout: timeoutMs }
  }

  #connected(): Promise<Open> {
    if (this.#isClosed) return Promise.reject(new Error('the call has ended'))
    this.#open ??= this.#connect()
    return this.#open
  }

  async #connect(): Promise<Open> {
    const sdk = await loadSdk()
    const { url, timeoutMs } = this.#server
    const own = Object.entries(this.#server.headers)
    const headers = own.map(([name, words]) => [name, fillWords(words, this.#variables)])
    const transport = new sdk.StreamableHTTPClientTransport(new URL(fillUrl(url, this.#variables)), {
      requestInit: {
        headers: { 'user-agent': 'Parley/1.0', ...this.#headers, ...Object.fromEntries(headers) },
      },
      fetch: answeredFetch(guardedFetch(this.#guard, { timeoutMs, responseLimitBytes: answerLimitBytes })),
    })
    const client = new sdk.Client({ name: 'parley', version: '1.0.0' }, { capabilities: {} })
    // The client reports an answer that broke off and could not be resumed; its end tells the caller of this
    // connection.
    client.onerror = ({ message }) => {
      if (message.startsWith('Maximum reconnection attempts')) void client.close().catch(() => {})
    }
    await client.connect(transport, this.#limits)
    const leave = () => {
      const ended = transport.sessionId === undefined ? Promise.resolve() : transport.terminateSession()
      const late = new Promise((done) => setTimeout(done, leaveMs).unref())
      void Promise.race([ended.catch(() => {}), late]).then(() => client.close().catch(() => {}))
    }
    return { sdk, client, leave }
  }

  /** Closes the connection; the next question opens another one. */
  #drop(): void {
    this.#open?.then(({ leave }) => leave()).catch(() => {})
    this.#open = undefined
  }

  /** The reason of an error, without a full stop. */
  #reason(error: unknown): string {
    for (let cause = error; cause instanceof Error; cause = cause.cause as Error | undefined)
      if (cause instanceof ConnectError) return cause.message
    if (!(error instanceof Error)) return String(error)
    // The message of fetch is no reason; its cause is.
    if (error.message === 'fetch failed' && error.cause) return this.#reason(error.cause)
    if (codeOf(error) === requestTimeout || error.name === 'TimeoutError')
      return `it did not answer within ${this.#server.timeoutMs / 1_000} s`
    const status = isHttpError(error) ? codeOf(error) : undefined
    if (status !== undefined && status > 0) return `it answered ${status}`
    return error.message.replace(/^MCP error -?\d+: /, '').replace(/\.$/, '')
  }
}

// JSON-RPC codes of the client.
const requestTimeout = -32_001
const connectionClosed = -32_000

const codeOf = (error: unknown): number | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'number' ? code : undefined
}

const isHttpError = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Streamable HTTP error')

/** Whether the server answered the question itself, if only with an error: the connection is good then. */
const isAnswer = (error: unknown): boolean => {
  const code = codeOf(error)
  return !isHttpError(error) && code !== undefined && ![requestTimeout, connectionClosed].includes(code)
}

/** Whether there was no connection, or the server does not know our session any more. */
const isRefusedUnread = (error: unknown): boolean => {
  if (isHttpError(error)) return [400, 404].includes(codeOf(error) ?? 0)
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error | undefined)
    if (cause instanceof ConnectError) return true
  return false
}

function answerOf({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const texts = content.map(textOf).filter(Boolean)
  const text = texts.join('\n') || (structuredContent ? JSON.stringify(structuredContent) : 'Done.')
  return { ok: !isError, text: cut(text), data: structuredContent ?? dataOf(text) }
}

/** The text of a part; a part that cannot be said is named. */
function textOf(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
      return '(an image)'
    case 'audio':
      return '(a sound)'
    case 'resource_link':
      return `${part.title ?? part.name}: ${part.uri}`
    case 'resource':
      return 'text' in part.resource ? part.resource.text : part.resource.uri
  }
}
