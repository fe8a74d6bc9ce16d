// The exporter of the official SDK, whose messages have exemplars: the SDK neither keeps nor writes them yet.
import { OTLPMetricExporterBase } from '@opentelemetry/exporter-metrics-otlp-http'
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http'
import { JsonMetricsSerializer, MetricsExporterMetricsHelper } from '@opentelemetry/otlp-transformer'
import type { DataPoint, Histogram, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { Exemplar } from './exemplars.ts'

export interface PointWithExemplars extends DataPoint<Histogram> {
  readonly exemplars: readonly Exemplar[]
}

const componentType = 'otlp_http_metric_exporter'

export function openExporter(url: string, headers: Readonly<Record<string, string>>): OTLPMetricExporterBase {
  const options = convertLegacyHttpOptions({ url, headers: { ...headers } }, 'METRICS', 'v1/metrics', {
    'Content-Type': 'application/json',
  })
  const serializer = { ...JsonMetricsSerializer, serializeRequest }
  return new OTLPMetricExporterBase(
    createOtlpHttpExportDelegate(options, serializer, componentType, MetricsExporterMetricsHelper, undefined),
  )
}

interface Message {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly { readonly histogram?: { readonly dataPoints: object[] } }[]
    }[]
  }[]
}

/** The message has its metrics and their points in the order of what it was made from. */
function serializeRequest(collected: ResourceMetrics): Uint8Array | undefined {
  const bytes = JsonMetricsSerializer.serializeRequest(collected)
  if (!bytes) return undefined
  const message = JSON.parse(new TextDecoder().decode(bytes)) as Message
  const written = message.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics)
  for (const [scope, { metrics }] of collected.scopeMetrics.entries())
    for (const [place, { dataPoints }] of metrics.entries()) {
      const points = written[scope]?.metrics[place]?.histogram?.dataPoints ?? []
      for (const [nth, point] of points.entries())
        Object.assign(point, { exemplars: exemplarsOf(dataPoints[nth] as PointWithExemplars | undefined) })
    }
  return new TextEncoder().encode(JSON.stringify(message))
}

const exemplarsOf = (point: PointWithExemplars | undefined) =>
  point?.exemplars?.map(({ traceId, value, atMs }) => ({
    traceId,
    asDouble: value,
    timeUnixNano: `${atMs}000000`,
  }))
