// Spans, exported over OTLP with the official SDK. A span is recorded when it is over, so that nothing is kept of a
// running call and nothing is done while a frame passes.
import { type Attributes, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanContext } from './trace-context.ts'

export interface FinishedSpan {
  readonly name: string
  readonly context: SpanContext
  readonly parent?: SpanContext | undefined
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number
  readonly endMs: number
  /** Undefined: left out. */
  readonly attributes: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  /** Moments within it. */
  readonly events?: readonly { readonly name: string; readonly atMs: number }[]
  /** What caused it, in another trace. */
  readonly links?: readonly SpanContext[]
  /** One sentence, if it failed. */
  readonly error?: string | undefined
}

export interface Traces {
  record(span: FinishedSpan): void
  /** Sends what is waiting. */
  close(): Promise<void>
}

export interface TracesOptions {
  /** The collector's address, as in http://localhost:4318. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** The share of traces that is kept, 0 to 1: each is kept or left out as a whole. */
  readonly share: number
  readonly resource: Readonly<Record<string, string>>
  readonly batchMs?: number
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

// A collector that is away: about a minute of a busy process waits for it, and no more.
const mostWaiting = 20_000

export function openTraces({ endpoint, headers, share, resource, batchMs = 2_000 }: TracesOptions): Traces {
  // The SDK asks for ids while it makes the span: it gets those that the span has already.
  let next: SpanContext = { traceId: '', spanId: '' }
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers: { ...headers },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource }),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    // A span is kept or left out with its trace in every process: the decision is a function of the trace id.
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: mostWaiting, scheduledDelayMillis: batchMs }),
    ],
  })
  const tracer = provider.getTracer('parley')
  return {
    record({ name, context, parent, kind = 'internal', startMs, endMs, attributes, ...more }) {
      const { events = [], links = [], error } = more
      next = context
      const within = parent ? trace.setSpanContext(ROOT_CONTEXT, remote(parent)) : ROOT_CONTEXT
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          startTime: hrTime(startMs),
          attributes: known(attributes),
          links: links.map((link): Link => ({ context: remote(link) })),
        },
        within,
      )
      for (const event of events) span.addEvent(event.name, hrTime(event.atMs))
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
      span.end(hrTime(endMs))
    },
    close: () => provider.shutdown(),
  }
}

const sampled = 1

const remote = (context: SpanContext) => ({ ...context, traceFlags: sampled, isRemote: true })

/** Seconds and nanoseconds: a number alone would be rounded. */
const hrTime = (ms: number): [number, number] => {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}

const known = (attributes: FinishedSpan['attributes']): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  )
