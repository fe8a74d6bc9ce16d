// Trace ids by arithmetic: the trace of a call or a batch has its id, without the hyphens. Every process knows it, and
// an operator finds a trace by pasting the id of the call.
import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'

export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
}

/** A UUID is as long as a trace id. */
export const traceIdOf = (id: string): string => id.replaceAll('-', '')

/** The same in every process: a span can name its parent before the parent is recorded. */
export const spanIdOf = (id: string, name: string): string =>
  createHash('sha256').update(`${id} ${name}`).digest('hex').slice(0, 16)

/** A part of the trace of a call or a batch. */
export const partContextOf = (id: string, name: string): SpanContext => ({
  traceId: traceIdOf(id),
  spanId: spanIdOf(id, name),
})

/** The first span of the trace of a call or a batch. */
export const rootContextOf = (id: string): SpanContext => partContextOf(id, 'root')

export const randomContext = (traceId = randomBytes(16).toString('hex')): SpanContext => ({
  traceId,
  spanId: randomBytes(8).toString('hex'),
})

/** As W3C Trace Context writes it, in the header `traceparent`. */
export const traceparentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`

// Version ff is forbidden, later versions may have more fields, and ids of zeros mean that there is none.
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/

/** Undefined: the client sent none, or not a valid one. */
export function readTraceparent(header: string | readonly string[] | undefined): SpanContext | undefined {
  const [, traceId, spanId] = (typeof header === 'string' && traceparent.exec(header)) || []
  return traceId && spanId ? { traceId, spanId } : undefined
}

export interface MayTrace {
  readonly config: Pick<Config, 'telemetry'>
}

/** Undefined: there are no traces. */
export const traceHeaders = (
  { sessionId }: { readonly sessionId?: string },
  { config }: MayTrace,
): Readonly<Record<string, string>> | undefined =>
  config.telemetry && sessionId !== undefined
    ? { traceparent: traceparentOf(rootContextOf(sessionId)) }
    : undefined
