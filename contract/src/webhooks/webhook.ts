// Webhook endpoints and the log of what was delivered to them, as they are read.
import { z } from 'zod'
import { CallCompleted } from '../event.ts'
import { Id, Text, Timestamp } from '../words.ts'

export const WebhookStatus = z.enum(['active', 'disabled'])
export type WebhookStatus = z.infer<typeof WebhookStatus>

export const DeliveryStatus = z.enum(['queued', 'delivered', 'failed', 'cancelled'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** The longest address of an endpoint: many servers refuse longer ones. */
export const Url = z.url().max(2048)

// Any name is accepted here, so that an unsupported one is refused with its own code and not as a malformed field.
export const Events = z
  .array(Text)
  .min(1)
  .max(20)
  .meta({
    description: 'What to send there; only call.completed is accepted, and repeated names count once.',
    examples: [['call.completed']],
  })

const Attempt = z
  .strictObject({
    attempt: z.int().min(1).max(3).describe('The number of the attempt, counted from 1.'),
    attempted_at: Timestamp.describe('When it was sent.'),
    http_status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .describe('The HTTP status code that the receiver answered with. null: no answer.'),
    latency_ms: z.int().min(0).describe('Milliseconds until the answer, or until it was given up.'),
    error: Text.nullable().describe('Why it failed, in one sentence. null: it did not.'),
    response_body: Text.nullable().describe(
      'What the receiver answered with a status other than 2xx, as text, its first 1,024 bytes. null: there was no such answer.',
    ),
  })
  .describe('One request to the receiver.')
export type Attempt = z.infer<typeof Attempt>

const deliveryFields = {
  delivery_id: Id.describe('Names the delivery; X-Svc-Delivery-Id of every attempt.'),
  webhook_id: Id.describe('The endpoint.'),
  event_id: Id.describe('The event; the same for all endpoints and for replays.'),
  event: Text.describe('The kind of event, call.completed.'),
  session_id: Id.nullable().describe('The call that it is about; `getCall` reads it. null: a test.'),
  status: DeliveryStatus.describe(
    'queued, delivered, failed after three attempts, or cancelled because the endpoint was disabled, removed or given another scope.',
  ),
  test: z.boolean().describe('Whether it was sent by `testWebhook`.'),
  http_status: z
    .int()
    .min(100)
    .max(599)
    .nullable()
    .describe('The HTTP status code of the last attempt. null: no answer, or no attempt yet.'),
  attempts: z.array(Attempt).max(3).describe('Every request so far, in order; three at most.'),
  next_attempt_at: Timestamp.nullable().describe(
    'When it is sent next, at the earliest. null: it is not sent again.',
  ),
  created_at: Timestamp.describe('When it was queued.'),
  completed_at: Timestamp.nullable().describe('When it was delivered, failed or cancelled. null: not yet.'),
}

export const Delivery = z
  .strictObject(deliveryFields)
  .meta({ id: 'Delivery', description: 'One event on its way to one endpoint.' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryDetail = z
  .strictObject({ ...deliveryFields, payload: CallCompleted.describe('The event, exactly as it is sent.') })
  .meta({ id: 'DeliveryDetail', description: 'A delivery with its payload.' })
export type DeliveryDetail = z.infer<typeof DeliveryDetail>

export const webhookFields = {
  webhook_id: Id.describe('Names the endpoint; X-Svc-Webhook-Id of every delivery.'),
  url: Text.describe('Where events are sent.'),
  events: z.array(Text).max(20).describe('Which events are sent.'),
  agent_id: Id.nullable().describe(
    'Only events of this agent are sent. null: of every agent in the workspace.',
  ),
  description: Text.nullable().describe('Yours. null: none.'),
  status: WebhookStatus.describe('A disabled endpoint gets no deliveries.'),
  secret_rotated_at: Timestamp.describe('When the secret was made or last replaced.'),
  last_delivery: z
    .strictObject({
      delivery_id: Id.describe('Names the delivery.'),
      status: DeliveryStatus.describe('Where it stands.'),
      http_status: z
        .int()
        .min(100)
        .max(599)
        .nullable()
        .describe('The HTTP status code of its last attempt. null: no answer, or no attempt yet.'),
      created_at: Timestamp.describe('When it was queued.'),
    })
    .nullable()
    .describe('The newest delivery. null: there was none.'),
  created_at: Timestamp.describe('When it was registered.'),
  updated_at: Timestamp.describe('When it last changed.'),
}

export const Webhook = z
  .strictObject(webhookFields)
  .meta({ id: 'Webhook', description: 'An endpoint that receives events.' })
export type Webhook = z.infer<typeof Webhook>

export const Secret = z
  .string()
  .max(128)
  .regex(/^whsec_/)
  .meta({ description: 'Signs every delivery, as a whole with its prefix whsec_. Shown once; keep it.' })
