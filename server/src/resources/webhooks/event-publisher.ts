// When a call has ended and the delay is over: one event, its exact bytes saved once, one delivery per endpoint.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Sweep } from '../../platform/jobs/job.ts'
import { takeDueCalls, untilNextDue } from '../calls/calls.ts'

// One statement: either all of it has happened or none. The body is written here and nowhere else, so that nothing of a
// call travels to this process and back; a test compares it with the contract. An agent's address is read once for all
// of its calls: finding it means parsing the agent's configuration.
const publish = statement(`
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
    FROM (SELECT new_id() AS event_id, due.* FROM due) AS c
      LEFT JOIN LATERAL json_to_record(c.analytics)
        AS a(summary json, sentiment json, disposition json, data_extraction json) ON true
    RETURNING event_id, workspace_id, agent_id, type),
  signed AS (
    INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id)
    SELECT new_id(), e.event_id, w.webhook_id, w.webhook_id
    FROM made e JOIN webhooks w USING (workspace_id)
    WHERE w.status = 'active' AND e.type = ANY(w.events) AND (w.agent_id IS NULL OR w.agent_id = e.agent_id)),
  addresses AS MATERIALIZED (
    SELECT a.workspace_id, a.agent_id, a.config->>'webhook_url' AS url
    FROM (SELECT DISTINCT workspace_id, agent_id FROM made) AS called JOIN agents a USING (workspace_id, agent_id)),
  legacy AS (
    INSERT INTO deliveries (delivery_id, event_id, lane, legacy_url)
    SELECT new_id(), e.event_id, e.agent_id, a.url
    FROM addresses a JOIN made e USING (workspace_id, agent_id)
    WHERE a.url <> '')
  SELECT count(*)::int AS published FROM due`)

/** As JavaScript writes a time. */
function iso(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

// This many at once are quick, and the rest follows at once.
const atOnce = 200
// While many wait: so that one statement works while the other waits for the disk.
const mostStatements = 2
// When no call is waiting for its event: how often to look, in case a notice was missed.
const idleMs = 1_000
const brokenMs = 250

export function eventPublisher(db: Queries): Sweep {
  let statements = 1
  return {
    name: 'events',
    everyMs: idleMs,
    afterErrorMs: brokenMs,
    notice: 'calls_to_tell',
    async run() {
      const published = await Promise.all(Array.from({ length: statements }, () => publishDue(db)))
      const isMore = published.some((count) => count === atOnce)
      statements = isMore ? mostStatements : 1
      return isMore ? 0 : ((await untilNextDue(db)) ?? idleMs)
    },
  }
}

const publishDue = async (db: Queries): Promise<number> =>
  (await db.row<{ published: number }>(publish, [atOnce]))?.published ?? 0
