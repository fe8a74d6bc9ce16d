// The backlog of deliveries: taken in turns, lane by lane, and given back when their taker dies.
import type { Attempt } from '@parley/contract'
import { liveClaimants } from '../../platform/claim.ts'
import { type Queries, statement } from '../../platform/db.ts'

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

// The lanes with something queued, one step of the index each, however much is queued in them.
const lanes = `WITH RECURSIVE lanes AS (
    (SELECT lane FROM deliveries WHERE status = 'queued' ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT d.lane FROM deliveries d WHERE d.status = 'queued' AND d.lane > lanes.lane ORDER BY d.lane LIMIT 1)
    FROM lanes WHERE lanes.lane IS NOT NULL
  )`

// The deliveries of a lane that may be under way: those that have been due longest, claimed or not. A retry that falls
// due takes its place by age, so for a moment a few more than that can be.
const window = `
  SELECT w.ctid FROM deliveries w WHERE w.lane = lanes.lane AND w.status = 'queued' AND w.due_at <= now()
  ORDER BY w.due_at LIMIT`

// Every lane with something queued is visited, starting behind the one that was served last; each gives at most its
// window. So a lane with a hundred thousand waiting costs the others nothing but its turn. A claim need not survive a
// crash of the database, so nobody waits for the disk.
const claim = statement(`
  ${lanes}, picked AS (
    SELECT free.delivery_id
    FROM (SELECT lane FROM lanes WHERE lane IS NOT NULL ORDER BY lane <= $2, lane) AS lanes
    CROSS JOIN LATERAL (
      SELECT d.delivery_id FROM deliveries d
      WHERE d.ctid = ANY (ARRAY(${window} $4)) AND d.claimed_by IS NULL
      FOR UPDATE SKIP LOCKED
    ) AS free
    LIMIT $3
  ), claimed AS (
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

// Held by the dead; or by us, who know nothing of it, because the answer to our claim was lost. The request may or may
// not have arrived, so it is sent again; receivers deduplicate.
const recover = statement(`
  ${lanes}
  UPDATE deliveries d SET claimed_by = NULL
  FROM lanes CROSS JOIN LATERAL (
    SELECT h.delivery_id FROM deliveries h WHERE h.ctid = ANY (ARRAY(${window} $3)) AND h.claimed_by IS NOT NULL) AS held
  WHERE d.delivery_id = held.delivery_id AND d.claimed_by IS NOT NULL AND d.delivery_id <> ALL($1::uuid[])
    AND (d.claimed_by = $2 OR d.claimed_by NOT IN (${liveClaimants}))`)

const nextDue = statement(`
  ${lanes}
  SELECT extract(epoch FROM min(first.due_at) - now()) * 1000 AS ms
  FROM lanes CROSS JOIN LATERAL (
    SELECT d.due_at FROM deliveries d
    WHERE d.lane = lanes.lane AND d.status = 'queued' AND d.due_at > now() ORDER BY d.due_at LIMIT 1) AS first`)

export interface Claim {
  claimantId: number
  /** The lane that was served last. */
  after: string
  most: number
  mostPerLane: number
}

export const claimDue = (db: Queries, { claimantId, after, most, mostPerLane }: Claim) =>
  db.rows<Claimed>(claim, [claimantId, after, most, mostPerLane])

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

/** Gives back what nobody is sending any more; `known` is what this process has in hand. */
export const recoverLost = (db: Queries, claimantId: number, known: readonly string[], mostPerLane: number) =>
  db.rows(recover, [known, claimantId, mostPerLane])

/** Milliseconds until the next delivery falls due; undefined when none is waiting. */
export async function untilNextDelivery(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
