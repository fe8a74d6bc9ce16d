// Prometheus metrics.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Db } from '../platform/db/db.ts'
import { Exemplars } from '../platform/telemetry/exemplars.ts'
import { openMetricsText } from './open-metrics.ts'
import { QuickHistogram, type Series } from './quick-histogram.ts'

// Memory, CPU and the event loop are those of the process, and their observers cannot be taken down again: there is one
// set of them, however many services are started.
let known: Registry | undefined

function processMetrics(): Registry {
  if (!known) {
    known = new Registry()
    collectDefaultMetrics({ register: known })
  }
  return known
}

const requests = {
  name: 'parley_http_request_seconds',
  bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
}
const attempts = {
  name: 'parley_webhook_attempt_seconds',
  bounds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
}
const delays = {
  name: 'parley_delivery_delay_seconds',
  bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
}

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics(db: Db) {
  const ofProcess = processMetrics()
  const registry = new Registry()
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
  const requestSeconds = new QuickHistogram({
    ...requests,
    help: 'Requests by route and status, and how long they took.',
    registry,
  })
  const failedAuthentications = new Counter({
    name: 'parley_failed_authentications_total',
    help: 'Requests without a valid credential: refused (401), or one too many from their address (429).',
    labelNames: ['status'],
    registers: [registry],
  })
  const deliverySeconds = new QuickHistogram({
    ...attempts,
    help: 'Attempts to deliver an event, by outcome, and how long they took.',
    registry,
  })
  const deliveryDelaySeconds = new QuickHistogram({
    ...delays,
    help: 'From the moment that an event is due to the first attempt to deliver it.',
    registry,
  })
  const lostCalls = new Counter({
    name: 'parley_calls_lost_total',
    help: 'Calls whose process died and that no other could go on with, found by this process.',
    registers: [registry],
  })
  const jobSeconds = new QuickHistogram({
    name: 'parley_job_seconds',
    help: 'Attempts at jobs, by kind and outcome, and how long they took.',
    bounds: [0.01, 0.1, 1, 10, 60, 600, 3600],
    registry,
  })
  const refusedDestinations = new Counter({
    name: 'parley_destinations_refused_total',
    help: 'Calls that were not placed because of what they would have dialled, or because a limit of the workspace was reached.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const passedOverMessages = new Counter({
    name: 'parley_vendor_messages_passed_over_total',
    help: 'Messages of vendors that a call or a job went on without: of an unknown type, or unreadable.',
    labelNames: ['company', 'service', 'reason'],
    registers: [registry],
  })
  const requestsOf = new Map<string, Series>()
  const jobsOf = new Map<string, Map<string, Series>>()
  const attemptsOf = {
    delivered: deliverySeconds.series({ outcome: 'delivered' }),
    failed: deliverySeconds.series({ outcome: 'failed' }),
  }
  const deliveryDelays = deliveryDelaySeconds.series()
  const exemplars = new Exemplars()
  const text = async () => `${await ofProcess.metrics()}\n${await registry.metrics()}`
  return {
    /** The registry of modules that count something else. */
    registry,
    registries: [ofProcess, registry],
    contentType: registry.contentType,
    /** Everything, as Prometheus reads it. */
    text,
    exemplars,
    /** The same with the traces of slow and fast observations. */
    openMetrics: async () => openMetricsText(await text(), exemplars),
    countFailedAuthentication: (status: 401 | 429) => failedAuthentications.inc({ status }),
    countRefusedDestination: (reason: string) => refusedDestinations.inc({ reason }),
    observeAttempt(outcome: keyof typeof attemptsOf, seconds: number, traceId?: string): void {
      attemptsOf[outcome].observe(seconds)
      if (traceId !== undefined) exemplars.keep(attempts, { outcome }, seconds, traceId)
    },
    observeDeliveryDelay(seconds: number, traceId?: string): void {
      deliveryDelays.observe(seconds)
      if (traceId !== undefined) exemplars.keep(delays, {}, seconds, traceId)
    },
    countPassedOver: (company: string, service: string, reason: string) =>
      passedOverMessages.inc({ company, service, reason }),
    countLostCall: () => lostCalls.inc(),
    observeJob(job: string, outcome: string, seconds: number): void {
      // The label is not called `job`, because Prometheus has a label of that name.
      const ofKind = made(jobsOf, job, () => new Map())
      made(ofKind, outcome, () => jobSeconds.series({ kind: job, outcome })).observe(seconds)
    },
    observeRequest(method: string, route: string, status: number, seconds: number, traceId?: string): void {
      const name = `${method} ${route} ${status}`
      made(requestsOf, name, () => requestSeconds.series({ method, route, status })).observe(seconds)
      if (traceId !== undefined) exemplars.keep(requests, { method, route, status }, seconds, traceId)
    },
  }
}

function made<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const there = known.get(key)
  if (there !== undefined) return there
  const value = make()
  known.set(key, value)
  return value
}
