// Publishes the event of an ended call after the delay: its exact bytes are stored once, with one delivery per
// endpoint.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Sweep } from '../../platform/jobs/job.ts'
import { takeDueCalls, untilNextDue } from '../calls/calls.ts'

// The body of the event, concatenated from text: json_build_object looks up the type of every value in every row, which
// takes twice as long. A test compares it with the contract.
const body = object({
  id: quoted('c.event_id'),
  type: `'"call.completed"'`,
  created_at: quoted(`(SELECT ${iso('now()')})`),
  data: object({
    session_id: quoted('c.session_id'),
    agent_id: quoted('c.agent_id'),
    call_status: json('c.call_status'),
    to_phone_number: json('c.to_phone_number'),
    call_type: json('c.call_type'),
    duration: json('c.duration'),
    call_sid: json('c.call_sid'),
    call_initiated_time: orNull(quoted(iso('c.call_initiated_time'))),
    call_completed_time: orNull(quoted(iso('c.call_completed_time'))),
    call_terminated_by: json('c.call_terminated_by'),
    transcript: orNull('c.transcript::text'),
    recording: object({
      url: orNull(`(c.recording->'url')::text`),
      expiry: orNull(`(c.recording->'expiry')::text`),
    }),
    analytics: object({
      summary: orNull('a.summary::text'),
      sentiment: orNull('a.sentiment::text'),
      disposition: orNull('a.disposition::text'),
      data_extraction: orNull('a.data_extraction::text'),
    }),
  }),
})

// One statement, so it happens completely or not at all. The body is built in the database, so that the call's data
// does not travel to this process and back. Endpoints are looked up once per agent, not per call: for the legacy
// address the agent's configuration has to be parsed.
const publish = statement(`
  WITH due AS (${takeDueCalls}),
  made AS (
    INSERT INTO events (event_id, workspace_id, agent_id, type, payload)
    SELECT c.event_id, c.workspace_id, c.agent_id, 'call.completed', ${body}
    FROM (SELECT new_id() AS event_id, due.* FROM due) AS c
      LEFT JOIN LATERAL json_to_record(c.analytics)
        AS a(summary json, sentiment json, disposition json, data_extraction json) ON true
    RETURNING event_id, workspace_id, agent_id),
  called AS MATERIALIZED (SELECT DISTINCT workspace_id, agent_id FROM made),
  addresses AS MATERIALIZED (
    SELECT called.workspace_id, called.agent_id, w.webhook_id AS lane, w.webhook_id, NULL AS legacy_url
    FROM called JOIN webhooks w USING (workspace_id)
    WHERE w.status = 'active' AND 'call.completed' = ANY(w.events)
      AND (w.agent_id IS NULL OR w.agent_id = called.agent_id)
    UNION ALL
    SELECT workspace_id, agent_id, agent_id, NULL, a.config->>'webhook_url'
    FROM called JOIN agents a USING (workspace_id, agent_id)
    WHERE a.config->>'webhook_url' <> ''),
  delivered AS (
    INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, legacy_url)
    SELECT new_id(), e.event_id, a.lane, a.webhook_id, a.legacy_url
    FROM made e JOIN addresses a USING (workspace_id, agent_id))
  SELECT count(*)::int AS published FROM due`)

/** SQL that builds a JSON object, spaced like json_build_object. */
function object(members: Record<string, string>): string {
  const texts = Object.entries(members).map(([name, value]) => `'"${name}" : ' || ${value}`)
  return `'{' || ${texts.join(` || ', ' || `)} || '}'`
}

/** SQL that quotes text which needs no escaping. */
function quoted(text: string): string {
  return `'"' || ${text} || '"'`
}

function json(value: string): string {
  return orNull(`to_json(${value})::text`)
}

function orNull(text: string): string {
  return `coalesce(${text}, 'null')`
}

/** Formatted like Date.toISOString(). */
function iso(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

// A batch this large is still fast, and the next one follows immediately.
const atOnce = 200
// While many wait: one statement runs while the other waits for the disk.
const mostStatements = 2
// Poll interval while no event is pending, in case a notification was missed.
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
