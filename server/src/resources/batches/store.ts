// Batches in the database.
import type {
  BatchChange,
  BatchSettings,
  BatchStatus,
  CallingWindow,
  PageQuery,
  RetryConfig,
} from '@parley/contract'
import { guardedStatement, type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import { newId } from '../../platform/ids.ts'
import { tryingTrunk } from './trunk-store.ts'

export interface BatchSummaryRow {
  batch_id: string
  name: string
  agent_id: string
  status: BatchStatus
  recipient_count: number
  sandbox_count: number
  schedule_id: string | null
  schedule_time: Date | null
  started_at: Date | null
  completed_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface BatchRow extends BatchSummaryRow {
  status_reason: string | null
  /** When it goes on by itself, if it is paused because of its trunk. */
  resume_at: Date | null
  from_phone_number: string | null
  max_concurrency: number | null
  calling_window: CallingWindow | null
  retry_config: RetryConfig | null
  metadata: Record<string, unknown> | null
}

// The provider is null in a row of a release that could only simulate.
const summary = `batch_id, name, agent_id, status, recipient_count, coalesce(sandbox_count, recipient_count) AS sandbox_count,
  schedule_id, schedule_time, started_at, completed_at, created_at, updated_at`

const detail = `${summary}, status_reason, resume_at, from_phone_number, max_concurrency, calling_window, retry_config, metadata`

const insert = statement(`
  INSERT INTO batches (batch_id, workspace_id, agent_id, name, status, schedule_id, schedule_time, from_phone_number,
    max_concurrency, calling_window, retry_config, metadata, zones, recipient_count, sandbox_count, phone_number_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`)

const select = statement(`SELECT ${detail} FROM batches WHERE batch_id = $1 AND workspace_id = $2`)

// The statement itself checks the state: of several concurrent commands, only one finds the batch in a state that
// allows it.
const move = guardedStatement(`
  UPDATE batches SET status = $3, updated_at = now(),
    started_at = CASE WHEN $3 = 'in_progress' THEN coalesce(started_at, now()) ELSE started_at END,
    completed_at = CASE WHEN $3 = 'cancelled' THEN now() ELSE completed_at END,
    resume_at = NULL, trunk_tried_at = CASE WHEN trunk_tries > 0 THEN now() END,
    status_reason = CASE WHEN $3 = 'in_progress' AND trunk_tries > 0 THEN '${tryingTrunk}' END
  WHERE batch_id = $1 AND status = ANY($2::text[]) RETURNING batch_id`)

// Only the given fields are written, so that concurrent changes do not undo each other.
const change = statement(`
  UPDATE batches SET
    status = CASE WHEN NOT $3 THEN status WHEN $4::timestamptz IS NULL THEN 'created' ELSE 'scheduled' END,
    schedule_id = CASE WHEN NOT $3 THEN schedule_id WHEN $4 IS NULL THEN NULL ELSE coalesce(schedule_id, $5::uuid) END,
    schedule_time = CASE WHEN $3 THEN $4 ELSE schedule_time END,
    max_concurrency = CASE WHEN $6 THEN $7::integer ELSE max_concurrency END,
    calling_window = CASE WHEN $8 THEN $9::json ELSE calling_window END,
    updated_at = now()
  WHERE batch_id = $1 AND status = ANY($2::text[]) RETURNING ${detail}`)

const remove = statement(`
  WITH gone AS (DELETE FROM batches WHERE batch_id = $1 AND status = ANY($2::text[]) RETURNING batch_id),
    recipients AS (DELETE FROM batch_recipients WHERE batch_id = (SELECT batch_id FROM gone))
  SELECT batch_id FROM gone`)

const oldest = statement(`
  SELECT batch_id FROM batches WHERE completed_at < now() - $1 * interval '1 day' LIMIT 1`)

export interface BatchInsert {
  batchId: string
  workspaceId: string
  settings: BatchSettings
  /** The number that its calls go out from, if any, and their caller id. */
  phoneNumberId: string | null
  from: string | null
  status: BatchStatus
  scheduleId: string | null
  scheduledAt: Date | null
  zones: string[]
  recipientCount: number
  sandboxCount: number
}

const asJson = (value: unknown) => (value == null ? null : JSON.stringify(value))

export const insertBatch = (batch: BatchInsert): Write => ({
  statement: insert,
  values: [
    batch.batchId,
    batch.workspaceId,
    batch.settings.agent_id,
    batch.settings.name,
    batch.status,
    batch.scheduleId,
    batch.scheduledAt,
    batch.from,
    batch.settings.max_concurrency ?? null,
    asJson(batch.settings.calling_window),
    asJson(batch.settings.retry_config),
    asJson(batch.settings.metadata),
    batch.zones,
    batch.recipientCount,
    batch.sandboxCount,
    batch.phoneNumberId,
  ],
})

export const findBatch = (db: Queries, workspaceId: string, batchId: string) =>
  db.row<BatchRow>(select, [batchId, workspaceId])

export const moveBatch = (batchId: string, from: readonly BatchStatus[], to: BatchStatus): Write => ({
  statement: move,
  values: [batchId, from, to],
})

/** Undefined fields stay unchanged. */
export interface BatchUpdate extends Pick<BatchChange, 'max_concurrency' | 'calling_window'> {
  /** Null: not scheduled, started by a command. */
  readonly scheduledAt: Date | null | undefined
}

/** Undefined if the batch is in none of these states. */
export const changeBatch = (
  db: Queries,
  batchId: string,
  from: readonly BatchStatus[],
  { scheduledAt, max_concurrency, calling_window }: BatchUpdate,
) =>
  db.row<BatchRow>(change, [
    batchId,
    from,
    scheduledAt !== undefined,
    scheduledAt ?? null,
    newId(),
    max_concurrency !== undefined,
    max_concurrency ?? null,
    calling_window !== undefined,
    asJson(calling_window),
  ])

export const removeBatch = async (
  db: Queries,
  batchId: string,
  from: readonly BatchStatus[],
): Promise<boolean> => (await db.row(remove, [batchId, from])) !== undefined

/**
 * Deletes one batch at a time, because it may have a hundred thousand recipients. Returns true if there may be more.
 */
export async function pruneBatches(db: Queries, days: number): Promise<boolean> {
  const expired = await db.row<{ batch_id: string }>(oldest, [days])
  return expired !== undefined && removeBatch(db, expired.batch_id, ['completed', 'cancelled', 'failed'])
}

export interface BatchFilter {
  status?: BatchStatus | undefined
  agentId?: string | undefined
}

const conditions: Record<keyof BatchFilter, (place: string) => string> = {
  status: (place) => `status = ${place}`,
  agentId: (place) => `agent_id = ${place}`,
}

export function pageOfBatches(db: Queries, workspaceId: string, filter: BatchFilter, query: PageQuery) {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const where = [
    'workspace_id = $1',
    ...given.map(([name], at) => conditions[name as keyof BatchFilter](`$${at + 2}`)),
  ].join(' AND ')
  const values = [workspaceId, ...given.map(([, value]) => value)]
  const page = statement(`
    SELECT ${summary} FROM batches WHERE ${where}
    ORDER BY created_at DESC, batch_id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`)
  const count = statement(`SELECT count(*)::int AS total FROM batches WHERE ${where}`)
  return readPage<BatchSummaryRow>(db, { select: page, count }, values, query)
}
