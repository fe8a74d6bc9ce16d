// Calls in the database.
import type { CallCost, CallDirection, CallStatus, PageQuery } from '@parley/contract'
import { guardedStatement, type Queries, statement, type Write } from '../../platform/db/db.ts'
import { type Page, readPage } from '../../platform/db/page.ts'
import { type CallFilter, isPlain } from './search/call-filter.ts'
import { searchCalls } from './search/call-search-store.ts'

export interface CallSummaryRow {
  session_id: string
  agent_id: string
  agent_version: number | null
  batch_id: string | null
  recipient_id: string | null
  call_status: CallStatus
  call_type: CallDirection
  to_phone_number: string | null
  from_phone_number: string | null
  /** The carrier; null while a browser is awaited. */
  provider: string | null
  /** It tries a configuration that is not saved. */
  draft: boolean
  schedule_time: Date | null
  duration: number | null
  call_initiated_time: Date | null
  call_completed_time: Date | null
  call_terminated_by: string | null
  hangup_reason: string | null
  qa_score: number | null
  created_at: Date
  updated_at: Date
}

/** As server/sql/functions/count-usage.sql writes it. */
export interface CostRow {
  currency: string | null
  amount: number | null
  parts: {
    part: CallCost['parts'][number]['part']
    name: string
    stt_ms: number
    duration_ms: number
    tts_characters: number
    input_tokens: number
    /** Absent: it ended before they were priced by themselves. */
    cached_tokens?: number
    cache_write_tokens?: number
    output_tokens: number
    cost: number | null
  }[]
}

export interface DetailRow extends CallSummaryRow {
  call_sid: string | null
  answered_by: string | null
  error_message: string | null
  finished: boolean
  /** True before the call has begun: it waits for its turn, its scheduled time or a browser. */
  waits: boolean
  stop_asked: boolean
  // JSON written by this service.
  transcript: unknown
  recording: object | null
  analytics: Record<string, unknown> | null
  analysis_reasons: Record<string, string> | null
  qa: object | null
  variables: object | null
  metadata: object | null
  transfer: object | null
  line: object | null
  latency: unknown[] | null
  usage: object | null
  cost: CostRow | null
  engines: unknown[] | null
  listeners: { listener: string; began_at: string; seconds: number }[]
}

const summary = `
  session_id, agent_id, agent_version, batch_id, recipient_id, call_status, call_type, to_phone_number, from_phone_number,
  provider, draft, schedule_time, duration, call_initiated_time, call_completed_time, call_terminated_by, hangup_reason, qa_score,
  created_at, updated_at`

const detail = `${summary},
  call_sid, answered_by, error_message, finished, transcript, recording, analytics, analysis_reasons, qa, variables, metadata,
  transfer, line, latency, usage, cost, engines, coalesce(due_at, join_by) IS NOT NULL AS waits,
  stop_asked_at IS NOT NULL AS stop_asked,
  (SELECT coalesce(json_agg(json_build_object('listener', l.listener, 'began_at', l.began_at,
      'seconds', round(extract(epoch FROM coalesce(l.ended_at, now()) - l.began_at)::numeric, 1)) ORDER BY l.began_at), '[]')
    FROM call_listeners l WHERE l.session_id = calls.session_id) AS listeners`

// A call to be dialled waits in the queue; a call dialled elsewhere does not.
const insert = statement(`
  INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, from_phone_number, call_status,
    provider, variables, metadata, agent_overrides, schedule_time, due_at, created_at, updated_at, phone_number_id,
    draft)
  VALUES ($1, $2, $3, 'outbound', $4, $5, $6, $7, $8, $9, $10, $11, coalesce($11::timestamptz, $12), $12, $12, $13, $14)`)

// Not dialled: it waits for a browser.
const insertWeb = statement(`
  INSERT INTO calls (session_id, workspace_id, agent_id, call_type, call_status, variables, metadata, join_token, join_by,
    created_at, updated_at, draft)
  VALUES ($1, $2, $3, 'web', 'queued', $4, $5, $6, $7, $8, $8, $9)`)

const insertStatus = statement(`
  INSERT INTO call_events (session_id, seq, type, data)
  VALUES ($1, 1, 'status', json_build_object('call_status', $2::text, 'sandbox', $3::boolean))`)

const insertLive = statement(`
  INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, call_status, call_initiated_time)
  VALUES ($1, $2, $3, $4, $5, 'initiated', now())`)

const select = statement(`SELECT ${detail} FROM calls WHERE session_id = $1 AND workspace_id = $2`)

// A waiting call ends immediately; for a running one, its process is asked to stop it. Both happen once, and only if
// the call is still in the state that was read: after a claim in between, the write fails as stale.
const stop = guardedStatement(`
  UPDATE calls SET
    stop_asked_at = now(),
    call_status = CASE WHEN coalesce(due_at, join_by) IS NULL THEN call_status ELSE 'canceled' END,
    call_terminated_by = CASE WHEN coalesce(due_at, join_by) IS NULL THEN NULL ELSE 'api' END,
    hangup_reason = CASE WHEN coalesce(due_at, join_by) IS NULL THEN NULL ELSE 'api_stopped' END,
    duration = CASE WHEN coalesce(due_at, join_by) IS NULL THEN NULL ELSE 0 END,
    call_completed_time = CASE WHEN coalesce(due_at, join_by) IS NULL THEN NULL ELSE now() END,
    tell_at = CASE WHEN coalesce(due_at, join_by) IS NULL THEN NULL ELSE now() + $2 * interval '1 second' END,
    finished = coalesce(due_at, join_by) IS NOT NULL,
    due_at = NULL,
    join_token = NULL,
    join_by = NULL,
    updated_at = now()
  WHERE session_id = $1 AND NOT finished AND stop_asked_at IS NULL AND (coalesce(due_at, join_by) IS NOT NULL) = $3
  RETURNING session_id`)

export interface WaitingCall {
  sessionId: string
  workspaceId: string
  agentId: string
  to: string
  from: string | null
  /** The number of ours that it goes out from. */
  phoneNumberId: string | null
  /** The carrier that will dial it. */
  provider: string
  status: CallStatus
  variables: unknown
  metadata: unknown
  overrides: unknown
  scheduledAt: Date | null
  /** It tries a configuration that is not saved. */
  isDraft?: boolean
  at: Date
}

/** Whether the call is simulated and nobody is really called. */
export const isSandbox = ({ provider }: { readonly provider: string | null }): boolean =>
  provider === 'sandbox'

const asJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

export const insertWaiting = (call: WaitingCall): Write[] => [
  {
    statement: insert,
    values: [
      call.sessionId,
      call.workspaceId,
      call.agentId,
      call.to,
      call.from,
      call.status,
      call.provider,
      asJson(call.variables),
      asJson(call.metadata),
      asJson(call.overrides),
      call.scheduledAt,
      call.at,
      call.phoneNumberId,
      call.isDraft ?? false,
    ],
  },
  { statement: insertStatus, values: [call.sessionId, call.status, isSandbox(call)] },
]

export interface UnjoinedCall
  extends Pick<
    WaitingCall,
    'sessionId' | 'workspaceId' | 'agentId' | 'variables' | 'metadata' | 'isDraft' | 'at'
  > {
  tokenHash: Buffer
  joinBy: Date
}

export const insertUnjoined = (call: UnjoinedCall): Write[] => [
  {
    statement: insertWeb,
    values: [
      call.sessionId,
      call.workspaceId,
      call.agentId,
      asJson(call.variables),
      asJson(call.metadata),
      call.tokenHash,
      call.joinBy,
      call.at,
      call.isDraft ?? false,
    ],
  },
  { statement: insertStatus, values: [call.sessionId, 'queued', false] },
]

export interface DialledCall {
  sessionId: string
  workspaceId: string
  agentId: string
  callType: string
  toPhoneNumber: string | null
}

export const insertDialled = (db: Queries, call: DialledCall) =>
  db.rows(insertLive, [call.sessionId, call.workspaceId, call.agentId, call.callType, call.toPhoneNumber])

export const findCall = (db: Queries, workspaceId: string, sessionId: string) =>
  db.row<DetailRow>(select, [sessionId, workspaceId])

const owner = statement(`
  SELECT c.workspace_id, a.config ->> 'agent_name' AS agent_name
  FROM calls c LEFT JOIN agents a USING (workspace_id, agent_id) WHERE c.session_id = $1`)

/** Finds the workspace of a call, for links that name a call and nothing else. */
export const findOwner = (db: Queries, sessionId: string) =>
  db.row<{ workspace_id: string; agent_name: string | null }>(owner, [sessionId])

export const askToStop = (
  { session_id, waits }: Pick<DetailRow, 'session_id' | 'waits'>,
  eventDelaySeconds: number,
): Write => ({ statement: stop, values: [session_id, eventDelaySeconds, waits] })

const conditions = {
  agentId: (place: string) => `agent_id = ${place}`,
  batchId: (place: string) => `batch_id = ${place}`,
  from: (place: string) => `created_at >= ${place}`,
  to: (place: string) => `created_at < ${place}`,
  minScore: (place: string) => `qa_score >= ${place}`,
  maxScore: (place: string) => `qa_score <= ${place}`,
}

const byIds = statement(`
  SELECT ${summary} FROM calls WHERE session_id = ANY ($1::uuid[]) ORDER BY created_at DESC, session_id DESC`)

/** Only the given filters are part of the statement, so that each can use its index. */
export async function pageOfCalls(
  db: Queries,
  workspaceId: string,
  filter: CallFilter,
  query: PageQuery,
  countUpTo?: number,
): Promise<Page<CallSummaryRow>> {
  if (!isPlain(filter)) {
    const { reader = db } = db
    const { sessionIds, total } = await searchCalls(reader, workspaceId, filter, query, countUpTo)
    return { rows: await reader.rows<CallSummaryRow>(byIds, [sessionIds]), total }
  }
  const given = Object.entries(conditions).flatMap(([name, condition]) => {
    const value = filter[name as keyof typeof conditions]
    return value === undefined ? [] : [{ condition, value }]
  })
  const where = ['workspace_id = $1', ...given.map(({ condition }, at) => condition(`$${at + 2}`))].join(
    ' AND ',
  )
  const values = [workspaceId, ...given.map(({ value }) => value)]
  const select = statement(`
    SELECT ${summary} FROM calls WHERE ${where}
    ORDER BY created_at DESC, session_id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`)
  const most = countUpTo === undefined ? '' : ` LIMIT ${Math.trunc(countUpTo)}`
  const count = statement(
    `SELECT count(*)::int AS total FROM (SELECT FROM calls WHERE ${where}${most}) AS counted`,
  )
  return readPage<CallSummaryRow>(db, { select, count }, values, query)
}
