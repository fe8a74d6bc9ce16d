// Calls in the database.
import { type Queries, statement } from '../../platform/db.ts'

const insert = statement(`
  INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, call_status, call_initiated_time)
  VALUES ($1, $2, $3, $4, $5, 'queued', now())`)

// A call ends once, however often that is said, and is told once: only the first time finds it unfinished.
const finish = statement(`
  WITH ended AS (
    UPDATE calls SET
      call_status = $2, duration = $3, call_sid = $4, call_completed_time = coalesce($5, now()),
      call_terminated_by = $6, transcript = $7, recording = $8, analytics = $9, finished = true, updated_at = now()
    WHERE session_id = $1 AND NOT finished
    RETURNING session_id)
  INSERT INTO calls_to_tell (session_id, due_at)
  SELECT session_id, now() + $10 * interval '1 second' FROM ended`)

/** Takes up to $1 calls that are to be told off the list, with all their columns; a part of the teller's statement. */
export const takeDueCalls = `
  DELETE FROM calls_to_tell t USING calls c
  WHERE c.session_id = t.session_id AND t.session_id IN (
    SELECT session_id FROM calls_to_tell WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING c.*`

const nextDue = statement(`
  SELECT extract(epoch FROM min(due_at) - now()) * 1000 AS ms FROM calls_to_tell`)

export interface NewCall {
  sessionId: string
  workspaceId: string
  agentId: string
  callType: string
  toPhoneNumber: string | null
}

export interface CallEnd {
  callStatus: string
  duration: number | null
  callSid: string | null
  completedAt: Date | null
  terminatedBy: string | null
  transcript: unknown
  recording: { url: string | null; expiry: string | null } | null
  analytics: Record<string, unknown> | null
}

export const insertCall = (db: Queries, call: NewCall) =>
  db.rows(insert, [call.sessionId, call.workspaceId, call.agentId, call.callType, call.toPhoneNumber])

const asJson = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

export const finishCall = (db: Queries, sessionId: string, end: CallEnd, tellAfterSeconds: number) =>
  db.rows(finish, [
    sessionId,
    end.callStatus,
    end.duration,
    end.callSid,
    end.completedAt,
    end.terminatedBy,
    asJson(end.transcript),
    asJson(end.recording),
    asJson(end.analytics),
    tellAfterSeconds,
  ])

/** Milliseconds until the next call is to be told; undefined when there is none. */
export async function untilNextDue(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
