// The checker of deliveries compares what was acknowledged with what the database recorded and what the receiver saw.
import { createHash } from 'node:crypto'
import type { Endpoint } from '../bench/webhook-fixture.ts'
import type { Arrival } from '../bench/webhook-sink-process.ts'

export interface EventRow {
  readonly eventId: string
  readonly agentId: string
  readonly payload: string
}

export interface DeliveryRow {
  readonly deliveryId: string
  readonly eventId: string
  readonly webhookId: string
  readonly status: string
  readonly attempts: readonly { readonly http_status: number | null; readonly error: string | null }[]
}

/** The time from a kill until its target was gone, or was back. */
export interface KillWindow {
  readonly fromMs: number
  readonly toMs: number
}

export interface Evidence {
  /** Session ids of the calls whose end was acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  readonly endpoints: readonly Endpoint[]
  readonly events: readonly EventRow[]
  readonly deliveries: readonly DeliveryRow[]
  readonly arrivals: readonly Arrival[]
  readonly blows: readonly KillWindow[]
}

export interface Findings {
  readonly acknowledged: number
  readonly delivered: number
  readonly failed: number
  /** Requests without a recorded attempt, because of a kill in between. Receivers deduplicate. */
  readonly repeated: number
  /** Calls without an event, events without a delivery, deliveries without a final state or with a false one. */
  readonly lost: number
  /** A second event for a call, or a second delivery of an event to an endpoint. */
  readonly doubled: number
  /** Deliveries whose bytes differed from those of the event. */
  readonly changed: number
  /** Repetitions that no kill explains, and requests that were never recorded. */
  readonly unexplained: number
  /** The first few faults, in words. */
  readonly complaints: readonly string[]
}

// The attempts of a delivery by the specification: the first and two retries.
const mostAttempts = 3
// How many faults are told in words: enough to see a pattern.
const mostComplaints = 20

export function checkDeliveries(evidence: Evidence): Findings {
  const { acknowledged, endpoints, events, deliveries, arrivals, blows } = evidence
  const wrong = { lost: 0, doubled: 0, changed: 0, unexplained: 0 }
  const complaints: string[] = []
  const complain = (kind: keyof typeof wrong, sentence: string, times = 1) => {
    wrong[kind] += times
    if (complaints.length < mostComplaints) complaints.push(`${kind}: ${sentence}`)
  }

  const eventsOf = Map.groupBy(events, sessionOf)
  for (const sessionId of acknowledged) {
    if (!eventsOf.has(sessionId)) complain('lost', `call ${sessionId} was never told`)
  }
  for (const [sessionId, told] of eventsOf) {
    if (told.length > 1) complain('doubled', `call ${sessionId} was told ${told.length} times`)
  }

  const deliveriesOf = Map.groupBy(deliveries, ({ eventId }) => eventId)
  for (const { eventId, agentId } of events) {
    const made = deliveriesOf.get(eventId) ?? []
    for (const { webhookId, agentId: only } of endpoints) {
      const wanted = only === undefined || only === agentId ? 1 : 0
      const found = made.filter((delivery) => delivery.webhookId === webhookId).length
      if (found < wanted) complain('lost', `event ${eventId} has no delivery to ${webhookId}`)
      if (found > wanted) complain('doubled', `event ${eventId} has ${found} deliveries to ${webhookId}`)
    }
  }

  const hashOf = new Map(events.map(({ eventId, payload }) => [eventId, sha256(payload)]))
  const arrivalsOf = Map.groupBy(arrivals, ({ deliveryId }) => deliveryId)
  let repeated = 0
  for (const delivery of deliveries) {
    const { deliveryId, eventId, attempts } = delivery
    const seen = arrivalsOf.get(deliveryId) ?? []
    arrivalsOf.delete(deliveryId)
    const untruth = whyUntrue(delivery, seen)
    if (untruth) complain('lost', `delivery ${deliveryId} ${untruth}`)
    if (seen.some((arrival) => arrival.sha256 !== hashOf.get(eventId))) {
      complain('changed', `delivery ${deliveryId} did not always carry the bytes of its event`)
    }
    const unrecorded = Math.max(0, seen.length - attempts.length)
    repeated += unrecorded
    const excess = unrecorded - interrupted(seen, blows)
    if (excess > 0)
      complain('unexplained', `delivery ${deliveryId} came too often: ${times(seen, blows)}`, excess)
  }
  for (const [deliveryId, seen] of arrivalsOf) {
    complain('unexplained', `delivery ${deliveryId} arrived but is not recorded`, seen.length)
  }

  const ended = (status: string) => deliveries.filter((delivery) => delivery.status === status).length
  return {
    acknowledged: acknowledged.size,
    delivered: ended('delivered'),
    failed: ended('failed'),
    repeated,
    ...wrong,
    complaints,
  }
}

export const isClean = ({ lost, doubled, changed, unexplained }: Findings): boolean =>
  lost + doubled + changed + unexplained === 0

const sessionOf = ({ payload }: EventRow): string =>
  (JSON.parse(payload) as { data: { session_id: string } }).data.session_id

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What the record claims and the receiver does not confirm. */
function whyUntrue({ status, attempts }: DeliveryRow, seen: readonly Arrival[]): string | undefined {
  const answered = (what: number) => seen.filter((arrival) => arrival.status === what).length
  const refusedByRecord = attempts.filter(({ http_status }) => http_status === 500).length
  if (refusedByRecord > answered(500)) return 'has more refusals on record than the receiver gave'
  if (status === 'delivered') return answered(200) > 0 ? undefined : 'is recorded but was not accepted'
  if (status !== 'failed') return `is still ${status}`
  const allFailed = attempts.length === mostAttempts && attempts.every(({ error }) => error !== null)
  return allFailed && answered(500) >= mostAttempts ? undefined : 'was given up too early'
}

/** How many of these requests were followed by a kill before the next one. One kill excuses one repetition. */
function interrupted(seen: readonly Arrival[], blows: readonly KillWindow[]): number {
  const unused = new Set(blows)
  return seen.filter((arrival, nth) => {
    const next = seen[nth + 1]
    if (!next) return false
    for (const blow of unused) {
      // The time of sending counts, since a slow receiver still reads what a dead process had sent.
      if (blow.fromMs <= next.atMs && blow.toMs >= arrival.sentAtMs) return unused.delete(blow)
    }
    return false
  }).length
}

/** Arrival times and preceding kills, for debugging. */
const times = (seen: readonly Arrival[], blows: readonly KillWindow[]): string =>
  seen
    .map(({ atMs, sentAtMs, status }) => {
      const nth = blows.findLastIndex(({ fromMs }) => fromMs <= atMs)
      const after =
        nth < 0 ? 'before any blow' : `${atMs - (blows[nth]?.fromMs ?? 0)} ms into blow ${nth + 1}`
      return `${new Date(atMs).toISOString()} (${after}, sent ${atMs - sentAtMs} ms before, answered ${status})`
    })
    .join(', ')
