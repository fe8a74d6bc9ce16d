// Requests to a vendor: retried, their answers validated, errors reported without the key.
import { Blob } from 'node:buffer'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, FormData, request } from 'undici'
import type { z } from 'zod'

export interface Pace {
  readonly firstMs: number
  /** Upper bound of the growing delays. */
  readonly mostMs: number
  /** A server's Retry-After is honoured up to this. */
  readonly mostRetryAfterMs: number
  /** Retries per request. */
  readonly mostAgain: number
  /** Time limit for audio of this length, from the first byte sent to the last byte received. */
  patienceMs(seconds: number): number
}

/** Short recordings finish within a second; for long ones seconds do not matter. Rides out half a minute of trouble. */
export const unhurried: Pace = {
  firstMs: 500,
  mostMs: 5_000,
  mostRetryAfterMs: 60_000,
  mostAgain: 8,
  // A slow server takes minutes for a short recording, and transcribes long ones at twice real time.
  patienceMs: (seconds) => 15 * 60_000 + (seconds * 1000) / 2,
}

export const growingMs = (nth: number, { firstMs, mostMs }: Pace): number =>
  Math.min(mostMs, firstMs * 1.5 ** (nth - 1))

/** Rejects with the signal's reason as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

export interface VendorEndpoint {
  /** As shown in error messages. */
  readonly name: string
  readonly baseUrl: string
  /** Sent with every request; they contain the key. */
  readonly headers: Readonly<Record<string, string>>
}

export interface RecordingRequest {
  /** Default: POST with a body, GET without. */
  readonly method?: 'DELETE'
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** A blob is sent as it is and read while it is sent; an object is sent as JSON. */
  readonly body?: Blob | FormData | Readonly<Record<string, unknown>>
}

export type Ask = <Told>(
  path: string,
  answer: z.ZodType<Told>,
  vendorRequest?: RecordingRequest,
) => Promise<Told>

export interface Wire {
  readonly ask: Ask
  /** Makes text from the vendor presentable: short, on one line, without the key. */
  shown(text: string): string
}

/** No status: there was no answer, or an incomplete one. */
export class RecordingRequestError extends Error {
  readonly status: number | undefined
  readonly retryAfterMs: number
  constructor(sentence: string, options: { status?: number; retryAfterMs?: number; cause?: unknown }) {
    super(sentence, { cause: options.cause })
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

export interface RecordingWireOptions {
  readonly apiKey: string | undefined
  readonly connections: Dispatcher
  readonly pace: Pace
  readonly signal: AbortSignal
}

// The reason of a refusal stands at the beginning.
const mostReasonChars = 300
// Polling is a cheap request; if it takes longer, it is lost.
const readTimeoutMs = 60_000

export function openWire(
  endpoint: VendorEndpoint,
  { apiKey, connections, pace, signal }: RecordingWireOptions,
): Wire {
  const { name, headers } = endpoint
  const shown = (text: string) =>
    (apiKey ? text.replaceAll(apiKey, '…') : text).replaceAll(/\s+/g, ' ').trim().slice(0, mostReasonChars)

  const send = async (url: URL, vendorRequest: RecordingRequest) => {
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

  const answerTo = async (url: URL, vendorRequest: RecordingRequest): Promise<string> => {
    const { status, retryAfterMs, text } = await send(url, vendorRequest).catch((cause) => {
      signal.throwIfAborted()
      const why = cause.code ?? cause.name
      throw new RecordingRequestError(`${name} at ${url.host} does not answer (${why}).`, { cause })
    })
    if (status >= 200 && status < 300) return text
    const reason = shown(text)
    throw new RecordingRequestError(`${name} at ${url.host} answered ${status}${reason && `: ${reason}`}`, {
      status,
      retryAfterMs,
    })
  }

  return {
    shown,
    async ask(path, answer, vendorRequest = {}) {
      const url = new URL(`${endpoint.baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`)
      for (const [key, value] of vendorRequest.query ?? []) url.searchParams.append(key, value)
      for (let tries = 1; ; tries++) {
        try {
          const told = answer.safeParse(jsonOf(await answerTo(url, vendorRequest), name))
          if (!told.success) throw new Error(`${name} answered in a form that is not known.`)
          return told.data
        } catch (error) {
          if (
            !(error instanceof RecordingRequestError) ||
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
const mayRetry = ({ status }: RecordingRequestError, { method, body }: RecordingRequest): boolean =>
  status === 429 || (!method && !body && (status === undefined || status >= 500))

/** The server's Retry-After within bounds, but at least our own backoff. */
export const waitMs = ({ retryAfterMs }: RecordingRequestError, tries: number, pace: Pace): number =>
  Math.max(Math.min(retryAfterMs, pace.mostRetryAfterMs), growingMs(tries, pace))

function bodyOf(body: RecordingRequest['body']): {
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
