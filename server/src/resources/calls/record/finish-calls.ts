// Ends calls in the database: once each, with their final record, and schedules the event.
import type { CallLine, CallTransfer, Engine, Usage } from '@parley/contract'
import { type Queries, statement } from '../../../platform/db/db.ts'
import { toJson } from './json.ts'

export interface CallEnd {
  callStatus: string
  duration: number | null
  callSid: string | null
  /** Null: now. */
  completedAt: Date | null
  terminatedBy: string | null
  transcript: unknown
  recording: { url: string | null; expiry: string | null } | null
  analytics: Record<string, unknown> | null
  hangupReason?: string
  errorMessage?: string | null
  answeredBy?: string | null
  provider?: string | null
  line?: CallLine | null
  transfer?: CallTransfer | null
  latency?: readonly unknown[]
  usage?: Usage
  engines?: readonly Engine[]
  /** The variables that tools have saved; they override those that the call was given. */
  variables?: Readonly<Record<string, string>> | undefined
}

export interface EndOfCall extends CallEnd {
  sessionId: string
}

// Idempotent: only the first end finds the call unfinished. A trigger does the rest, see 0003-calls.sql.
const finish = statement(`
  UPDATE calls c SET
    call_status = e."callStatus", duration = e.duration, call_sid = e."callSid",
    call_completed_time = coalesce(e."completedAt", now()), call_terminated_by = e."terminatedBy",
    transcript = e.transcript, recording = e.recording, analytics = e.analytics, hangup_reason = e."hangupReason",
    error_message = e."errorMessage", answered_by = e."answeredBy", provider = coalesce(e.provider, c.provider),
    line = e.line, transfer = e.transfer, latency = e.latency, usage = e.usage, engines = e.engines,
    variables = CASE WHEN e.variables IS NULL THEN c.variables
      ELSE (coalesce(c.variables::jsonb, '{}') || e.variables::jsonb)::json END,
    tell_at = now() + $2 * interval '1 second', due_at = NULL, join_token = NULL, join_by = NULL,
    claimed_by = NULL, finished = true, updated_at = now()
  FROM json_to_recordset($1) AS e(
    "sessionId" uuid, "callStatus" text, duration float8, "callSid" text, "completedAt" timestamptz, "terminatedBy" text,
    transcript json, recording json, analytics json, "hangupReason" text, "errorMessage" text, "answeredBy" text,
    provider text, line json, transfer json, latency json, usage json, engines json, variables json)
  WHERE c.session_id = e."sessionId" AND NOT c.finished AND ($3::integer IS NULL OR c.claimed_by = $3)
  RETURNING c.session_id`)

/**
 * Returns the ids of those that had not ended before. With `heldBy`, only calls that this claimant still holds are
 * ended.
 */
export async function finishCalls(
  db: Queries,
  ends: readonly EndOfCall[],
  eventDelaySeconds: number,
  heldBy: number | null = null,
): Promise<string[]> {
  const rows = await db.rows<{ session_id: string }>(finish, [toJson(ends), eventDelaySeconds, heldBy])
  return rows.map(({ session_id }) => session_id)
}
