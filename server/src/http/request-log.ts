// One wide log line per request: everything known about it in fields; never headers or bodies.
import type { FastifyInstance } from 'fastify'
import type { Log } from '../platform/log.ts'
import type { Metrics } from './metrics.ts'

export interface Wide {
  api_key_id?: string
  user_id?: string
  workspace_id?: string
  code?: string
  replayed?: boolean | undefined
  /** What the answer is about. */
  session_id?: string | undefined
  batch_id?: string | undefined
  trace_id?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    wide: Wide
  }
}

// Polled every few seconds; a line for each would drown the rest.
const quiet = new Set(['/healthz', '/readyz', '/readyz/:role', '/metrics'])

/** The call or the batch that an answer is about. */
export function nameSubject(wide: Wide, data: unknown): void {
  if (typeof data !== 'object' || data === null) return
  const { session_id, batch_id } = data as Record<string, unknown>
  if (typeof session_id === 'string') wide.session_id = session_id
  if (typeof batch_id === 'string') wide.batch_id = batch_id
}

export function writeWideLines(app: FastifyInstance, log: Log, metrics: Metrics): void {
  app.decorateRequest('wide', null as unknown as Wide)
  app.addHook('onRequest', (request, reply, next) => {
    request.wide = {}
    reply.header('x-request-id', request.id)
    next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none'
    const traceId = quiet.has(route) ? undefined : request.wide.trace_id
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000, traceId)
    if (!quiet.has(route)) {
      log.info(
        {
          request_id: request.id,
          method: request.method,
          route,
          status: reply.statusCode,
          duration_ms: Math.round(reply.elapsedTime * 10) / 10,
          ...request.wide,
        },
        'request',
      )
    }
    next()
  })
}
