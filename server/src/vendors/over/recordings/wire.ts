// Requests to a vendor: retried, their answers validated, errors reported without the key.
import { Blob } from 'node:buffer'
import { Readable } from 'node:stream'
import { type Dispatcher, FormData, request } from 'undici'
import type { z } from 'zod'
import { growingMs, type Pace, pause } from './pace.ts'

export interface VendorEndpoint {
  /** As shown in error messages. */
  readonly name: string
  readonly baseUrl: string
  /** Sent with every request; they contain the key. */
  readonly headers: Readonly<Record<string, string>>
}

export interface VendorRequest {
  /** Default: POST with a body, GET without. */
  readonly method?: 'DELETE'
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** A blob is sent as it is and read while it is sent; an object is sent as JSON. */
  readonly body?: Blob | FormData | Readonly<Record<string, unknown>>
}

export type Ask = <Told>(
  path: string,
  answer: z.ZodType<Told>,
  vendorRequest?: VendorRequest,
) => Promise<Told>

export interface Wire {
  readonly ask: Ask
  /** Makes text from the vendor presentable: short, on one line, without the key. */
  shown(text: string): string
}

/** No status: there was no answer, or an incomplete one. */
export class VendorRequestError extends Error {
  readonly status: number | undefined
  readonly retryAfterMs: number
  constructor(sentence: string, options: { status?: number; retryAfterMs?: number; cause?: unknown }) {
    super(sentence, { cause: options.cause })
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

export interface WireOptions {
  readonly apiKey: string | undefined
  readonly connections: Dispatcher
  readonly pace: Pace
  readonly signal: AbortSignal
}

// The reason stands at the beginning.
const mostReasonChars = 300
// Polling is a cheap request; if it takes longer, it is lost.
const readTimeoutMs = 60_000

export function openWire(endpoint: VendorEndpoint, { apiKey, connections, pace, signal }: WireOptions): Wire {
  const { name, headers } = endpoint
  const shown = (text: string) =>
    (apiKey ? text.replaceAll(apiKey, '…') : text).replaceAll(/\s+/g, ' ').trim().slice(0, mostReasonChars)

  const send = async (url: URL, vendorRequest: VendorRequest) => {
    const method = vendorRequest.method ?? (vendorRequest.body ? 'POST' : 'GET')
    const patience = method === 'POST' ? [] : [AbortSignal.timeout(readTimeoutMs)]
    const sent = bodyOf(vendorRequest.body)
    const answer = await request(url, {
      dispatcher: connections,
      method,
      headers: { accept: 'application/json', ...headers, ...sent.headers },
      body: sent.body,
      signal: AbortSignal.any([signal, ...patience]),
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const retryAfterMs = 1000 * (Number(answer.headers['retry-after']) || 0)
    return { status: answer.statusCode, retryAfterMs, text: await answer.body.text() }
  }

  const answerTo = async (url: URL, vendorRequest: VendorRequest): Promise<string> => {
    const { status, retryAfterMs, text } = await send(url, vendorRequest).catch((cause) => {
      signal.throwIfAborted()
      throw new VendorRequestError(`${name} at ${url.host} does not answer (${cause.code ?? cause.name}).`, {
        cause,
      })
    })
    if (status >= 200 && status < 300) return text
    const reason = shown(text)
    throw new VendorRequestError(`${name} at ${url.host} answered ${status}${reason && `: ${reason}`}`, {
      status,
      retryAfterMs,
    })
  }

  return {
    shown,
    async ask(path, answer, vendorRequest = {}) {
      const url = new URL(`${endpoint.baseUrl.replace(/\/+$/, '')}${path}`)
      for (const [key, value] of vendorRequest.query ?? []) url.searchParams.append(key, value)
      for (let tries = 1; ; tries++) {
        try {
          const told = answer.safeParse(jsonOf(await answerTo(url, vendorRequest), name))
          if (!told.success) throw new Error(`${name} answered in a form that is not known.`)
          return told.data
        } catch (error) {
          if (
            !(error instanceof VendorRequestError) ||
            tries > pace.mostAgain ||
            !mayRetry(error, vendorRequest)
          )
            throw error
          await pause(waitMs(error, tries, pace), signal)
        }
      }
    },
  }
}

/** A rate-limited request was not executed; a read may be repeated; a submission is sent once. */
const mayRetry = ({ status }: VendorRequestError, { method, body }: VendorRequest): boolean =>
  status === 429 || (!method && !body && (status === undefined || status >= 500))

/** The server's Retry-After within bounds, but at least our own backoff. */
export const waitMs = ({ retryAfterMs }: VendorRequestError, tries: number, pace: Pace): number =>
  Math.max(Math.min(retryAfterMs, pace.mostRetryAfterMs), growingMs(tries, pace))

function bodyOf(body: VendorRequest['body']): {
  headers: Record<string, string>
  body: string | Readable | FormData | null
} {
  if (body === undefined) return { headers: {}, body: null }
  if (body instanceof Blob)
    return {
      headers: { 'content-type': body.type, 'content-length': String(body.size) },
      body: Readable.fromWeb(body.stream()),
    }
  if (body instanceof FormData) return { headers: {}, body }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function jsonOf(text: string, name: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${name} did not answer with JSON.`, { cause: error })
  }
}
