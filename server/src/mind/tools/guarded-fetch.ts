// A fetch that connects through the guard only, with a limit for the time and for the length of an answer.
import { fetch, Headers, type RequestInit, Response } from 'undici'
import { connectionRefused } from '../../platform/guard/connect-error.ts'
import type { Guard } from '../../platform/guard/guard.ts'

export interface AnswerLimits {
  /** The time for one request, its answer included. */
  readonly timeoutMs: number
  readonly responseLimitBytes: number
}

/**
 * A fetch for clients that ask and are answered. A stream for what the server says on its own would hold a connection
 * as long as the client lives, so it is refused with 405, as servers without such a stream do. Resuming an answer that
 * broke off is allowed.
 */
export const guardedFetch =
  (guard: Guard, { timeoutMs, responseLimitBytes }: AnswerLimits): typeof globalThis.fetch =>
  async (address, init) => {
    const verdict = guard.check(String(address))
    if (!verdict.ok) throw connectionRefused(verdict.reason)
    const method = init?.method ?? 'GET'
    const headers = new Headers(init?.headers as RequestInit['headers'])
    if (method === 'GET' && !headers.has('last-event-id'))
      return new Response(null, { status: 405 }) as unknown as globalThis.Response
    const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])]
    const response = await fetch(verdict.url, {
      method,
      headers,
      body: (init?.body ?? null) as NonNullable<RequestInit['body']> | null,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
      dispatcher: guard.dispatcher,
    })
    return limited(response, responseLimitBytes) as unknown as globalThis.Response
  }

function limited(response: Response, limitBytes: number): Response {
  if (!response.body) return response
  let left = limitBytes
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) controller.error(new Error(`the answer is longer than ${limitBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
}
