// A span for every request, in the client's own trace if it names one; what a request causes has a trace of its own, in
// which the request appears.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  partContextOf,
  randomContext,
  readTraceparent,
  rootContextOf,
  type SpanContext,
} from '../platform/telemetry/trace-context.ts'
import type { Traces } from '../platform/telemetry/traces.ts'

// Asked every few seconds by load balancers and Prometheus.
const untraced = new Set(['/healthz', '/readyz', '/readyz/:role', '/metrics'])

export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const parent = readTraceparent(request.headers.traceparent)
    request.wide.trace_id = (parent ?? randomContext()).traceId
    next()
  })
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, next) => {
    const route = request.routeOptions.url ?? 'none'
    if (untraced.has(route)) return next()
    const endMs = Date.now()
    const context = randomContext(request.wide.trace_id)
    const caused = causedBy(request)
    const span = {
      name: `${request.method} ${route}`,
      startMs: endMs - elapsedTime,
      endMs,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': statusCode,
        'parley.request.id': request.id,
        'parley.workspace.id': request.wide.workspace_id,
      },
      ...(statusCode >= 500 && { error: request.wide.code ?? String(statusCode) }),
    }
    traces.record({
      ...span,
      kind: 'server',
      context,
      parent: readTraceparent(request.headers.traceparent),
      links: caused.map(({ root }) => root),
    })
    for (const { within, root } of caused)
      traces.record({
        ...span,
        context: within,
        links: [context],
        parent: within.spanId === root.spanId ? undefined : root,
      })
    next()
  })
}

interface TracePlace {
  readonly root: SpanContext
  readonly within: SpanContext
}

/**
 * The call or the batch that the answer is about. A call is a span of its own; of a batch the request that made it is
 * the first span, to which its calls are linked.
 */
function causedBy({ id, method, wide }: FastifyRequest): TracePlace[] {
  if (method === 'GET' || method === 'HEAD') return []
  const { session_id, batch_id, replayed } = wide
  const part = (subject: string): TracePlace => ({
    root: rootContextOf(subject),
    within: partContextOf(subject, `request ${id}`),
  })
  const first = (subject: string): TracePlace => ({
    root: rootContextOf(subject),
    within: rootContextOf(subject),
  })
  return [
    ...(session_id === undefined ? [] : [part(session_id)]),
    ...(batch_id === undefined ? [] : [replayed ? part(batch_id) : first(batch_id)]),
  ]
}
