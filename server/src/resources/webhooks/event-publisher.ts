// When a call has ended and the delay is over: one event, its exact bytes saved once, one delivery per endpoint.
import { type Db, type Queries, statement } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import { takeDueCalls, untilNextDue } from '../calls/calls.ts'

// One statement: either all of it has happened or none. The body is written here and nowhere else, so that nothing of a
// call travels to this process and back; a test holds it against the contract.
const tell = statement(`
  WITH due AS (${takeDueCalls}),
  made AS (
    INSERT INTO events (event_id, workspace_id, agent_id, type, payload)
    SELECT c.event_id, c.workspace_id, c.agent_id, 'call.completed', json_build_object(
      'id', c.event_id,
      'type', 'call.completed',
      'created_at', ${iso('now()')},
      'data', json_build_object(
        'session_id', c.session_id,
        'agent_id', c.agent_id,
        'call_status', c.call_status,
        'to_phone_number', c.to_phone_number,
        'call_type', c.call_type,
        'duration', c.duration,
        'call_sid', c.call_sid,
        'call_initiated_time', ${iso('c.call_initiated_time')},
        'call_completed_time', ${iso('c.call_completed_time')},
        'call_terminated_by', c.call_terminated_by,
        'transcript', c.transcript,
        'recording', json_build_object('url', c.recording->'url', 'expiry', c.recording->'expiry'),
        'analytics', json_build_object(
          'summary', a.summary,
          'sentiment', a.sentiment,
          'disposition', a.disposition,
          'data_extraction', a.data_extraction)))::text
    FROM (SELECT gen_random_uuid() AS event_id, due.* FROM due) AS c
      LEFT JOIN LATERAL json_to_record(c.analytics)
        AS a(summary json, sentiment json, disposition json, data_extraction json) ON true
    RETURNING event_id, workspace_id, agent_id, type),
  signed AS (
    INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id)
    SELECT gen_random_uuid(), e.event_id, w.webhook_id, w.webhook_id
    FROM made e JOIN webhooks w USING (workspace_id)
    WHERE w.status = 'active' AND e.type = ANY(w.events) AND (w.agent_id IS NULL OR w.agent_id = e.agent_id)),
  legacy AS (
    INSERT INTO deliveries (delivery_id, event_id, lane, legacy_url)
    SELECT gen_random_uuid(), e.event_id, e.agent_id, a.config->>'webhook_url'
    FROM made e JOIN agents a USING (workspace_id, agent_id)
    WHERE a.config->>'webhook_url' <> '')
  SELECT count(*)::int AS told FROM due`)

/** As JavaScript writes a time. */
function iso(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

// This many at once are quick, and the rest follows at once.
const atOnce = 200
// When no call is waiting to be told: how often to look, in case a notice was missed.
const idleMs = 1_000
const brokenMs = 250

export function startEventPublisher(db: Db, log: Log): Loop {
  const step = async () => {
    if ((await tellDueCalls(db)) === atOnce) return 0
    return Math.min(idleMs, Math.max(0, (await untilNextDue(db)) ?? idleMs))
  }
  return startLoop(step, (err) => {
    log.warn({ err }, 'events wait for the database')
    return brokenMs
  })
}

const tellDueCalls = async (db: Queries): Promise<number> =>
  (await db.row<{ told: number }>(tell, [atOnce]))?.told ?? 0
