// Publishes the event of an ended call after the delay.
//
// While many calls wait, it publishes about as many as can be sent: a delivery that is claimed with its publication
// costs the database less than one that is claimed later.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { JobRow, Sweep } from '../../platform/jobs/job.ts'
import { type Claim, freePlaces } from '../../platform/jobs/statements.ts'
import type { JobWorker } from '../../platform/jobs/worker.ts'
import { takeDueCalls, untilNextDue } from '../calls/calls.ts'
import { type ClaimedDelivery, type DeliveryResult, deliveriesTable } from './backlog.ts'
import { columnsOfBody, eventBody } from './event-body.ts'

// Arbitrary, but the same in every process.
const claimingLock = 7_270_539_002

// One statement, so it happens completely or not at all. The body is built in the database, so that the call's data
// does not travel to this process and back. Endpoints are looked up once per agent, not per call: for the legacy
// address the agent's configuration has to be parsed.
//
// Deliveries that can be sent at once are claimed as they are inserted. Only one statement does so at a time, in all
// processes: two could not see each other's rows, and would fill a lane twice.
const publish = statement(`
  WITH due AS (${takeDueCalls({ most: '$1', after: '$6', returning: `c.workspace_id, ${columnsOfBody}` })}),
  bodies AS MATERIALIZED (
    SELECT c.event_id, c.workspace_id, c.agent_id, c.session_id, ${eventBody} AS payload
    FROM (SELECT new_id() AS event_id, due.* FROM due) AS c
      LEFT JOIN LATERAL json_to_record(c.analytics)
        AS a(summary json, sentiment json, disposition json, data_extraction json) ON true),
  published AS (
    INSERT INTO events (event_id, workspace_id, agent_id, type, payload, session_id)
    SELECT event_id, workspace_id, agent_id, 'call.completed', payload, session_id FROM bodies),
  called AS MATERIALIZED (SELECT DISTINCT workspace_id, agent_id FROM bodies),
  addresses AS MATERIALIZED (
    SELECT called.workspace_id, called.agent_id, w.webhook_id AS lane, w.webhook_id, NULL AS legacy_url, w.url, w.secret
    FROM called JOIN webhooks w USING (workspace_id)
    WHERE w.status = 'active' AND 'call.completed' = ANY(w.events)
      AND (w.agent_id IS NULL OR w.agent_id = called.agent_id)
    UNION ALL
    SELECT workspace_id, agent_id, agent_id, NULL, a.config->>'webhook_url', NULL, NULL
    FROM called JOIN agents a USING (workspace_id, agent_id)
    WHERE a.config->>'webhook_url' <> ''),
  open_lanes AS MATERIALIZED (
    SELECT lane, ${freePlaces(deliveriesTable, { of: 'a.lane', cap: '$4::int', ended: '$5' })} AS free
    FROM (SELECT DISTINCT lane FROM addresses) AS a
    WHERE $3 > 0 AND (SELECT pg_try_advisory_xact_lock(${claimingLock}))),
  numbered AS (
    SELECT e.event_id, e.agent_id, a.lane, a.webhook_id, a.legacy_url, a.url, a.secret,
      row_number() OVER () AS nth, row_number() OVER (PARTITION BY a.lane) AS nth_of_lane
    FROM bodies e JOIN addresses a USING (workspace_id, agent_id)),
  planned AS MATERIALIZED (
    SELECT new_id() AS delivery_id, n.*, CASE WHEN n.nth <= $3 AND n.nth_of_lane <= o.free THEN $2::int END AS claimed_by
    FROM numbered n LEFT JOIN open_lanes o USING (lane)),
  queued AS (
    INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, legacy_url, claimed_by)
    SELECT delivery_id, event_id, lane, webhook_id, legacy_url, claimed_by FROM planned)
  SELECT n.calls, n.last_workspace, p.delivery_id AS job_id, p.lane AS job_lane, 0 AS job_tries, p.webhook_id, p.legacy_url, p.agent_id,
    b.payload, 0 AS made, p.url, p.secret, 'active' AS endpoint_status
  FROM (
    SELECT count(*)::int AS calls, (
      SELECT workspace_id::text COLLATE "C" AS workspace FROM called
      ORDER BY workspace_id::text COLLATE "C" <= $6 DESC NULLS LAST, 1 DESC LIMIT 1) AS last_workspace
    FROM bodies) AS n
    LEFT JOIN planned p ON p.claimed_by IS NOT NULL
    LEFT JOIN bodies b ON b.event_id = p.event_id`)

interface PublishedEvents {
  /** Calls whose event was published. */
  readonly calls: number
  /** Whose turn was the last one. */
  readonly lastWorkspace: string | null
  /** Deliveries that are claimed for this process. */
  readonly claimed: readonly (ClaimedDelivery & JobRow)[]
}

type PublishedRow = { calls: number; last_workspace: string | null } & (
  | { job_id: null }
  | (ClaimedDelivery & JobRow)
)

/** Publishes the events of up to `most` calls that are due; `claim` limits their deliveries. */
export async function publishEvents(db: Queries, most: number, claim: Claim): Promise<PublishedEvents> {
  const rows = await db.rows<PublishedRow>(publish, [
    most,
    claim.claimantId,
    claim.most,
    claim.mostPerLane,
    claim.ended,
    claim.after,
  ])
  const { calls, last_workspace: lastWorkspace } = rows[0] ?? { calls: 0, last_workspace: null }
  return {
    calls,
    lastWorkspace: lastWorkspace ?? claim.after,
    claimed: rows.filter((row) => row.job_id !== null),
  }
}

// A batch this large is still fast, and the next one follows immediately.
const mostAtOnce = 256
// While many wait: published when this share of the places is free. Less would be many small statements, more would let
// the lanes run empty until the next batch is there.
const worthPublishing = 1 / 4
// No event waits longer than this for other deliveries to end.
const mostWaitMs = 50
const lookMs = 3
// Poll interval while no event is pending, in case a notification was missed.
const idleMs = 1_000
const brokenMs = 250

type DeliveryWorker = Pick<JobWorker<ClaimedDelivery, DeliveryResult>, 'insert' | 'occupied'>

export function eventPublisher(db: Queries, deliveries: DeliveryWorker): Sweep {
  let isBehind = false
  let lastMs = 0
  let after: string | null = null
  /** How many to publish now; 0 to wait for deliveries to end. */
  const room = (): number => {
    const { jobs, places } = deliveries.occupied
    if (!isBehind || places === 0 || performance.now() - lastMs >= mostWaitMs) return mostAtOnce
    const free = places - jobs
    return free < places * worthPublishing ? 0 : Math.min(free, mostAtOnce)
  }
  return {
    name: 'events',
    everyMs: idleMs,
    afterErrorMs: brokenMs,
    notice: 'calls_to_tell',
    async run() {
      const most = room()
      if (most === 0) return lookMs
      const { calls, lastWorkspace } = await deliveries.insert((limits) =>
        publishEvents(db, most, { ...limits, after }),
      )
      isBehind = calls === most
      after = lastWorkspace
      lastMs = performance.now()
      return isBehind ? 0 : ((await untilNextDue(db)) ?? idleMs)
    },
  }
}
