// An OpenTelemetry collector on loopback: takes OTLP in JSON and keeps what it is sent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly error: string | undefined
}

export interface CollectedMetric {
  readonly name: string
  readonly kind: 'sum' | 'gauge' | 'histogram'
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, string | number>>
    readonly value?: number
    readonly count?: number
    readonly sum?: number
    readonly bucketCounts?: readonly number[]
    readonly explicitBounds?: readonly number[]
    readonly exemplars?: readonly { readonly traceId: string; readonly asDouble: number }[]
  }[]
}

export interface CollectedExemplar {
  /** Of the metric. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly traceId: string
  readonly value: number
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Of the last message. */
  metrics: readonly CollectedMetric[]
  /** Of all messages: each is sent once. */
  readonly exemplars: CollectedExemplar[]
  readonly headers: Record<string, unknown>[]
  close(): Promise<void>
}

export async function openCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    collector.headers.push({ ...request.headers })
    const message = JSON.parse(text.toString())
    if (request.url === '/v1/traces') collector.spans.push(...spansIn(message))
    else if (request.url === '/v1/metrics') {
      collector.metrics = metricsIn(message)
      collector.exemplars.push(...collector.metrics.flatMap(exemplarsOf))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: [],
    exemplars: [],
    headers: [],
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return collector
}

type Json = Record<string, unknown>

const spansIn = ({ resourceSpans }: { resourceSpans: Json[] }): CollectedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => (scopeSpans as Json[]).flatMap(({ spans }) => spans as Json[]))
    .map((span) => ({
      ...(span as unknown as CollectedSpan),
      startMs: Number(span.startTimeUnixNano) / 1e6,
      endMs: Number(span.endTimeUnixNano) / 1e6,
      attributes: valuesOf(span.attributes),
      links: (span.links as unknown as CollectedSpan['links'] | undefined) ?? [],
      error: (span.status as { message?: string } | undefined)?.message,
    }))

const metricsIn = ({ resourceMetrics }: { resourceMetrics: Json[] }): CollectedMetric[] =>
  resourceMetrics
    .flatMap(({ scopeMetrics }) => (scopeMetrics as Json[]).flatMap(({ metrics }) => metrics as Json[]))
    .map((metric) => {
      const kind = (['sum', 'gauge', 'histogram'] as const).find((each) => each in metric) ?? 'gauge'
      const { dataPoints } = metric[kind] as { dataPoints: Json[] }
      return {
        name: String(metric.name),
        kind,
        points: dataPoints.map((point) => ({
          ...(point as unknown as CollectedMetric['points'][number]),
          attributes: valuesOf(point.attributes),
          ...('asDouble' in point && { value: Number(point.asDouble) }),
        })),
      }
    })

const exemplarsOf = ({ name, points }: CollectedMetric): CollectedExemplar[] =>
  points.flatMap(({ attributes, exemplars = [] }) =>
    exemplars.map(({ traceId, asDouble }) => ({ name, attributes, traceId, value: asDouble })),
  )

const valuesOf = (attributes: unknown): Record<string, string | number> =>
  Object.fromEntries(
    ((attributes ?? []) as { key: string; value: Record<string, string | number> }[]).map(
      ({ key, value }) => [key, Object.values(value)[0] ?? ''],
    ),
  )
