// From the time at which a call's event is due to its first byte at the receiver.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, statement } from '../server/src/platform/db/db.ts'
import type { Endpoint, Fixture } from './webhook-fixture.ts'
import type { Arrival } from './webhook-sink-process.ts'

const dueTimes = statement(`
  SELECT delivery_id AS "deliveryId", extract(epoch FROM call_completed_time)::float8 * 1000 AS "dueMs"
  FROM deliveries d JOIN events USING (event_id) JOIN calls USING (session_id)
  WHERE webhook_id = ANY($1) AND d.created_at >= $2 AND jsonb_array_length(attempts) = 1`)

const unfinished = statement(`
  SELECT (SELECT count(*) FROM calls_to_tell)
    + (SELECT count(*) FROM deliveries WHERE webhook_id = ANY($1) AND status = 'queued') AS "left"`)

const pollMs = 100

export async function whenFinished(db: Db, endpoints: readonly Endpoint[], timeoutMs: number): Promise<void> {
  const ids = endpoints.map(({ webhookId }) => webhookId)
  const giveUpAt = Date.now() + timeoutMs
  while (Number((await db.row<{ left: string }>(unfinished, [ids]))?.left) > 0) {
    if (Date.now() > giveUpAt) throw new Error('the deliveries do not come to an end')
    await sleep(pollMs)
  }
}

/** Milliseconds of all later deliveries that took one attempt, sorted. Both clocks are the same machine's. */
export async function latenciesSince(
  { db, sink }: Fixture,
  endpoints: readonly Endpoint[],
  since: Date,
): Promise<number[]> {
  const ids = endpoints.map(({ webhookId }) => webhookId)
  const due = await db.rows<{ deliveryId: string; dueMs: number }>(dueTimes, [ids, since])
  const arrivals = byDelivery(await sink.arrivals())
  return due
    .map(({ deliveryId, dueMs }) => {
      const [first] = arrivals.get(deliveryId) ?? []
      if (!first) throw new Error('a delivery is recorded that never arrived')
      return first.atMs - dueMs
    })
    .sort((a, b) => a - b)
}

export const byDelivery = (arrivals: readonly Arrival[]): Map<string, Arrival[]> =>
  Map.groupBy(arrivals, ({ deliveryId }) => deliveryId)

/** The smallest of the sorted numbers that covers this percentage. */
export const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
