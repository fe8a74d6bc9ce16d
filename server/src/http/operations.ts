// Endpoints for operators: health, readiness, metrics.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../platform/db/db.ts'
import type { Metrics } from './metrics.ts'
import { openMetricsType, wantsOpenMetrics } from './open-metrics.ts'
import type { Readiness } from './readiness.ts'

const ask = 'SELECT 1'

export function mountOperations(app: FastifyInstance, db: Db, metrics: Metrics, readiness: Readiness): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  /** The status is 503 unless the process is ready and the database answers. */
  const answer = async (reply: FastifyReply, status: string, rest: object) => {
    if (status !== 'ready') return reply.code(503).send({ status, ...rest })
    try {
      // The pool is asked directly, because db.rows waits for a database that is away.
      await db.pool.query(ask)
      return { status, ...rest }
    } catch {
      return reply.code(503).send({ status: 'database unreachable' })
    }
  }

  app.get('/readyz', async (_request, reply) => answer(reply, readiness.status, { roles: readiness.roles }))

  app.get<{ Params: { role: string } }>('/readyz/:role', async ({ params }, reply) => {
    const report = readiness.of(params.role)
    if (!report) return reply.code(404).send({ status: 'no such role here' })
    const { status, ...rest } = report
    return answer(reply, status, rest)
  })

  app.get('/metrics', async ({ headers }, reply) => {
    const isOpen = wantsOpenMetrics(headers.accept)
    reply.type(isOpen ? openMetricsType : metrics.contentType)
    return isOpen ? metrics.openMetrics() : metrics.text()
  })
}
