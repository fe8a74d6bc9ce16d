// One delivery as `parley listen` shows it: a line for people, or a line of JSON for programs.
import type { WebhookVerificationReason } from '../webhooks/verification-error.ts'
import type { CallCompletedEvent } from '../wire.ts'

export interface Delivery {
  /** ISO 8601. */
  readonly receivedAt: string
  readonly event: string | null
  readonly webhookId: string | null
  readonly deliveryId: string | null
  /** How many times this delivery id has arrived, this time included. */
  readonly attempt: number | null
  readonly outcome:
    | { readonly verified: true; readonly body: CallCompletedEvent }
    | { readonly verified: false; readonly reason: WebhookVerificationReason | 'body-too-large' }
  readonly answered: number
}

/** A body that did not verify is never shown: it may come from anyone. */
export function deliveryJson(delivery: Delivery, full: boolean): string {
  const { outcome } = delivery
  const body = outcome.verified ? outcome.body : null
  return JSON.stringify({
    received_at: delivery.receivedAt,
    event: delivery.event,
    webhook_id: delivery.webhookId,
    delivery_id: delivery.deliveryId,
    attempt: delivery.attempt,
    verified: outcome.verified,
    reason: outcome.verified ? null : outcome.reason,
    answered: delivery.answered,
    event_id: body?.id ?? null,
    call_status: body?.data.call_status ?? null,
    session_id: body?.data.session_id ?? null,
    ...(full && { body }),
  })
}

export function deliveryText(delivery: Delivery, full: boolean): string {
  const { outcome } = delivery
  const line = [
    delivery.receivedAt,
    delivery.event ?? '–',
    `delivery ${delivery.deliveryId ?? '–'}`,
    `attempt ${delivery.attempt ?? '–'}`,
    ...(outcome.verified
      ? [
          '✔ verified',
          `call_status ${outcome.body.data.call_status ?? '–'}`,
          `session_id ${outcome.body.data.session_id}`,
        ]
      : [`✘ ${outcome.reason}`]),
    `→ ${delivery.answered}`,
  ].join('  ')
  const lines = full && outcome.verified ? [line, JSON.stringify(outcome.body, null, 2)] : [line]
  return lines.map(printable).join('\n')
}

/** Anyone can send headers; control characters in them must not reach the terminal. Only newlines are kept. */
const printable = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, '�')
