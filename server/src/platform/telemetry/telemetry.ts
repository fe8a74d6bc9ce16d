// Traces and metrics for a collector. Off unless one is named: then nothing of this is even loaded.
import { hostname } from 'node:os'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Exemplars } from './exemplars.ts'
import type { Traces } from './traces.ts'

type Settings = Pick<Config, 'telemetry' | 'roles'>

/** Returns undefined if there is no collector. */
export async function tracesFor({ telemetry: settings, roles }: Settings): Promise<Traces | undefined> {
  if (!settings) return undefined
  const { openTraces } = await import('./traces.ts')
  const { record, close } = openTraces({ ...settings, resource: resourceOf(roles) })
  return { record, close: () => orLate(close()) }
}

/** Returns undefined if only Prometheus reads them. */
export async function metricsFor(
  { telemetry: settings, roles }: Settings,
  registries: readonly Registry[],
  exemplars: Exemplars,
): Promise<{ close(): Promise<void> } | undefined> {
  if (!settings) return undefined
  const { openOtlpMetrics } = await import('./otlp-metrics.ts')
  const { close } = openOtlpMetrics(registries, exemplars, { ...settings, resource: resourceOf(roles) })
  return { close: () => orLate(close()) }
}

const resourceOf = (roles: Config['roles']) => ({
  'service.name': 'parley',
  'service.instance.id': `${hostname()}:${process.pid}`,
  'parley.roles': roles.join(','),
})

// What waits is sent at the end, but a collector that is away does not keep the process from ending.
const farewellMs = 3_000

async function orLate(sent: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, farewellMs)
  await Promise.race([sent.catch(() => {}), late])
  clearTimeout(timer)
}
