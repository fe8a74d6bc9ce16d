// A language model over HTTP whose answer is a stream of events, in the protocol of any vendor.
import { type Dispatcher, request as send } from 'undici'
import type { ModelOptions } from '../../../ports/call-plan.ts'
import type { LanguageModel, ModelPart, ModelRequest } from '../../../ports/language-model.ts'
import { PassedOver, UnknownMessage } from '../wire/passed-over.ts'
import { broken, complaintOf, ModelError, refusedRequest, unfinished } from './model-error.ts'
import type { AnswerEvent, AnswerReader, ModelServer, WireOptions } from './protocol.ts'
import { sseParser } from './sse-parse.ts'
import { wireOptions } from './wire-options.ts'

/** Timeouts for the first token and between tokens, never for the whole answer. */
export interface TokenTimeouts {
  readonly firstTokenMs: number
  readonly silenceMs: number
}

// A caller does not wait longer for a word.
export const defaultTimeouts: TokenTimeouts = { firstTokenMs: 8_000, silenceMs: 8_000 }

interface Deadline {
  /** Moves the deadline to this long from now. */
  grant(ms: number, sentence: string): void
  wait<Value>(promise: Promise<Value>): Promise<Value>
}

function deadline(): Deadline {
  let atMs = Number.POSITIVE_INFINITY
  let sentence = ''
  return {
    grant(ms, told) {
      atMs = performance.now() + ms
      sentence = told
    },
    async wait(promise) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new ModelError('late', sentence)), atMs - performance.now())
      try {
        return await Promise.race([promise, late.promise])
      } finally {
        clearTimeout(timer)
        // A rejection after the deadline must not go unhandled.
        promise.catch(() => {})
      }
    },
  }
}

export interface ModelChoice {
  readonly model: string
  readonly options?: ModelOptions
  readonly timeouts?: TokenTimeouts
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called with a sentence for the record when an option has no effect. */
  readonly onNote?: ((sentence: string) => void) | undefined
}

// The reason of a refusal is at the beginning of the body.
const refusalLimitChars = 16_384
// From the last word to the end of the response; a server that takes longer loses the connection.
const farewellMs = 1_000

type Response = Dispatcher.ResponseData
type Chunks = AsyncIterator<Buffer>

export function streamedModel(server: ModelServer, choice: ModelChoice): LanguageModel {
  const { model, timeouts = defaultTimeouts, onNote = () => {} } = choice
  const { protocol } = server.vendor
  const url = protocol.url(server, model)
  const who = `the language model ${model} at ${url.host}`
  let options: WireOptions = wireOptions(server.vendor, model, choice.options)

  const post = (request: ModelRequest, signal: AbortSignal) =>
    send(url, {
      dispatcher: server.dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...choice.headers,
        ...(server.apiKey && protocol.headers(server.apiKey)),
      },
      body: protocol.body(model, options, request),
      signal,
      // The deadlines are our own.
      headersTimeout: 0,
      bodyTimeout: 0,
    })

  const refused = async (response: Response, until: Deadline): Promise<ModelError> => {
    const { statusCode: status, headers } = response
    const body = await until.wait(beginningOf(response.body))
    const retryAfter = headers['retry-after']?.toString()
    return refusedRequest({ who, status, retryAfter, body, apiKey: server.apiKey })
  }

  /** A server that rejects an option is asked again without it, and does not get it again. */
  const ask = async (request: ModelRequest, until: Deadline, signal: AbortSignal): Promise<Response> => {
    const response = await until.wait(post(request, signal))
    if (isStream(response)) return response
    const error = await refused(response, until)
    const left = error.refusal && protocol.without(options, error.refusal)
    if (!left) throw error
    const gone = Object.keys(options).filter((name) => !(name in left))
    // A limit that goes by another name is not lost.
    if (Object.keys(left).length < Object.keys(options).length)
      onNote(`${who} does not take ${gone.join(', ')}, which was left aside.`)
    options = left
    return ask(request, until, signal)
  }

  const take = (reader: AnswerReader, data: string, passedOver: PassedOver): AnswerEvent => {
    try {
      return reader.take(data)
    } catch (cause) {
      if (!(cause instanceof UnknownMessage))
        throw new ModelError('garbled', `${who} sent what cannot be read`, { cause })
      passedOver.unknown(cause.messageType)
      return { type: 'parts', parts: [] }
    }
  }

  /** Whether the connection can be reused. */
  async function* read(
    reader: AnswerReader,
    chunks: Chunks,
    until: Deadline,
  ): AsyncGenerator<ModelPart, boolean> {
    let spoken = false
    const passedOver = new PassedOver(server.vendor.label, 'language_model')
    try {
      for await (const data of eventsOf(chunks, until)) {
        const reading = take(reader, data, passedOver)
        if (reading.type === 'done') break
        if (reading.type === 'complaint') throw complaintOf(who, reading.error, server.apiKey)
        for (const part of reading.parts) {
          spoken = true
          yield part
        }
        const timeoutMs = reader.finishReason ? farewellMs : timeouts.silenceMs
        if (spoken) until.grant(timeoutMs, `${who} fell silent for ${timeoutMs / 1000} s`)
      }
    } catch (error) {
      // The text is complete; only the token count is missing.
      if (spoken && reader.finishReason) return false
      throw error
    }
    if (!spoken || !reader.finishReason) throw unfinished(who, reader.finishReason, spoken)
    return true
  }

  const usageOf = (reader: AnswerReader, isAborted: boolean): ModelPart => ({
    type: 'usage',
    provider: server.provider,
    model: reader.model ?? model,
    ...(reader.tokens ?? { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 }),
    isAborted,
  })

  return {
    async *reply(request, signal) {
      if (signal.aborted) return
      const end = new AbortController()
      const leave = () => end.abort()
      signal.addEventListener('abort', leave)
      const until = deadline()
      until.grant(timeouts.firstTokenMs, `${who} said nothing for ${timeouts.firstTokenMs / 1000} s`)
      const reader = protocol.openReader()
      let reusable = false
      try {
        const { body } = await ask(request, until, end.signal)
        const chunks = body[Symbol.asyncIterator]()
        reusable = yield* read(reader, chunks, until)
        if (reusable) void drain(chunks, end)
      } catch (error) {
        if (!signal.aborted) throw broken(who, error)
      } finally {
        signal.removeEventListener('abort', leave)
        if (!reusable) leave()
      }
      yield usageOf(reader, signal.aborted && !reader.finishReason)
    },
  }
}

/** A 200 with a page or a JSON object instead of events is not an answer. */
const isStream = ({ statusCode, headers }: Response): boolean =>
  statusCode === 200 && !/json|html/.test(String(headers['content-type']))

async function* eventsOf(chunks: Chunks, until: Deadline): AsyncGenerator<string> {
  const parser = sseParser()
  for (;;) {
    const { value, done } = await until.wait(chunks.next())
    if (done) break
    yield* parser.push(value)
  }
  yield* parser.end()
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    text += chunk.toString()
    if (text.length > refusalLimitChars) break
  }
  return text
}

/** Reads to the end of the response, so that the next request can reuse the connection. */
async function drain(chunks: Chunks, end: AbortController): Promise<void> {
  const timer = setTimeout(() => end.abort(), farewellMs)
  try {
    while (!(await chunks.next()).done);
  } catch {
    // Only the connection is lost.
  } finally {
    clearTimeout(timer)
  }
}
