// A server that is asked over HTTP: with patience, answers checked, refusals in a sentence that never shows the key.
import { Blob } from 'node:buffer'
import { Readable } from 'node:stream'
import { type Dispatcher, FormData, request } from 'undici'
import type { z } from 'zod'
import { growingMs, type Pace, pause } from './pace.ts'

export interface Place {
  /** As the user reads it in errors. */
  readonly name: string
  readonly baseUrl: string
  /** Sent with every request: they show the key. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Asking {
  /** Left out: POST with a body, GET without. */
  readonly method?: 'DELETE'
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** A blob is the body as it is and read only as it is sent; an object goes as JSON. */
  readonly body?: Blob | FormData | Readonly<Record<string, unknown>>
}

export type Ask = <Told>(path: string, answer: z.ZodType<Told>, asking?: Asking) => Promise<Told>

export interface Wire {
  readonly ask: Ask
  /** The same sentence as it may be shown: short, on one line, without the key. */
  shown(text: string): string
}

/** No status: there was no answer, or not all of it. */
export class Trouble extends Error {
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

// The reason of a refusal stands at its beginning.
const mostReasonChars = 300
// Looking after a job is a small question; whoever takes longer has lost it.
const lookPatienceMs = 60_000

export function openWire(place: Place, { apiKey, connections, pace, signal }: WireOptions): Wire {
  const { name, headers } = place
  const shown = (text: string) =>
    (apiKey ? text.replaceAll(apiKey, '…') : text).replaceAll(/\s+/g, ' ').trim().slice(0, mostReasonChars)

  const send = async (url: URL, asking: Asking) => {
    const method = asking.method ?? (asking.body ? 'POST' : 'GET')
    const patience = method === 'POST' ? [] : [AbortSignal.timeout(lookPatienceMs)]
    const sent = bodyOf(asking.body)
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

  const answerTo = async (url: URL, asking: Asking): Promise<string> => {
    const { status, retryAfterMs, text } = await send(url, asking).catch((cause) => {
      signal.throwIfAborted()
      throw new Trouble(`${name} at ${url.host} does not answer (${cause.code ?? cause.name}).`, { cause })
    })
    if (status >= 200 && status < 300) return text
    const reason = shown(text)
    throw new Trouble(`${name} at ${url.host} answered ${status}${reason && `: ${reason}`}`, {
      status,
      retryAfterMs,
    })
  }

  return {
    shown,
    async ask(path, answer, asking = {}) {
      const url = new URL(`${place.baseUrl.replace(/\/+$/, '')}${path}`)
      for (const [key, value] of asking.query ?? []) url.searchParams.append(key, value)
      for (let tries = 1; ; tries++) {
        try {
          const told = answer.safeParse(jsonOf(await answerTo(url, asking), name))
          if (!told.success) throw new Error(`${name} answered in a form that is not known.`)
          return told.data
        } catch (error) {
          if (!(error instanceof Trouble) || tries > pace.mostAgain || !isPassing(error, asking)) throw error
          await pause(waitMs(error, tries, pace), signal)
        }
      }
    },
  }
}

/** What was refused for its haste did not happen; what only looks may look twice; an order is given once. */
const isPassing = ({ status }: Trouble, { method, body }: Asking): boolean =>
  status === 429 || (!method && !body && (status === undefined || status >= 500))

/** What the server asks for, within reason, but never less than we should wait anyway. */
export const waitMs = ({ retryAfterMs }: Trouble, tries: number, pace: Pace): number =>
  Math.max(Math.min(retryAfterMs, pace.mostRetryAfterMs), growingMs(tries, pace))

function bodyOf(body: Asking['body']): {
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
