// One request into the world with one deadline for everything: name, connection, TLS, headers and body.
import { request as send } from 'undici'
import { ConnectError, type ConnectErrorKind, codeOf, refusal } from './guard/connect-error.ts'
import type { Guard } from './guard/guard.ts'

export interface Outbound {
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly headers: Record<string, string>
  readonly body?: Buffer | string
  readonly timeoutMs: number
  readonly responseLimitBytes: number
  /** Ends it before its time: its reason is thrown. */
  readonly signal?: AbortSignal
}

export interface Answered {
  /** Redirects are answers like others; nobody follows them. */
  readonly status: number
  readonly latencyMs: number
  /** As sent, never decompressed, and at most responseLimitBytes of it. */
  readonly body: Buffer
}

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

export async function outbound(guard: Guard, request: Outbound): Promise<Answered> {
  const startedAt = performance.now()
  const latencyMs = () => Math.round(performance.now() - startedAt)
  const deadline = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new OutboundError('timeout', `timed out after ${request.timeoutMs / 1000} s`, latencyMs()))
    deadline.abort()
  }, request.timeoutMs)
  const leave = () => {
    late.reject(request.signal?.reason)
    deadline.abort()
  }
  request.signal?.addEventListener('abort', leave)
  try {
    request.signal?.throwIfAborted()
    const answer = await Promise.race([exchange(guard, request, deadline), late.promise])
    return { ...answer, latencyMs: latencyMs() }
  } catch (error) {
    request.signal?.throwIfAborted()
    throw error instanceof OutboundError ? error : describe(error, latencyMs())
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', leave)
  }
}

async function exchange(guard: Guard, request: Outbound, end: AbortController) {
  const verdict = guard.check(request.url)
  if (!verdict.ok) throw refusal(verdict.reason)
  const response = await send(verdict.url, {
    dispatcher: guard.dispatcher,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal: end.signal,
    // undici's own limits; the deadline is ours.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const body = await readSome(response.body, request.responseLimitBytes, end)
  return { status: response.statusCode, body }
}

/** Past the limit the connection is destroyed, and with it whatever would still come. */
async function readSome(
  body: AsyncIterable<Buffer>,
  limitBytes: number,
  end: AbortController,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= limitBytes) {
      // Leaving the loop would do, but undici then connects anew for the request it dropped.
      end.abort()
      break
    }
  }
  return Buffer.concat(chunks, Math.min(bytes, limitBytes))
}

function describe(error: unknown, latencyMs: number): OutboundError {
  const told = (kind: OutboundError['kind'], message: string) =>
    new OutboundError(kind, message, latencyMs, { cause: error })
  if (error instanceof ConnectError) return told(error.kind, error.message)
  const code = codeOf(error)
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return told('reset', 'the connection was reset')
  // Some receivers refuse us only after the handshake, for want of a client certificate for one.
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return told('tls', `the TLS connection broke (${code})`)
  if (['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(code)) {
    return told('protocol', 'the request has a header that cannot be sent')
  }
  return told('protocol', `the answer is not valid HTTP${code && ` (${code})`}`)
}
