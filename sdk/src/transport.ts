// One request, tried again where that is safe: a POST carries the same Idempotency-Key every time.
import type { ErrorBody } from '@parley/contract'
import { ParleyError } from './error.ts'

export interface TransportOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly workspaceId?: string | undefined
  readonly maxRetries: number
  readonly fetch: typeof fetch
  /** The header that carries the key; the speech-to-text service takes it raw in `authorization`, and replays nothing. */
  readonly carries?: 'x-api-key' | 'authorization'
}

export interface Send {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly query?: Record<string, string | number | undefined> | undefined
  /** Yours, to make a retry of your own safe; otherwise one is made. */
  readonly idempotencyKey?: string | undefined
}

// 0.25 s, 0.5 s, 1 s: a restart of the service is over by then.
const firstPauseMs = 250

export async function send<Data>(options: TransportOptions, request: Send): Promise<Data> {
  const response = await ask(options, request)
  return ((await response.json()) as { data: Data }).data
}

/** The answer itself, once it is a good one. */
export async function ask(
  options: TransportOptions,
  request: Send,
  more: RequestInit = {},
): Promise<Response> {
  const { url, init } = prepare(options, request)
  for (let attempt = 0; ; attempt++) {
    const response = await options.fetch(url, withMore(init, more)).catch((error: unknown) => {
      if (attempt >= options.maxRetries || more.signal?.aborted) throw error
    })
    if (response?.ok) return response
    const temporary = !response || response.status === 429 || response.status >= 500
    if (response && (!temporary || attempt >= options.maxRetries)) {
      throw new ParleyError(response.status, await errorBody(response))
    }
    await pause(response?.headers.get('retry-after'), attempt)
  }
}

const withMore = (init: RequestInit, { headers, ...rest }: RequestInit): RequestInit => ({
  ...init,
  ...rest,
  headers: { ...(init.headers as Record<string, string>), ...(headers as Record<string, string>) },
})

function prepare(options: TransportOptions, request: Send) {
  const { baseUrl, apiKey, workspaceId, carries = 'x-api-key' } = options
  const replays = request.method === 'POST' && carries === 'x-api-key'
  const url = new URL(baseUrl.replace(/\/$/, '') + request.path)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const init: RequestInit = {
    method: request.method,
    headers: {
      [carries]: apiKey,
      ...(workspaceId && { 'x-workspace-id': workspaceId }),
      ...(replays && { 'idempotency-key': request.idempotencyKey ?? crypto.randomUUID() }),
      // A form brings its own type along.
      ...(request.body !== undefined &&
        !(request.body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(request.body !== undefined && { body: bodyOf(request.body) }),
  }
  return { url, init }
}

const bodyOf = (body: unknown): string | FormData => (body instanceof FormData ? body : JSON.stringify(body))

const errorBody = async (response: Response): Promise<Partial<ErrorBody>> =>
  (await response.json().catch(() => ({}))) as Partial<ErrorBody>

function pause(retryAfter: string | null | undefined, attempt: number): Promise<void> {
  const ms = retryAfter ? Number(retryAfter) * 1000 : firstPauseMs * 2 ** attempt
  return new Promise((resolve) => setTimeout(resolve, ms))
}
