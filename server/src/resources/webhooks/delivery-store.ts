// The delivery log in the database: what was sent to which endpoint, attempt by attempt.
import type { Attempt, DeliveryStatus, PageQuery } from '@parley/contract'
import { guardedStatement, type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface DeliveryRow {
  delivery_id: string
  webhook_id: string
  event_id: string
  type: string
  session_id: string | null
  status: DeliveryStatus
  test: boolean
  /** Those of earlier releases have no response_body. */
  attempts: (Omit<Attempt, 'response_body'> & Partial<Attempt>)[]
  due_at: Date
  created_at: Date
  completed_at: Date | null
}

const columns = `
  d.delivery_id, d.webhook_id, d.event_id, e.type, e.session_id, d.status, d.test, d.attempts, d.due_at, d.created_at,
  d.completed_at`

const from = 'deliveries d JOIN events e USING (event_id)'

const filtered = 'd.webhook_id = $1 AND ($2::text IS NULL OR d.status = $2)'

const selectPage = statement(`
  SELECT ${columns} FROM ${from} WHERE ${filtered}
  ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $3 OFFSET $4`)

const ofCall = statement(`
  SELECT ${columns} FROM events e JOIN deliveries d USING (event_id)
  WHERE e.session_id = $2 AND e.workspace_id = $1 AND d.webhook_id IS NOT NULL
  ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT 100`)

const count = statement(`SELECT count(*)::int AS total FROM deliveries d WHERE ${filtered}`)

const select = statement(`
  SELECT ${columns}, e.payload FROM ${from} WHERE d.webhook_id = $1 AND d.delivery_id = $2`)

// Only while the endpoint is active: one that is being disabled or removed either waits and cancels this, or comes first.
const insertAgain = guardedStatement(`
  INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, test, created_at)
  SELECT $1::uuid, d.event_id, d.lane, d.webhook_id, d.test, $3::timestamptz
  FROM deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
  WHERE d.delivery_id = $2 AND w.status = 'active' FOR SHARE OF w
  RETURNING delivery_id`)

const insertEvent = statement(`
  INSERT INTO events (event_id, workspace_id, agent_id, type, payload) VALUES ($1, $2, $3, $4, $5)`)

const insertTest = statement(`
  INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, test, status, attempts, completed_at)
  VALUES ($1, $2, $3, $3, true, $4, $5, now())`)

// Deliveries in progress are left to their worker, which stores the result and checks whether a retry is still wanted.
const cancelQueued = statement(`
  UPDATE deliveries SET status = 'cancelled', completed_at = now()
  WHERE webhook_id = $1 AND status = 'queued' AND claimed_by IS NULL`)

const cancelQueuedOfOthers = statement(`
  UPDATE deliveries d SET status = 'cancelled', completed_at = now() FROM events e
  WHERE d.webhook_id = $1 AND d.status = 'queued' AND d.claimed_by IS NULL AND e.event_id = d.event_id AND e.agent_id <> $2`)

export const pageOfDeliveries = (
  db: Queries,
  webhookId: string,
  status: DeliveryStatus | undefined,
  query: PageQuery,
) => readPage<DeliveryRow>(db, { select: selectPage, count }, [webhookId, status ?? null], query)

export const findDelivery = (db: Queries, webhookId: string, deliveryId: string) =>
  db.row<DeliveryRow & { payload: string }>(select, [webhookId, deliveryId])

/** A copy of a delivery, to be sent again. */
export const repeatDelivery = (deliveryId: string, ofId: string, at: Date): Write => ({
  statement: insertAgain,
  values: [deliveryId, ofId, at],
})

export interface TestDelivery {
  deliveryId: string
  webhookId: string
  eventId: string
  workspaceId: string
  agentId: string
  payload: string
  delivered: boolean
  attempt: Attempt
}

export const insertTestDelivery = (test: TestDelivery): Write[] => [
  {
    statement: insertEvent,
    values: [test.eventId, test.workspaceId, test.agentId, 'call.completed', test.payload],
  },
  {
    statement: insertTest,
    values: [
      test.deliveryId,
      test.eventId,
      test.webhookId,
      test.delivered ? 'delivered' : 'failed',
      JSON.stringify([test.attempt]),
    ],
  },
]

export const cancelAll = (tx: Queries, webhookId: string) => tx.rows(cancelQueued, [webhookId])

export const cancelOutOfScope = (tx: Queries, webhookId: string, agentId: string) =>
  tx.rows(cancelQueuedOfOthers, [webhookId, agentId])

/** Deliveries of a call's event, newest first. */
export const deliveriesOfCall = (db: Queries, workspaceId: string, sessionId: string) =>
  db.rows<DeliveryRow>(ofCall, [workspaceId, sessionId])
