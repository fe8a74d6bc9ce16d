// One delivery attempt: signed, guarded, timed, and described for the delivery log.

import { createHmac, randomBytes } from 'node:crypto'
import type { Attempt } from '@parley/contract'
import type { Guard } from '../../platform/guard/guard.ts'
import { type OutboundAnswer, OutboundError, requestOutside } from '../../platform/outbound.ts'
import {
  partContextOf,
  rootContextOf,
  traceIdOf,
  traceparentOf,
} from '../../platform/telemetry/trace-context.ts'
import type { Traces } from '../../platform/telemetry/traces.ts'

/** An active endpoint that can be sent to. */
export interface OpenWebhook {
  readonly webhookId: string
  readonly url: string
  readonly agentId: string | null
  readonly secret: string
}

export interface Parcel {
  /** Undefined for an agent's legacy address, which gets the bare body without a signature. */
  readonly webhookId: string | undefined
  readonly secret: string | undefined
  readonly deliveryId: string
  readonly url: string
  readonly payload: string
  readonly attempt: number
  /** The event type, if it is not call.completed. */
  readonly event?: string
  /** The trace that the delivery is part of, if there is one. */
  readonly traceparent?: string | undefined
}

export interface SendOutcome {
  readonly delivered: boolean
  readonly attempt: Attempt
}

export type Send = (parcel: Parcel) => Promise<SendOutcome>

// A receiver that has accepted has answered with its status; this much is read so that the connection can be reused.
const responseLimitBytes = 16_384
// The part of a response that shows why a receiver refused.
const keptBytes = 1_024

export const sendThrough = (guard: Guard, timeoutMs: number): Send => {
  const written = timestamps()
  return async (parcel) => {
    const at = new Date()
    const body = Buffer.from(parcel.payload)
    const told = (
      http_status: number | null,
      latencyMs: number,
      error: string | null,
      response_body: string | null = null,
    ): SendOutcome => ({
      delivered: error === null,
      attempt: {
        attempt: parcel.attempt,
        attempted_at: written(at),
        http_status,
        latency_ms: Math.round(latencyMs),
        error,
        response_body,
      },
    })
    try {
      const headers = headersOf(parcel, Math.floor(at.getTime() / 1000), body)
      const request = {
        url: parcel.url,
        method: 'POST',
        headers,
        body,
        timeoutMs,
        until: 'success',
        responseLimitBytes,
      } as const
      const { status, latencyMs, body: said }: OutboundAnswer = await requestOutside(guard, request)
      const accepted = status >= 200 && status < 300
      if (accepted) return told(status, latencyMs, null)
      return told(status, latencyMs, `answered ${status}`, textOf(said))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return told(null, error.latencyMs, error.message)
    }
  }
}

/**
 * Dates are formatted once a millisecond: many deliveries are sent in the same one, and formatting takes as long as
 * checking an address.
 */
function timestamps(): (at: Date) => string {
  let last = { ms: Number.NaN, text: '' }
  return (at) => {
    const ms = at.getTime()
    if (ms !== last.ms) last = { ms, text: at.toISOString() }
    return last.text
  }
}

/** Without what a database cannot store as text. */
const textOf = (body: Buffer): string | null =>
  body.subarray(0, keptBytes).toString().replaceAll('\0', '').toWellFormed() || null

function headersOf(parcel: Parcel, unixSeconds: number, body: Buffer): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Parley/1.0',
  }
  if (parcel.traceparent) headers.traceparent = parcel.traceparent
  if (parcel.webhookId === undefined || parcel.secret === undefined) return headers
  headers['x-svc-webhook-id'] = parcel.webhookId
  headers['x-svc-event'] = parcel.event ?? 'call.completed'
  headers['x-svc-delivery-id'] = parcel.deliveryId
  headers['x-svc-timestamp'] = String(unixSeconds)
  headers['x-svc-signature'] = sign(parcel.secret, unixSeconds, body)
  return headers
}

// Wraps the sending of deliveries: every attempt is a span in the trace of the call that it is about, and the receiver
// learns which.

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

// The payload is not parsed: it may hold an hour of talk, and ours begin with what the event is about.
const subject = /"session_id"\s*:\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/

const callOf = (payload: string): string | undefined => subject.exec(payload)?.[1]

/** The trace that the delivery of an event is part of; undefined if there is none. */
export function traceOfEvent(payload: string): string | undefined {
  const sessionId = callOf(payload)
  return sessionId && traceIdOf(sessionId)
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The key is the whole secret, prefix included. */
function sign(secret: string, unixSeconds: number, body: Buffer): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
  return `t=${unixSeconds},v1=${digest}`
}
