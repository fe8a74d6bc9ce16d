// The rules of the delivery log: reading it, replaying a delivery, sending a test event.
import type {
  CallCompleted,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  PageQuery,
  Webhook,
} from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Db } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import {
  type DeliveryRow,
  deliveriesOfCall,
  findDelivery,
  insertTestDelivery,
  pageOfDeliveries,
  repeatDelivery,
} from './delivery-store.ts'
import type { OpenWebhook, Send } from './send.ts'

/** Fails if the workspace has no such endpoint. */
interface EndpointLookup {
  get(workspaceId: string, webhookId: string): Promise<Webhook>
  open(workspaceId: string, webhookId: string): Promise<OpenWebhook>
}

export const deliveries = (
  db: Db,
  webhooks: EndpointLookup,
  send: Send,
  callMustExist: (workspaceId: string, sessionId: string) => Promise<void>,
) => ({
  async list(workspaceId: string, webhookId: string, status: DeliveryStatus | undefined, query: PageQuery) {
    await webhooks.get(workspaceId, webhookId)
    return listOf(query, await pageOfDeliveries(db, webhookId, status, query), view)
  },

  async get(workspaceId: string, webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
    await webhooks.get(workspaceId, webhookId)
    const row = (await findDelivery(db, webhookId, deliveryId)) ?? fail('DELIVERY_NOT_FOUND')
    return { ...view(row), payload: JSON.parse(row.payload) as CallCompleted }
  },

  /** The deliveries of a call's event. */
  async ofCall(workspaceId: string, sessionId: string) {
    await callMustExist(workspaceId, sessionId)
    return { deliveries: (await deliveriesOfCall(db, workspaceId, sessionId)).map(view) }
  },

  /** Enqueues the same event and payload under a new delivery id. */
  async replay(workspaceId: string, webhookId: string, deliveryId: string, work: Work): Promise<Delivery> {
    if ((await webhooks.get(workspaceId, webhookId)).status === 'disabled') fail('WEBHOOK_DISABLED')
    const row = (await findDelivery(db, webhookId, deliveryId)) ?? fail('DELIVERY_NOT_FOUND')
    const at = new Date()
    const again = newId()
    work.add(repeatDelivery(again, deliveryId, at))
    const fresh = { delivery_id: again, status: 'queued', attempts: [], due_at: at } as const
    return view({ ...row, ...fresh, created_at: at, completed_at: null } as unknown as DeliveryRow)
  },

  /** Sends one signed test event immediately, in a single attempt, and logs it like any delivery. */
  async test(workspaceId: string, webhookId: string, work: Work) {
    const { agentId, ...endpoint } = await webhooks.open(workspaceId, webhookId)
    const event = sampleEvent(agentId ?? newId())
    const payload = JSON.stringify(event)
    const deliveryId = newId()
    const { delivered, attempt } = await send({ ...endpoint, deliveryId, payload, attempt: 1 })
    const ids = { deliveryId, webhookId, eventId: event.id, workspaceId, agentId: event.data.agent_id }
    for (const write of insertTestDelivery({ ...ids, payload, delivered, attempt })) work.add(write)
    const status = delivered ? ('success' as const) : ('failed' as const)
    return { status, http_status: attempt.http_status, delivery_id: deliveryId }
  },
})

export type Deliveries = ReturnType<typeof deliveries>

const view = (row: DeliveryRow): Delivery => ({
  delivery_id: row.delivery_id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event: row.type,
  session_id: row.test ? null : row.session_id,
  status: row.status,
  test: row.test,
  http_status: row.attempts.at(-1)?.http_status ?? null,
  attempts: row.attempts.map((attempt) => ({ response_body: null, ...attempt })),
  next_attempt_at: row.status === 'queued' ? row.due_at.toISOString() : null,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
})

/** A fictitious call with every field set that a real one has. */
function sampleEvent(agentId: string): CallCompleted {
  const now = new Date()
  const begun = new Date(now.getTime() - 42_000)
  return {
    id: newId(),
    type: 'call.completed',
    created_at: now.toISOString(),
    data: {
      session_id: newId(),
      agent_id: agentId,
      call_status: 'completed',
      to_phone_number: '+15550100',
      call_type: 'outbound',
      duration: 42,
      call_sid: null,
      call_initiated_time: begun.toISOString(),
      call_completed_time: now.toISOString(),
      call_terminated_by: 'user',
      transcript: [
        {
          turn: 1,
          role: 'agent',
          content: 'Hello, this is a test.',
          start_time: 0,
          end_time: 1.4,
          interrupted: false,
        },
      ],
      recording: { url: null, expiry: null },
      analytics: { summary: null, sentiment: null, disposition: null, data_extraction: null },
    },
  }
}
