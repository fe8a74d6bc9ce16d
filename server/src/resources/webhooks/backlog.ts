// The backlog of deliveries, one lane per endpoint, and the results of attempts.
import type { Attempt } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { JobTable, SettledRow } from '../../platform/jobs/job.ts'

export interface ClaimedDelivery {
  webhook_id: string | null
  legacy_url: string | null
  agent_id: string
  payload: string
  /** Attempts made so far. */
  made: number
  /** Null if the endpoint was deleted. */
  url: string | null
  secret: Buffer | null
  endpoint_status: string | null
}

export const deliveriesTable = {
  table: 'deliveries',
  id: 'delivery_id',
  lane: 'lane',
  tenant: (lane) => `
    SELECT w.workspace_id FROM webhooks w WHERE w.webhook_id = ${lane}
    UNION ALL SELECT a.workspace_id FROM agents a WHERE a.agent_id = ${lane}`,
  waiting: "status = 'queued'",
  returning: 'd.webhook_id, d.legacy_url, d.event_id, jsonb_array_length(d.attempts) AS made',
  joined: {
    columns: 'e.agent_id, e.payload, w.url, w.secret, w.status AS endpoint_status',
    from: 'JOIN events e USING (event_id) LEFT JOIN webhooks w USING (webhook_id)',
  },
} satisfies JobTable

// Only for a claim that still holds. Rows are found by id alone: with a condition on the status, a planner that last
// saw the partial index empty would prefer that index.
const stillOurs = 'd.delivery_id = o.delivery_id AND d.completed_at IS NULL AND d.claimed_by = o.claimed_by'

const complete = statement(`
  UPDATE deliveries d SET status = o.status, attempts = d.attempts || o.attempts, completed_at = now(), claimed_by = NULL
  FROM unnest($1::uuid[], $2::int[], $3::jsonb[], $4::text[]) AS o(delivery_id, claimed_by, attempts, status)
  WHERE ${stillOurs}`)

// Cancelled instead if the endpoint was disabled, deleted or given another scope meanwhile.
const retry = statement(`
  UPDATE deliveries d SET
    status = CASE WHEN wanted THEN 'queued' ELSE 'cancelled' END,
    attempts = d.attempts || o.attempts,
    due_at = now() + o.delay_ms * interval '1 millisecond',
    completed_at = CASE WHEN NOT wanted THEN now() END,
    claimed_by = NULL
  FROM unnest($1::uuid[], $2::int[], $3::jsonb[], $4::uuid[], $5::uuid[], $6::float8[])
      AS o(delivery_id, claimed_by, attempts, webhook_id, agent_id, delay_ms)
    LEFT JOIN webhooks w ON w.webhook_id = o.webhook_id
    CROSS JOIN LATERAL (SELECT o.webhook_id IS NULL
      OR (w.status = 'active' AND (w.agent_id IS NULL OR w.agent_id = o.agent_id)) IS TRUE) AS still(wanted)
  WHERE ${stillOurs}`)

export interface DeliveryResult {
  readonly webhookId: string | null
  readonly agentId: string
  readonly status: 'queued' | 'delivered' | 'failed' | 'cancelled'
  readonly attempts: readonly Attempt[]
  /** When the next attempt is due, if any, on this process's clock: counted from the response, not from the write. */
  readonly againAtMs: number
}

export async function settleDeliveries(
  db: Queries,
  settled: readonly SettledRow<DeliveryResult>[],
): Promise<void> {
  const over = settled.filter(({ result }) => result.status !== 'queued')
  if (over.length > 0)
    await db.rows(complete, [...claimsAndAttempts(over), over.map(({ result }) => result.status)])
  const again = settled.filter(({ result }) => result.status === 'queued')
  if (again.length > 0)
    await db.rows(retry, [
      ...claimsAndAttempts(again),
      again.map(({ result }) => result.webhookId),
      again.map(({ result }) => result.agentId),
      again.map(({ result }) => Math.max(0, result.againAtMs - performance.now())),
    ])
}

const claimsAndAttempts = (settled: readonly SettledRow<DeliveryResult>[]) => [
  settled.map(({ id }) => id),
  settled.map(({ claimantId }) => claimantId),
  settled.map(({ result }) => JSON.stringify(result.attempts)),
]
