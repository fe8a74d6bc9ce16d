// The operations on webhook endpoints and their deliveries.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, Text } from '../words.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  Events,
  Secret,
  Url,
  Webhook,
  WebhookStatus,
  webhookFields,
} from './webhook.ts'

const ById = z.strictObject({ id: Id.describe('The webhook_id that `createWebhook` answered with.') })
const ByDelivery = ById.extend({
  delivery_id: Id.describe('A delivery_id of `listDeliveries` or `testWebhook`.'),
})
const tag = 'Webhooks'
const byWebhook = { params: { id: exampleIds.webhook } }
const byDelivery = { params: { id: exampleIds.webhook, delivery_id: exampleIds.delivery } }

const webhook = {
  webhook_id: exampleIds.webhook,
  url: 'https://hooks.example.com/parley',
  events: ['call.completed'],
  agent_id: null,
  description: null,
  status: 'active',
  secret_rotated_at: exampleTimes.created,
  last_delivery: null,
  created_at: exampleTimes.created,
  updated_at: exampleTimes.created,
}

const secret = 'whsec_3yBqW0xkP7n2TfVhJc9LrD5mQa8ZsUeG1iXoNwKdRtE='

const delivery = {
  delivery_id: exampleIds.delivery,
  webhook_id: exampleIds.webhook,
  event_id: exampleIds.event,
  event: 'call.completed',
  session_id: exampleIds.call,
  status: 'delivered',
  test: false,
  http_status: 200,
  attempts: [
    {
      attempt: 1,
      attempted_at: exampleTimes.later,
      http_status: 200,
      latency_ms: 84,
      error: null,
      response_body: null,
    },
  ],
  next_attempt_at: null,
  created_at: exampleTimes.later,
  completed_at: exampleTimes.later,
}

const payload = {
  id: exampleIds.event,
  type: 'call.completed',
  created_at: exampleTimes.later,
  data: {
    session_id: exampleIds.call,
    agent_id: exampleIds.agent,
    call_status: 'completed',
    to_phone_number: '+15550100',
    call_type: 'outbound',
    duration: 71.5,
    call_sid: null,
    call_initiated_time: exampleTimes.begun,
    call_completed_time: exampleTimes.ended,
    call_terminated_by: 'user',
    transcript: [],
    recording: { url: null, expiry: null },
    analytics: { summary: null, sentiment: null, disposition: null, data_extraction: null },
  },
}

export const createWebhook = operation({
  ...voiceAddresses.createWebhook,
  tag,
  summary: 'Register an endpoint that receives a signed POST when a call finishes',
  description:
    'From now on the endpoint gets the event call.completed of every finished call: a signed POST, up to three attempts. `secret` of the answer signs them and is not shown again. Private, loopback and reserved addresses are refused with WEBHOOK_URL_NOT_PUBLIC. Try it with `testWebhook`; how to check a signature is in the [guide](/docs/guide/receiving-events).',
  body: z.strictObject({
    url: Url.describe('The receiver: a public https address. Redirects are not followed.'),
    events: Events,
    agent_id: Id.nullable()
      .optional()
      .describe('Send only events of this agent. Left out or null: of every agent in the workspace.'),
    description: Text.nullable().optional().describe('Yours; for people. Left out or null: none.'),
  }),
  status: 201,
  data: z.strictObject({ ...webhookFields, secret: Secret }),
  example: { body: { url: webhook.url, events: webhook.events }, data: { ...webhook, secret } },
})

export const listWebhooks = operation({
  ...voiceAddresses.listWebhooks,
  tag,
  summary: 'List the endpoints of the workspace, newest first',
  description:
    'Each with its newest delivery, so that one look shows which receivers are in trouble; `listDeliveries` has the rest. Secrets are never shown: `rotateWebhookSecret` makes a new one.',
  query: PageQuery.extend({
    agent_id: Id.optional().describe('Only endpoints for this one agent. Left out: all.'),
    status: WebhookStatus.optional().describe('Only endpoints with this status. Left out: all.'),
  }),
  data: pageOf(Webhook),
  example: { query: { status: 'active' }, data: onePage(webhook) },
})

export const getWebhook = operation({
  ...voiceAddresses.getWebhook,
  tag,
  summary: 'Read one endpoint',
  description:
    'Its settings and its newest delivery. The secret is never shown again; if it is lost, `rotateWebhookSecret` makes a new one.',
  params: ById,
  data: Webhook,
  example: { ...byWebhook, data: webhook },
})

export const updateWebhook = operation({
  ...voiceAddresses.updateWebhook,
  tag,
  summary: 'Change an endpoint',
  description:
    'Changes only the keys that are sent, each checked as by `createWebhook`. Disabling an endpoint cancels what is queued for it; another `agent_id` cancels what no longer concerns it. Activating it again sends events from then on, not those it missed.',
  params: ById,
  body: z.strictObject({
    status: WebhookStatus.optional().describe(
      '`disabled` stops deliveries and cancels those that are queued.',
    ),
    url: Url.optional().describe('The receiver: a public https address. Redirects are not followed.'),
    events: Events.optional(),
    agent_id: Id.nullable()
      .optional()
      .describe('Send only events of this agent. null: of every agent in the workspace.'),
    description: Text.nullable().optional().describe('Yours; for people. null: none.'),
  }),
  data: Webhook,
  example: { ...byWebhook, body: { status: 'disabled' }, data: { ...webhook, status: 'disabled' } },
})

export const deleteWebhook = operation({
  ...voiceAddresses.deleteWebhook,
  tag,
  summary: 'Remove an endpoint',
  description:
    'The endpoint gets nothing more: what is queued for it is cancelled, and its log can no longer be read. To pause it instead, set its status to disabled with `updateWebhook`.',
  params: ById,
  data: z.strictObject({
    webhook_id: Id.describe('The endpoint that was removed.'),
    deleted: z.literal(true).describe('It is removed.'),
  }),
  example: { ...byWebhook, data: { webhook_id: exampleIds.webhook, deleted: true } },
})

export const testWebhook = operation({
  ...voiceAddresses.testWebhook,
  tag,
  summary: 'Send a signed sample now',
  description:
    'Sends a made-up call.completed at once, in a single attempt, and waits for the answer; no call is placed. The 200 of this operation does not prove that the receiver accepted it: `status` of the answer says that, and `getDelivery` why it failed. A disabled endpoint is refused with WEBHOOK_DISABLED.',
  params: ById,
  data: z.strictObject({
    status: z.enum(['success', 'failed']).describe('success: the receiver answered 2xx within 10 seconds.'),
    http_status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .describe('The HTTP status code that the receiver answered with. null: no answer.'),
    delivery_id: Id.describe('Names the delivery; `getDelivery` says why it failed.'),
  }),
  example: {
    ...byWebhook,
    data: { status: 'success', http_status: 200, delivery_id: exampleIds.delivery },
  },
})

export const rotateWebhookSecret = operation({
  ...voiceAddresses.rotateWebhookSecret,
  tag,
  summary: 'Replace the secret',
  description:
    'Deliveries are signed with the new secret at once, also those that are queued; the former one stops working without an overlap. The new one is shown only here. To lose nothing, let your receiver accept both for a moment: a delivery that fails meanwhile is tried again.',
  params: ById,
  data: z.strictObject({ secret: Secret }),
  example: { ...byWebhook, data: { secret } },
})

export const listDeliveries = operation({
  ...voiceAddresses.listDeliveries,
  tag,
  summary: 'List the deliveries of an endpoint, newest first',
  description:
    'What was sent or is still to be sent, with every attempt and why it failed; tests are among them. `getDelivery` adds the payload, and `replayDelivery` sends one again.',
  params: ById,
  query: PageQuery.extend({
    status: DeliveryStatus.optional().describe('Only deliveries with this status. Left out: all.'),
  }),
  data: pageOf(Delivery),
  example: { ...byWebhook, query: { status: 'delivered' }, data: onePage(delivery) },
})

export const getDelivery = operation({
  ...voiceAddresses.getDelivery,
  tag,
  summary: 'Read one delivery',
  description:
    'With its payload as it is sent, byte for byte once parsed, and every attempt: when, the status of the answer, how long it took, and what went wrong.',
  params: ByDelivery,
  data: DeliveryDetail,
  example: { ...byDelivery, data: { ...delivery, payload } },
})

export const replayDelivery = operation({
  ...voiceAddresses.replayDelivery,
  tag,
  summary: 'Deliver an event again',
  description:
    'Queues the same event with the same payload under a new delivery id, with three attempts of its own, whatever came of the former one. Receivers that deduplicate by the event id take it for the event they have. A disabled endpoint is refused with WEBHOOK_DISABLED.',
  params: ByDelivery,
  status: 201,
  data: Delivery,
  example: {
    ...byDelivery,
    data: {
      ...delivery,
      delivery_id: '0198b1f9-4c20-7b3e-8d61-90af2be75c14',
      status: 'queued',
      http_status: null,
      attempts: [],
      next_attempt_at: exampleTimes.later,
      completed_at: null,
    },
  },
})
