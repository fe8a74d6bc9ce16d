// Sends the metrics that Prometheus reads to a collector as well, over OTLP with the official SDK.
import { ValueType } from '@opentelemetry/api'
import { emptyResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { type Exemplar, type Exemplars, sampleOf } from './exemplars.ts'
import { openExporter, type PointWithExemplars } from './otlp-exporter.ts'
import type { TracesOptions } from './traces.ts'

export interface OtlpMetrics {
  close(): Promise<void>
}

export interface OtlpMetricsOptions extends Omit<TracesOptions, 'share' | 'batchMs'> {
  readonly everyMs?: number
}

export function openOtlpMetrics(
  registries: readonly Registry[],
  exemplars: Exemplars,
  { endpoint, headers, resource, everyMs = 15_000 }: OtlpMetricsOptions,
): OtlpMetrics {
  const exporter = openExporter(`${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/metrics`, headers)
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: everyMs,
    metricProducers: [producerOf(registries, exemplars)],
  })
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ ...resource }),
    readers: [reader],
  })
  return { close: () => provider.shutdown() }
}

function producerOf(registries: readonly Registry[], exemplars: Exemplars): MetricProducer {
  const since = hrTimeOf(Date.now())
  let collectedMs = 0
  return {
    async collect() {
      const nowMs = Date.now()
      const all = (await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))).flat()
      // Each exemplar is sent once.
      const newer = (sample: string) => {
        const found = exemplars.of(sample)
        return found && found.atMs >= collectedMs ? [found] : []
      }
      const metrics = all.flatMap((metric) => metricOf(metric as never, since, hrTimeOf(nowMs), newer))
      collectedMs = nowMs
      return {
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope: { name: 'parley' }, metrics }],
        },
        errors: [],
      }
    },
  }
}

type HrTime = [number, number]

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1000), (ms % 1000) * 1e6]

type ExemplarsOf = (sample: string) => readonly Exemplar[]

type PromMetric = MetricObjectWithValues<MetricValue<string> & { readonly metricName?: string }>

/** A summary has no counterpart. */
function metricOf(
  { name, help, type, values }: PromMetric,
  since: HrTime,
  now: HrTime,
  exemplarsOf: ExemplarsOf,
): MetricData[] {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const point = <T>(attributes: object, value: T) => ({
    startTime: since,
    endTime: now,
    attributes: { ...attributes },
    value,
  })
  // prom-client has words for the types where its own types say numbers.
  switch (type as unknown as string) {
    case 'counter': {
      const dataPoints = values.map(({ labels, value }) => point(labels, value))
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
    }
    case 'gauge': {
      const dataPoints = values.map(({ labels, value }) => point(labels, value))
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints }]
    }
    case 'histogram': {
      const dataPoints = histogramsIn(name, values, exemplarsOf).map(
        ({ labels, histogram, exemplars }): PointWithExemplars => ({
          ...point(labels, histogram),
          exemplars,
        }),
      )
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }]
    }
    default:
      return []
  }
}

interface Histogram {
  readonly buckets: { boundaries: number[]; counts: number[] }
  sum: number
  count: number
}

/**
 * Prometheus has a value for each bucket, which counts those below it too; OTLP has one for all, each counted alone.
 */
function histogramsIn(name: string, values: PromMetric['values'], exemplarsOf: ExemplarsOf) {
  const found = new Map<
    string,
    { labels: object; histogram: Histogram; exemplars: Exemplar[]; below: number }
  >()
  for (const { labels: all, metricName, value } of values) {
    const { le, ...labels } = all as Record<string, string | number>
    const key = JSON.stringify(labels)
    const one = found.get(key) ?? {
      labels,
      histogram: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
      exemplars: [],
      below: 0,
    }
    found.set(key, one)
    const { histogram } = one
    if (metricName === `${name}_sum`) histogram.sum = value
    else if (metricName === `${name}_count`) histogram.count = value
    else {
      histogram.buckets.counts.push(value - one.below)
      if (le !== '+Inf') histogram.buckets.boundaries.push(Number(le))
      one.below = value
      one.exemplars.push(...exemplarsOf(sampleOf(`${name}_bucket`, all as Record<string, string | number>)))
    }
  }
  return [...found.values()]
}
