// Tells the models and tools of a call which trace their work belongs to, as W3C Trace Context has it.
import type { Config } from '../config.ts'
import { rootContextOf, traceparentOf } from './trace-context.ts'

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
