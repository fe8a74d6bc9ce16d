// Webhook endpoints and the log of what was delivered to them.
import { z } from 'zod'
import { voiceAddresses } from './addresses.ts'
import { CallCompleted } from './event.ts'
import { operation } from './operation.ts'
import { PageQuery, pageOf } from './pagination.ts'
import { Id, Text, Timestamp } from './words.ts'

export const WebhookStatus = z.enum(['active', 'disabled'])
export type WebhookStatus = z.infer<typeof WebhookStatus>

export const DeliveryStatus = z.enum(['queued', 'delivered', 'failed', 'cancelled'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** Many servers refuse longer addresses. */
const Url = z.url().max(2048)

// Any name is accepted here, so that an unsupported one is refused with its own code and not as a malformed field.
const Events = z
  .array(Text)
  .min(1)
  .max(20)
  .meta({ description: 'Only call.completed is accepted.', examples: [['call.completed']] })

const Attempt = z.strictObject({
  attempt: z.int().min(1).max(3),
  attempted_at: Timestamp,
  http_status: z.int().min(100).max(599).nullable(),
  latency_ms: z.int().min(0),
  error: Text.nullable(),
})
export type Attempt = z.infer<typeof Attempt>

const deliveryFields = {
  delivery_id: Id,
  webhook_id: Id,
  event_id: Id,
  event: Text,
  status: DeliveryStatus,
  test: z.boolean(),
  http_status: z.int().min(100).max(599).nullable(),
  attempts: z.array(Attempt).max(3),
  next_attempt_at: Timestamp.nullable(),
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
}

const Delivery = z.strictObject(deliveryFields).meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

const DeliveryDetail = z
  .strictObject({ ...deliveryFields, payload: CallCompleted })
  .meta({ id: 'DeliveryDetail' })
export type DeliveryDetail = z.infer<typeof DeliveryDetail>

const webhookFields = {
  webhook_id: Id,
  url: Text,
  events: z.array(Text).max(20),
  agent_id: Id.nullable(),
  description: Text.nullable(),
  status: WebhookStatus,
  secret_rotated_at: Timestamp,
  last_delivery: z
    .strictObject({
      delivery_id: Id,
      status: DeliveryStatus,
      http_status: z.int().min(100).max(599).nullable(),
      created_at: Timestamp,
    })
    .nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Webhook = z.strictObject(webhookFields).meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

const Secret = z
  .string()
  .max(128)
  .regex(/^whsec_/)
  .meta({ description: 'Signs every delivery. Shown once; keep it.' })

const ById = z.strictObject({ id: Id })
const ByDelivery = z.strictObject({ id: Id, delivery_id: Id })
const tag = 'Webhooks'

export const createWebhook = operation({
  ...voiceAddresses.createWebhook,
  tag,
  summary: 'Register an endpoint that receives a signed POST when a call finishes',
  body: z.strictObject({
    url: Url,
    events: Events,
    agent_id: Id.nullable().optional(),
    description: Text.nullable().optional(),
  }),
  status: 201,
  data: z.strictObject({ ...webhookFields, secret: Secret }),
  example: { body: { url: 'https://hooks.example.com/parley', events: ['call.completed'] } },
})

export const listWebhooks = operation({
  ...voiceAddresses.listWebhooks,
  tag,
  summary: 'List the endpoints of the workspace, newest first; the secrets are not shown',
  query: PageQuery.extend({ agent_id: Id.optional(), status: WebhookStatus.optional() }),
  data: pageOf(Webhook),
})

export const getWebhook = operation({
  ...voiceAddresses.getWebhook,
  tag,
  summary: 'Read one endpoint; the secret is not shown',
  params: ById,
  data: Webhook,
})

export const updateWebhook = operation({
  ...voiceAddresses.updateWebhook,
  tag,
  summary: 'Change an endpoint; one that is disabled or given another scope cancels what is queued for it',
  params: ById,
  body: z.strictObject({
    status: WebhookStatus.optional(),
    url: Url.optional(),
    events: Events.optional(),
    agent_id: Id.nullable().optional(),
    description: Text.nullable().optional(),
  }),
  data: Webhook,
  example: { body: { status: 'disabled' } },
})

export const deleteWebhook = operation({
  ...voiceAddresses.deleteWebhook,
  tag,
  summary: 'Remove an endpoint; what is queued for it is cancelled',
  params: ById,
  data: z.strictObject({ webhook_id: Id, deleted: z.literal(true) }),
})

export const testWebhook = operation({
  ...voiceAddresses.testWebhook,
  tag,
  summary:
    'Send a signed sample now, once; look at data.status, for the 200 does not prove that the receiver took it',
  params: ById,
  data: z.strictObject({
    status: z.enum(['success', 'failed']),
    http_status: z.int().min(100).max(599).nullable(),
    delivery_id: Id,
  }),
})

export const rotateWebhookSecret = operation({
  ...voiceAddresses.rotateWebhookSecret,
  tag,
  summary: 'Replace the secret at once; the former stops working',
  params: ById,
  data: z.strictObject({ secret: Secret }),
})

export const listDeliveries = operation({
  ...voiceAddresses.listDeliveries,
  tag,
  summary: 'The log of an endpoint, newest first',
  params: ById,
  query: PageQuery.extend({ status: DeliveryStatus.optional() }),
  data: pageOf(Delivery),
})

export const getDelivery = operation({
  ...voiceAddresses.getDelivery,
  tag,
  summary: 'One delivery, with its payload and every attempt',
  params: ByDelivery,
  data: DeliveryDetail,
})

export const replayDelivery = operation({
  ...voiceAddresses.replayDelivery,
  tag,
  summary: 'Deliver the same event again, under a new delivery id',
  params: ByDelivery,
  status: 201,
  data: Delivery,
})
