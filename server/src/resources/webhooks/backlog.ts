// The backlog of deliveries: a lane for each endpoint; what came of an attempt is written down here too.
import type { Attempt } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import { lanesOf } from '../../platform/lanes.ts'

export interface Claimed {
  delivery_id: string
  lane: string
  webhook_id: string | null
  legacy_url: string | null
  agent_id: string
  payload: string
  made: number
  /** Null when the endpoint is gone. */
  url: string | null
  secret: Buffer | null
  endpoint_status: string | null
}

const lanes = lanesOf({ table: 'deliveries', waiting: "status = 'queued'", order: 'w.due_at' })

// A claim need not survive a crash of the database, so nobody waits for the disk.
export const claimDue = lanes.claim<Claimed>(`, claimed AS (
    UPDATE deliveries d SET claimed_by = $1 FROM picked WHERE d.delivery_id = picked.delivery_id
    RETURNING d.delivery_id, d.lane, d.webhook_id, d.legacy_url, d.event_id, jsonb_array_length(d.attempts) AS made
  )
  SELECT c.delivery_id, c.lane, c.webhook_id, c.legacy_url, c.made, e.agent_id, e.payload,
    w.url, w.secret, w.status AS endpoint_status
  FROM claimed c JOIN events e USING (event_id) LEFT JOIN webhooks w USING (webhook_id)
    CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS unhurried`)

// Written down only by whoever still holds the claim. A delivery that is to be tried again is cancelled instead when
// its endpoint was disabled, removed or given another scope in the meantime. Found by its id: were the status asked for,
// the index of what is queued would seem the shorter way to a planner that last saw it empty.
const settle = statement(`
  UPDATE deliveries d SET
    status = CASE WHEN o.status = 'queued' AND NOT wanted THEN 'cancelled' ELSE o.status END,
    attempts = d.attempts || o.attempts,
    due_at = CASE WHEN o.status = 'queued' THEN now() + o.delay_ms * interval '1 millisecond' ELSE d.due_at END,
    completed_at = CASE WHEN o.status = 'queued' AND wanted THEN NULL ELSE now() END,
    claimed_by = NULL
  FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[], $5::text[], $6::jsonb[], $7::float8[])
      AS o(delivery_id, claimed_by, webhook_id, agent_id, status, attempts, delay_ms)
    LEFT JOIN webhooks w ON w.webhook_id = o.webhook_id
    CROSS JOIN LATERAL (SELECT o.webhook_id IS NULL
      OR (w.status = 'active' AND (w.agent_id IS NULL OR w.agent_id = o.agent_id)) IS TRUE) AS still(wanted)
  WHERE d.delivery_id = o.delivery_id AND d.completed_at IS NULL AND d.claimed_by = o.claimed_by`)

export const { recover: recoverLost, untilNext: untilNextDelivery } = lanes

export interface Settlement {
  deliveryId: string
  claimantId: number
  webhookId: string | null
  agentId: string
  status: 'queued' | 'delivered' | 'failed' | 'cancelled'
  attempts: Attempt[]
  /** The next attempt, where there is one, on this process' clock: it counts from the answer, not from the writing down. */
  againAtMs: number
}

export const settleAll = (db: Queries, settled: readonly Settlement[]) =>
  db.rows(settle, [
    settled.map(({ deliveryId }) => deliveryId),
    settled.map(({ claimantId }) => claimantId),
    settled.map(({ webhookId }) => webhookId),
    settled.map(({ agentId }) => agentId),
    settled.map(({ status }) => status),
    settled.map(({ attempts }) => JSON.stringify(attempts)),
    settled.map(({ againAtMs }) => Math.max(0, againAtMs - performance.now())),
  ])
