// The checker's evidence, collected once everything has settled.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint, Fixture } from '../bench/webhook-fixture.ts'
import { type Db, statement } from '../server/src/platform/db/db.ts'
import type { DeliveryRow, EventRow, Evidence, KillWindow } from './webhook-check.ts'

const left = statement(`
  SELECT (SELECT count(*) FROM calls_to_tell)
    + (SELECT count(*) FROM deliveries WHERE status = 'queued') AS left`)

const selectEvents = statement('SELECT event_id AS "eventId", agent_id AS "agentId", payload FROM events')

const selectDeliveries = statement(`
  SELECT delivery_id AS "deliveryId", event_id AS "eventId", webhook_id AS "webhookId", status, attempts
  FROM deliveries`)

// The longest time without progress: longer than three attempts with this run's backoff. The checker reports what is left.
const patienceMs = 60_000
const pollMs = 100

export async function gatherEvidence(
  { db, sink }: Fixture,
  endpoints: readonly Endpoint[],
  acknowledged: ReadonlySet<string>,
  blows: readonly KillWindow[],
): Promise<Evidence> {
  await whenAtRest(db)
  return {
    acknowledged,
    endpoints,
    events: await db.rows<EventRow>(selectEvents),
    deliveries: await db.rows<DeliveryRow>(selectDeliveries),
    arrivals: await sink.arrivals(),
    blows,
  }
}

/** Waits until the backlog is empty, however long a crowded machine takes, as long as it becomes smaller. */
async function whenAtRest(db: Db): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY
  for (let giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await sleep(pollMs)) {
    const waiting = Number((await db.row<{ left: string }>(left))?.left)
    if (waiting === 0) return
    if (waiting < fewest) giveUpAt = Date.now() + patienceMs
    fewest = Math.min(fewest, waiting)
  }
}
