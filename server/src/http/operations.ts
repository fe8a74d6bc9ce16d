// Endpoints for operators: health, readiness, metrics.
import type { FastifyInstance } from 'fastify'
import type { Db } from '../platform/db/db.ts'
import type { Metrics } from './metrics.ts'

const ask = 'SELECT 1'

export interface Readiness {
  /** True once shutdown was requested: load balancers should stop routing here. */
  draining: boolean
}

export function mountOperations(app: FastifyInstance, db: Db, metrics: Metrics, readiness: Readiness): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    if (readiness.draining) return reply.code(503).send({ status: 'draining' })
    try {
      // Not db.rows, which waits for a database that is away.
      await db.pool.query(ask)
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'database unreachable' })
    }
  })

  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType)
    return metrics.text()
  })
}
