// When a call has ended and the delay is over: one event, its exact bytes saved once, one delivery per endpoint.
import type { CallCompleted } from '@parley/contract'
import { type Db, type Queries, statement } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import { type CallSnapshot, takeDueSnapshots, untilNextSnapshot } from '../calls/calls.ts'

const insertEvents = statement(`
  INSERT INTO events (event_id, workspace_id, agent_id, type, payload)
  SELECT id, workspace, agent, 'call.completed', body
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS made(id, workspace, agent, body)`)

const insertDeliveries = statement(`
  INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id)
  SELECT gen_random_uuid(), e.event_id, w.webhook_id, w.webhook_id
  FROM events e JOIN webhooks w USING (workspace_id)
  WHERE e.event_id = ANY($1) AND w.status = 'active' AND e.type = ANY(w.events)
    AND (w.agent_id IS NULL OR w.agent_id = e.agent_id)`)

const insertLegacyDeliveries = statement(`
  INSERT INTO deliveries (delivery_id, event_id, lane, legacy_url)
  SELECT gen_random_uuid(), e.event_id, e.agent_id, a.config->>'webhook_url'
  FROM events e JOIN agents a USING (workspace_id, agent_id)
  WHERE e.event_id = ANY($1) AND a.config->>'webhook_url' <> ''`)

// A transaction of this many is quick, and the rest follows at once.
const atOnce = 200

// When no call is waiting to be told: how often to look, in case a notice was missed.
const idleMs = 1_000
const brokenMs = 250

export function startTeller(db: Db, log: Log): Loop {
  const step = async () => {
    if (await tellDueCalls(db)) return 0
    return Math.min(idleMs, Math.max(0, (await untilNextSnapshot(db)) ?? idleMs))
  }
  return startLoop(step, (err) => {
    log.warn({ err }, 'events wait for the database')
    return brokenMs
  })
}

/** True when there may be more. */
const tellDueCalls = (db: Db): Promise<boolean> =>
  db.transaction(async (tx) => {
    const due = await takeDueSnapshots(tx, atOnce)
    if (due.length > 0) await makeEvents(tx, due)
    return due.length === atOnce
  })

async function makeEvents(tx: Queries, calls: CallSnapshot[]): Promise<void> {
  const created_at = new Date().toISOString()
  const events = calls.map(
    ({ data }): CallCompleted => ({ id: newId(), type: 'call.completed', created_at, data }),
  )
  const ids = events.map(({ id }) => id)
  await tx.rows(insertEvents, [
    ids,
    calls.map(({ workspaceId }) => workspaceId),
    calls.map(({ agentId }) => agentId),
    events.map((event) => JSON.stringify(event)),
  ])
  await tx.rows(insertDeliveries, [ids])
  await tx.rows(insertLegacyDeliveries, [ids])
}
