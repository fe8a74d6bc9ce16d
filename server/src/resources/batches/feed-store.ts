// Turns recipients into calls, in the database. A recipient's attempt and its call are created in one statement.
import type { CallingWindow } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import { tryTrunksAgain } from './trunk-store.ts'

/** A running batch, as far as the feeder needs it. */
export interface RunningBatch {
  batch_id: string
  workspace_id: string
  /** Its agent accepts calls. */
  agent_active: boolean
  max_concurrency: number | null
  calling_window: CallingWindow | null
  zones: string[]
  /** There are recipients without a first attempt. */
  fresh: boolean
  /** `waiting`: there are recipients that wait for a retry; `due`: for some of them the time has come. */
  waiting: boolean
  due: boolean
  /** Calls that have not ended; of these, those queued and those held back. */
  open: number
  queued: number
  held: number
  /** How many times in a row it has waited for its trunk; above 0 the trunk is being tried. */
  trunk_tries: number
}

const start = statement(`
  UPDATE batches SET status = 'in_progress', started_at = now(), updated_at = now()
  WHERE status = 'scheduled' AND schedule_time <= now()`)

// The agent was deleted while the batch was being created: deleting an agent only stops the batches that exist.
const stopOrphans = statement(`
  UPDATE batches b SET status = 'cancelled', status_reason = 'The agent was deleted.', completed_at = now(),
    updated_at = now()
  WHERE b.status = 'in_progress' AND NOT EXISTS (SELECT FROM agents a WHERE a.agent_id = b.agent_id)`)

const running = (which: string, order: string) =>
  statement(`
  SELECT b.batch_id, b.workspace_id, b.max_concurrency, b.calling_window, b.zones, b.trunk_tries, b.next_place <= b.recipient_count AS fresh,
    waiting.first IS NOT NULL AS waiting, coalesce(waiting.first <= now(), false) AS due,
    calls.open, calls.queued, calls.held,
    EXISTS (SELECT FROM agents a WHERE a.agent_id = b.agent_id AND a.status = 'active') AS agent_active
  FROM batches b CROSS JOIN LATERAL (
    SELECT min(due.due_at) AS first
    FROM unnest(b.zones) AS zone CROSS JOIN LATERAL (
      SELECT w.due_at FROM batch_recipients w
      WHERE w.batch_id = b.batch_id AND w.timezone = zone AND w.due_at IS NOT NULL ORDER BY w.due_at LIMIT 1) AS due
  ) AS waiting CROSS JOIN LATERAL (
    SELECT count(*)::int AS open, (count(*) FILTER (WHERE c.due_at <= now()))::int AS queued,
      (count(*) FILTER (WHERE c.due_at > now()))::int AS held
    FROM calls c WHERE c.batch_id = b.batch_id AND NOT c.finished
  ) AS calls
  WHERE b.status = 'in_progress' AND ${which}
  ${order}`)

// The batches in turn, starting after the one that was served last.
const all = running('true', 'ORDER BY b.batch_id <= $1, b.batch_id')
const one = running('b.batch_id = $1', '')

// Locks the batch until commit, so that its limit holds across processes. A separate statement: the next one must see
// what was committed before the lock was acquired.
const lock = statement(`
  SELECT batch_id FROM batches WHERE batch_id = $1 AND status = 'in_progress' FOR UPDATE SKIP LOCKED`)

// Recipients that wait for a retry come first, those that wait longest before the others, then the next ones in the
// list. Those outside their calling window are deferred, those that were erased are passed over. Rows are reached by
// position, never by a join over the whole list.
const feed = statement(`
  WITH batch AS MATERIALIZED (SELECT * FROM batches WHERE batch_id = $1
  ), again AS MATERIALIZED (
    SELECT due.place FROM unnest($2::text[]) AS zone CROSS JOIN LATERAL (
      SELECT w.place, w.due_at FROM batch_recipients w
      WHERE w.batch_id = $1 AND w.timezone = zone AND w.due_at <= now() ORDER BY w.due_at, w.place LIMIT $3) AS due
    ORDER BY due.due_at, due.place LIMIT $3
  ), next AS MATERIALIZED (
    SELECT r.place, r.timezone = ANY($2::text[]) AS callable, r.status = 'pending' AS pending FROM batch_recipients r
    WHERE r.batch_id = $1 AND r.place >= (SELECT next_place FROM batch)
      AND r.place < (SELECT next_place FROM batch) + $3 - (SELECT count(*) FROM again)
  ), picked AS MATERIALIZED (
    SELECT array_agg(place) AS places
    FROM (SELECT place FROM again UNION ALL SELECT place FROM next WHERE callable AND pending) AS chosen
  ), put_off AS (
    UPDATE batch_recipients SET due_at = now()
    WHERE batch_id = $1 AND place = ANY (ARRAY(SELECT place FROM next WHERE NOT callable AND pending))
  ), passed AS (
    UPDATE batches SET next_place = next_place + (SELECT count(*) FROM next)
    WHERE batch_id = $1 AND EXISTS (SELECT FROM next)
  ), begun AS (
    UPDATE batch_recipients SET status = 'in_progress', attempts = attempts + 1, due_at = NULL, updated_at = now(),
      session_id = ($4::uuid[])[array_position((SELECT places FROM picked), place)]
    WHERE batch_id = $1 AND place = ANY ((SELECT places FROM picked)::integer[])
    RETURNING *
  ), placed AS (
    INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, from_phone_number, call_status,
      provider, phone_number_id, variables, metadata, batch_id, recipient_id, recipient_place, due_at)
    SELECT r.session_id, b.workspace_id, b.agent_id, 'outbound', r.to_phone_number, b.from_phone_number, 'queued', r.provider,
      b.phone_number_id,
      CASE WHEN r.name IS NULL THEN r.variables
        ELSE (jsonb_build_object('name', r.name) || coalesce(r.variables::jsonb, '{}'))::json END,
      coalesce(r.metadata, b.metadata), b.batch_id, r.recipient_id, r.place, now()
    FROM begun r CROSS JOIN batch b
  ), told AS (
    INSERT INTO call_events (session_id, seq, type, data)
    SELECT session_id, 1, 'status', json_build_object('call_status', 'queued', 'sandbox',
      provider IS NOT DISTINCT FROM 'sandbox') FROM begun
  )
  SELECT (SELECT count(*) FROM again)::int + (SELECT count(*) FROM next)::int AS looked_at`)

// Releases queued calls whose window has opened since, no more than $3 of them, and holds back those whose window has
// closed.
const retime = statement(`
  WITH zoned AS MATERIALIZED (
    SELECT place, timezone = ANY($2::text[]) AS callable FROM batch_recipients
    WHERE batch_id = $1 AND place = ANY (ARRAY(
      SELECT recipient_place FROM calls WHERE batch_id = $1 AND NOT finished AND due_at IS NOT NULL))
  ), turned AS MATERIALIZED (
    SELECT c.session_id, zoned.callable, row_number() OVER (PARTITION BY zoned.callable ORDER BY zoned.place) AS nth
    FROM calls c JOIN zoned ON zoned.place = c.recipient_place
    WHERE c.batch_id = $1 AND NOT c.finished AND c.due_at IS NOT NULL AND (c.due_at <= now()) <> zoned.callable
  )
  UPDATE calls c SET due_at = CASE WHEN turned.callable THEN now() ELSE '9999-01-01Z' END
  FROM turned
  WHERE c.session_id = turned.session_id AND c.batch_id = $1 AND NOT c.finished AND c.due_at IS NOT NULL
    AND (NOT turned.callable OR turned.nth <= $3)`)

// Calls that have ended, and those that the trunk has carried as far as a telephone.
const recent = statement(`
  SELECT c.recipient_place AS place, c.call_initiated_time AS dialled_at, c.finished,
    c.finished AND c.call_status = 'failed' AND c.call_terminated_by = 'carrier' AS failed,
    c.finished AND c.hangup_reason IS NOT DISTINCT FROM 'trunk_unreachable' AS silent,
    b.trunk_tried_at IS NULL OR c.call_initiated_time >= b.trunk_tried_at AS after_pause
  FROM calls c JOIN batches b USING (batch_id)
  WHERE c.batch_id = $1 AND c.call_initiated_time IS NOT NULL
    AND (c.finished AND c.call_status <> 'canceled' OR c.call_status IN ('ringing', 'in-progress'))
  ORDER BY c.created_at DESC, c.session_id DESC LIMIT $2`)

const end = statement(`
  UPDATE batches SET status = $2, status_reason = $3, completed_at = now(), updated_at = now() WHERE batch_id = $1`)

/** Starts batches that are due, and ends those that cannot continue. */
export async function startScheduled(db: Queries): Promise<void> {
  await db.rows(start)
  await db.rows(stopOrphans)
  await tryTrunksAgain(db)
}

export const runningBatches = (db: Queries, after: string) => db.rows<RunningBatch>(all, [after])

/** Undefined if another process is feeding it, or if it is no longer to be fed. */
export async function lockRunning(tx: Queries, batchId: string): Promise<RunningBatch | undefined> {
  const locked = await tx.row(lock, [batchId])
  return locked ? tx.row<RunningBatch>(one, [batchId]) : undefined
}

export interface FeedRound {
  readonly batchId: string
  /** Time zones in which calls are allowed now. */
  readonly zones: readonly string[]
  /** As many ids as calls may be created. */
  readonly sessionIds: readonly string[]
}

/** The number of recipients handled, whether called or deferred. */
export async function feedCalls(tx: Queries, { batchId, zones, sessionIds }: FeedRound): Promise<number> {
  const row = await tx.row<{ looked_at: number }>(feed, [batchId, zones, sessionIds.length, sessionIds])
  return row?.looked_at ?? 0
}

/** `most`: how many of the calls that are held back may be released. */
export const retimeCalls = (tx: Queries, batchId: string, zones: readonly string[], most: number) =>
  tx.rows(retime, [batchId, zones, most])

/** A call that has ended, or that rings or is talked in. */
export interface Dial {
  /** Of the recipient. */
  place: number
  dialled_at: Date
  finished: boolean
  /** The carrier failed it, not the recipient. */
  failed: boolean
  /** The trunk did not answer, so nobody was called. */
  silent: boolean
  /** It was dialled since the batch last waited for its trunk. */
  after_pause: boolean
}

/** The newest first. */
export const recentDials = (tx: Queries, batchId: string, most: number): Promise<Dial[]> =>
  tx.rows<Dial>(recent, [batchId, most])

export const endBatch = (
  tx: Queries,
  batchId: string,
  status: 'completed' | 'failed',
  reason: string | null,
) => tx.rows(end, [batchId, status, reason])
