// The bytes of a request body. Nothing is read until somebody asks for it, and then for a limited time.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { Failure } from '../failure.ts'

// A client that has not sent its body by then is broken or hostile.
export const bodyMs = 60_000

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Requests whose clients sent `Expect: 100-continue` and hold the body back. */
const holdingBack = new WeakMap<IncomingMessage, ServerResponse>()

/** A client that asks before it sends its body is told to go on when the body is wanted, not before. */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    holdingBack.set(request, response)
    server.emit('request', request, response)
  })
  // Node answers an unknown Expect header with 417 by itself; the API has no such status.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

export const isHeldBack = (request: IncomingMessage): boolean => holdingBack.has(request)

function invite(request: IncomingMessage): void {
  holdingBack.get(request)?.writeContinue()
  holdingBack.delete(request)
}

const moves = ['readable', 'end', 'error', 'close'] as const

/**
 * The body in chunks. Leaving it early does not harm the connection, which carries the response. A small body that has
 * arrived already costs no listener and no timer.
 */
export async function* bodyChunks(request: IncomingMessage, limitMs = bodyMs): AsyncGenerator<Buffer> {
  invite(request)
  let wake = (): void => {}
  const moved = () => wake()
  let isLate = false
  const expire = () => {
    isLate = true
    wake()
  }
  let timer: NodeJS.Timeout | undefined
  let listening = false
  try {
    for (;;) {
      const chunk: Buffer | null = request.read()
      if (chunk) yield chunk
      else if (request.complete) return
      else if (request.destroyed) throw incomplete('The body ended too early.')
      else if (isLate) throw incomplete(`The body did not arrive within ${limitMs / 1000} seconds.`)
      else {
        const waiting = new Promise<void>((resolve) => {
          wake = resolve
        })
        if (!listening) {
          listening = true
          for (const move of moves) request.on(move, moved)
          if (Number.isFinite(limitMs)) timer = setTimeout(expire, limitMs)
        }
        await waiting
      }
    }
  } finally {
    clearTimeout(timer)
    for (const move of moves) request.off(move, moved)
  }
}

const incomplete = (message: string): Failure =>
  new Failure('MALFORMED_REQUEST', { message, incomplete: true })
