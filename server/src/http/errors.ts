// The last step of a failed request: turns anything thrown into a row of the error table.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../platform/db/db.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { errorAnswer, send } from './answer.ts'
import type { FailedAuthentications } from './doors/failed-authentication.ts'
import { Failure } from './failure.ts'

// A new primary is found within half a minute, a restart takes seconds.
const retryAfterSeconds = '2'

export function handleErrors(
  app: FastifyInstance,
  log: Log,
  failedAuthentications: FailedAuthentications,
): void {
  app.setErrorHandler((thrown, request, reply) => {
    const found = thrown instanceof Failure ? thrown : translated(thrown)
    const failure = failedAuthentications.limit(found, request.ip)
    request.wide.code = failure.code
    if (failure.status >= 500) log.error({ request_id: request.id, err: thrown }, 'request failed')
    reply.headers(failure.headers)
    return send(reply, errorAnswer(failure, request.id))
  })
}

/** Maps Fastify's own errors to ours; anything else is an internal error. */
function translated(thrown: unknown): Failure {
  const { statusCode, message } = thrown as { statusCode?: number; message?: string }
  if (statusCode && statusCode < 500) {
    return new Failure('MALFORMED_REQUEST', message ? { message } : {})
  }
  if (thrown instanceof DatabaseUnavailable)
    return new Failure('DATABASE_UNAVAILABLE', {
      cause: thrown,
      headers: { 'retry-after': retryAfterSeconds },
    })
  return new Failure('INTERNAL_ERROR', { cause: thrown })
}

/** A URL that the router cannot parse. */
export function refuseBeforeRouting(thrown: Error, request: FastifyRequest, reply: FastifyReply): void {
  request.wide = {}
  reply.header('x-request-id', request.id)
  send(reply, errorAnswer(translated(thrown), request.id))
}

/** Malformed or oversized HTTP never becomes a request, so it is answered on the raw socket. */
export function refuseConnection(_error: Error, socket: Socket): void {
  if (!socket.writable) return
  // The answer to this request is on its way already; a second one would be taken for that of the next request.
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse }
  if (underWay?.headersSent) return void socket.destroy()
  const { status, body } = errorAnswer(new Failure('MALFORMED_REQUEST'), newId())
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
