// Wraps the sending of deliveries: every attempt is a span in the trace of the call that it is about, and the receiver
// learns which.
import {
  partContextOf,
  rootContextOf,
  traceIdOf,
  traceparentOf,
} from '../../platform/telemetry/trace-context.ts'
import type { Traces } from '../../platform/telemetry/traces.ts'
import type { Send } from './send.ts'

/** Without traces, the sending itself. */
export function tracedSend(send: Send, traces: Traces | undefined): Send {
  if (!traces) return send
  return async (parcel) => {
    const sessionId = callOf(parcel.payload)
    if (!sessionId) return send(parcel)
    const context = partContextOf(sessionId, `delivery ${parcel.deliveryId} ${parcel.attempt}`)
    const startMs = Date.now()
    const sent = await send({ ...parcel, traceparent: traceparentOf(context) })
    traces.record({
      name: 'webhook delivery',
      kind: 'client',
      context,
      parent: rootContextOf(sessionId),
      startMs,
      endMs: startMs + sent.attempt.latency_ms,
      attributes: {
        'http.request.method': 'POST',
        'server.address': new URL(parcel.url).hostname,
        'http.response.status_code': sent.attempt.http_status ?? undefined,
        'http.request.resend_count': parcel.attempt - 1,
        'parley.webhook.id': parcel.webhookId,
        'parley.delivery.id': parcel.deliveryId,
      },
      ...(sent.attempt.error !== null && { error: sent.attempt.error }),
    })
    return sent
  }
}

// Not parsed: a payload may hold an hour of talk, and ours begin with what the event is about.
const subject = /"session_id"\s*:\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/

const callOf = (payload: string): string | undefined => subject.exec(payload)?.[1]

/** The trace that the delivery of an event is part of; undefined if there is none. */
export function traceOfEvent(payload: string): string | undefined {
  const sessionId = callOf(payload)
  return sessionId && traceIdOf(sessionId)
}
