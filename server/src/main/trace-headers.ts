// Tells the models and tools of a call which trace their work belongs to, as W3C Trace Context has it.
import { rootContextOf, traceparentOf } from '../platform/telemetry/trace-context.ts'
import type { MediaRuntime } from './media-runtime.ts'

/** Undefined: there are no traces. */
export const traceHeaders = (
  { sessionId }: { readonly sessionId?: string },
  { config }: Pick<MediaRuntime, 'config'>,
): Readonly<Record<string, string>> | undefined =>
  config.telemetry && sessionId !== undefined
    ? { traceparent: traceparentOf(rootContextOf(sessionId)) }
    : undefined
