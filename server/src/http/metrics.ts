// Prometheus metrics.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../platform/db/db.ts'

export interface Metrics {
  readonly registry: Registry
  observeRequest(method: string, route: string, status: number, seconds: number): void
  readonly deliverySeconds: Histogram<'outcome'>
}

export function openMetrics(db: Db): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const connections = new Gauge({
    name: 'parley_database_connections',
    help: 'Connections of this process to the database, and requests waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.set({ state: 'open' }, db.pool.totalCount)
      connections.set({ state: 'idle' }, db.pool.idleCount)
      connections.set({ state: 'waiting' }, db.pool.waitingCount)
    },
  })
  const requestSeconds = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Requests by route and status, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const deliverySeconds = new Histogram({
    name: 'parley_webhook_attempt_seconds',
    help: 'Attempts to deliver an event, by outcome, and how long they took.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  // Looking up a child by labels costs more than the observation itself.
  const children = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  return {
    registry,
    deliverySeconds,
    observeRequest(method, route, status, seconds) {
      const name = `${method} ${route} ${status}`
      const child = children.get(name) ?? requestSeconds.labels({ method, route, status })
      children.set(name, child)
      child.observe(seconds)
    },
  }
}
