// The recipients of a batch in the database, for reading.
import type { BatchStatus, HangupReason, PageQuery, RecipientStatus } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface RecipientRow {
  place: number
  recipient_id: string
  to_phone_number: string
  provider: string | null
  name: string | null
  timezone: string
  variables: object | null
  metadata: object | null
  status: RecipientStatus
  attempts: number
  session_id: string | null
  /** The last call's duration, and why it ended. */
  duration: number | null
  hangup_reason: HangupReason | null
  due_at: Date | null
  updated_at: Date | null
}

// Recipients still pending in a stopped batch are cancelled by definition: no rewrite of a hundred thousand rows.
const standing = `CASE WHEN r.status <> 'pending' THEN r.status
  WHEN b.status = 'cancelled' THEN 'cancelled' WHEN b.status = 'failed' THEN 'skipped' ELSE 'pending' END`

const recipients = `
  FROM batch_recipients r JOIN batches b USING (batch_id) WHERE r.batch_id = $1`

const withCalls = `
  FROM batch_recipients r JOIN batches b USING (batch_id) LEFT JOIN calls c ON c.session_id = r.session_id
  WHERE r.batch_id = $1`

const columns = `r.place, r.recipient_id, r.to_phone_number, r.provider, r.name, r.timezone, r.variables, r.metadata,
  ${standing} AS status, r.attempts, r.session_id, r.updated_at, c.duration, c.hangup_reason,
  CASE WHEN b.completed_at IS NULL AND r.attempts > 0 THEN r.due_at END AS due_at`

const all = {
  select: statement(`SELECT ${columns} ${withCalls} ORDER BY r.place LIMIT $2 OFFSET $3`),
  count: statement('SELECT recipient_count AS total FROM batches WHERE batch_id = $1'),
}

const inState = {
  select: statement(
    `SELECT ${columns} ${withCalls} AND ${standing} = $2 ORDER BY r.place LIMIT $3 OFFSET $4`,
  ),
  count: statement(`SELECT count(*)::int AS total ${recipients} AND ${standing} = $2`),
}

const tally = statement(`
  SELECT b.status AS batch_status, b.status_reason, b.resume_at, b.recipient_count, ${standing} AS status,
    count(r.place)::int AS recipients
  ${recipients} GROUP BY b.batch_id, r.status`)

export const pageOfRecipients = (
  db: Queries,
  batchId: string,
  status: RecipientStatus | undefined,
  query: PageQuery,
) =>
  status === undefined
    ? readPage<RecipientRow>(db, all, [batchId], query)
    : readPage<RecipientRow>(db, inState, [batchId, status], query)

export interface TallyRow {
  batch_status: BatchStatus
  status_reason: string | null
  resume_at: Date | null
  recipient_count: number
  status: RecipientStatus
  recipients: number
}

/** One row per recipient state, with the state of the batch at that moment; none if it was deleted. */
export const tallyOf = (db: Queries, batchId: string) => db.rows<TallyRow>(tally, [batchId])

export interface ResultRow extends RecipientRow {
  call_status: string | null
  answered_by: string | null
  error_message: string | null
  call_initiated_time: Date | null
  call_completed_time: Date | null
}

const results = statement(`
  SELECT ${columns}, c.call_status, c.answered_by, c.error_message, c.call_initiated_time, c.call_completed_time
  ${withCalls} AND r.place > $2 AND r.place <= $3 ORDER BY r.place`)

export const resultsAfter = (db: Queries, batchId: string, place: number, most: number) =>
  db.rows<ResultRow>(results, [batchId, place, place + most])
