// One outbound request with a single deadline for everything: DNS, connection, TLS, headers and body.
import type { Dispatcher } from 'undici'
import { ConnectError, type ConnectErrorKind, codeOf, connectionRefused } from './guard/connect-error.ts'
import type { Guard } from './guard/guard.ts'
import type { AllowedUrl } from './guard/rules.ts'
import { LazyAbort } from './lazy-abort.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Record<string, string>
  readonly body?: Buffer | string
  readonly timeoutMs: number
  /** `success`: a status of 2xx is the answer, whatever becomes of the body; any other has one. Default: `body`. */
  readonly until?: 'body' | 'success'
  readonly responseLimitBytes: number
  /** Aborts the request; its reason is thrown. */
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  /** Redirects are returned like any response, not followed. */
  readonly status: number
  readonly latencyMs: number
  /** The body as it was sent, never decompressed, at most responseLimitBytes of it. Empty if it was not waited for. */
  readonly body: Buffer
}

const nothing = Buffer.alloc(0)

// A body that nobody waits for is read for this long, so that the connection can be reused; most have arrived by then.
const unwantedBodyMs = 1_000

/** The message is one short sentence for a delivery log. */
export class OutboundError extends Error {
  readonly kind: ConnectErrorKind | 'timeout' | 'protocol'
  readonly latencyMs: number

  constructor(kind: OutboundError['kind'], message: string, latencyMs: number, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.latencyMs = latencyMs
  }
}

export function requestOutside(guard: Guard, request: OutboundRequest): Promise<OutboundAnswer> {
  const { signal } = request
  if (signal?.aborted) return Promise.reject(signal.reason)
  const exchange = new Exchange(request)
  begin(exchange, guard, request)
  if (!signal) return exchange.answer
  const giveUp = () => exchange.giveUp(signal.reason)
  signal.addEventListener('abort', giveUp)
  return exchange.answer.finally(() => signal.removeEventListener('abort', giveUp))
}

function begin(exchange: Exchange, guard: Guard, request: OutboundRequest): void {
  const verdict = guard.check(request.url)
  if (!verdict.ok) exchange.fail(connectionRefused(verdict.reason))
  else guard.dispatcher.dispatch(new Wire(verdict, request, exchange), exchange)
}

/** The request as undici reads it. */
class Wire implements Dispatcher.DispatchOptions {
  readonly origin: string
  readonly path: string
  readonly method: OutboundRequest['method']
  readonly headers: Record<string, string>
  readonly body: Buffer | string | null
  // Disables undici's limits; our deadline applies.
  readonly headersTimeout = 0
  readonly bodyTimeout = 0
  readonly #exchange: Exchange

  constructor({ origin, path }: AllowedUrl, { method, headers, body }: OutboundRequest, exchange: Exchange) {
    this.origin = origin
    this.path = path
    this.method = method
    this.headers = headers
    this.body = body ?? null
    this.#exchange = exchange
  }

  /** For a connection that is opened for this request, see guard/origin-pool.ts. */
  get signal(): AbortSignal {
    return this.#exchange.left
  }
}

/** Bypasses undici's streams and signals, which cost as much as the signature does. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now()
  readonly #limitBytes: number
  readonly #untilSuccess: boolean
  readonly #settled = Promise.withResolvers<OutboundAnswer>()
  readonly #deadline: NodeJS.Timeout
  readonly #leaving = new LazyAbort()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #isOver = false
  #controller: Dispatcher.DispatchController | undefined
  /** Ends the reading of a body that nobody waits for. */
  #enough: NodeJS.Timeout | undefined

  constructor({ timeoutMs, responseLimitBytes, until }: OutboundRequest) {
    this.#limitBytes = responseLimitBytes
    this.#untilSuccess = until === 'success'
    this.#deadline = setTimeout(() => {
      // A response that refuses is complete even if its body does not end.
      if (this.#untilSuccess && this.#status >= 300) return this.#cutShort()
      this.giveUp(new OutboundError('timeout', `timed out after ${timeoutMs / 1000} s`, this.#latencyMs))
    }, timeoutMs)
  }

  get answer(): Promise<OutboundAnswer> {
    return this.#settled.promise
  }

  /** Aborted when the response is no longer wanted. */
  get left(): AbortSignal {
    return this.#leaving.signal
  }

  get #latencyMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The deadline passed while the request waited for its connection.
    if (this.#leaving.aborted) controller.abort(noLongerWanted)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
    // An informational response precedes the real one.
    if (!this.#untilSuccess || !isSuccess(status)) return
    this.#succeed()
    this.#enough = setTimeout(() => this.#leave(), unwantedBodyMs).unref()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#untilSuccess || !isSuccess(this.#status)) this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= this.#limitBytes) this.#cutShort()
  }

  onResponseEnd(): void {
    clearTimeout(this.#enough)
    this.#succeed()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#enough)
    if (this.#untilSuccess && this.#status >= 300) this.#succeed()
    else this.fail(error)
  }

  fail(error: Error): void {
    if (this.#end()) this.#settled.reject(describe(error, this.#latencyMs))
  }

  giveUp(reason: unknown): void {
    if (this.#end()) this.#settled.reject(reason)
    this.#leave()
  }

  #succeed(): void {
    if (!this.#end()) return
    const chunks = this.#chunks
    const body =
      chunks.length === 0 ? nothing : Buffer.concat(chunks, Math.min(this.#bytes, this.#limitBytes))
    this.#settled.resolve({ status: this.#status, latencyMs: this.#latencyMs, body })
  }

  /** Destroys the connection, and with it the rest of the response. */
  #cutShort(): void {
    this.#succeed()
    this.#leave()
  }

  /** Aborts the signal first: otherwise undici would reconnect for the request it drops. */
  #leave(): void {
    clearTimeout(this.#enough)
    this.#leaving.abort()
    this.#controller?.abort(noLongerWanted)
  }

  /** Returns false if the exchange was over already. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#deadline)
    return true
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const noLongerWanted = new Error('this response is no longer wanted')

function describe(error: unknown, latencyMs: number): OutboundError {
  const told = (kind: OutboundError['kind'], message: string) =>
    new OutboundError(kind, message, latencyMs, { cause: error })
  if (error instanceof ConnectError) return told(error.kind, error.message)
  const code = codeOf(error)
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return told('reset', 'the connection was reset')
  // Some receivers reject us only after the handshake, for example for lack of a client certificate.
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return told('tls', `the TLS connection broke (${code})`)
  if (['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(code)) {
    return told('protocol', 'the request has a header that cannot be sent')
  }
  return told('protocol', `the answer is not valid HTTP${code && ` (${code})`}`)
}
