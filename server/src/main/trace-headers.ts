// Tells the models and tools of a call which trace their work belongs to, as W3C Trace Context has it.
import { rootContextOf, traceparentOf } from '../platform/telemetry/trace-context.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { MediaRuntime } from './media-runtime.ts'

/** Undefined: there are no traces. */
export const traceHeaders = (
  { sessionId }: CallPlan,
  { config }: Pick<MediaRuntime, 'config'>,
): Readonly<Record<string, string>> | undefined =>
  config.telemetry && { traceparent: traceparentOf(rootContextOf(sessionId)) }
