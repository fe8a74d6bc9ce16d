// One request to the service, retried where that is safe: every attempt of a POST carries the same Idempotency-Key.
import { type Address, fillPath, type ParameterOf, type ParametersOf } from '@parley/contract/addresses'
import { ParleyError } from './error.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import type { ErrorBody } from './wire.ts'

export interface TransportOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly workspaceId?: string | undefined
  readonly maxRetries: number
  readonly fetch: typeof fetch
  /** The header that carries the key. The speech-to-text service reads `authorization`, and no idempotency keys. */
  readonly keyHeader: 'x-api-key' | 'authorization'
}

export interface Send {
  readonly method: Address['method']
  readonly path: string
  readonly body?: unknown
  readonly query?: object | undefined
  /** The caller's own; a POST without one gets a new one. */
  readonly idempotencyKey?: string | undefined
}

/** The method and the path of an operation, with the parameters of the path. */
export const requestTo = <Path extends string>(
  { method, path }: Address<string, Path>,
  ...parameters: ParameterOf<Path> extends never ? [] : [parameters: ParametersOf<Path>]
): Send => ({ method, path: fillPath(path, ...parameters) })

// 0.25 s, 0.5 s, 1 s: long enough for the service to restart.
const firstPauseMs = 250

export async function send<Data>(options: TransportOptions, request: Send): Promise<Data> {
  const response = await ask(options, request)
  return ((await response.json()) as { data: Data }).data
}

/** Sends a request, with retries, and returns the response once it is a success. */
export async function ask(
  options: TransportOptions,
  request: Send,
  more: RequestInit = {},
): Promise<Response> {
  const { url, init } = prepare(options, request)
  // fetch is not called as a method: a browser's refuses any `this` but the window.
  const { fetch } = options
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(url, withMore(init, more)).catch((error: unknown) => {
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

function prepare({ baseUrl, apiKey, workspaceId, keyHeader }: TransportOptions, request: Send) {
  const { method, body, query = {}, idempotencyKey } = request
  const url = new URL(baseUrl.replace(/\/$/, '') + request.path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const isIdempotent = method === 'POST' && keyHeader === 'x-api-key'
  // fetch sets the content type of a form, with its boundary.
  const isJson = body !== undefined && !(body instanceof FormData)
  const init: RequestInit = {
    method,
    headers: {
      [keyHeader]: apiKey,
      ...(workspaceId && { 'x-workspace-id': workspaceId }),
      ...(isIdempotent && { 'idempotency-key': idempotencyKey ?? newIdempotencyKey() }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  }
  return { url, init }
}

const errorBody = async (response: Response): Promise<Partial<ErrorBody>> =>
  (await response.json().catch(() => ({}))) as Partial<ErrorBody>

function pause(retryAfter: string | null | undefined, attempt: number): Promise<void> {
  const ms = retryAfter ? Number(retryAfter) * 1000 : firstPauseMs * 2 ** attempt
  return new Promise((resolve) => setTimeout(resolve, ms))
}
