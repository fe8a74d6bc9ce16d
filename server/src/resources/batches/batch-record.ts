// Reading batches: from rows to wire format.
import type {
  BatchDetail,
  BatchProgress,
  BatchSummary,
  CreatedBatch,
  Recipient,
  RecipientCounts,
} from '@parley/contract'
import { RecipientStatus } from '@parley/contract'
import { isSandbox } from '../calls/calls.ts'
import type { RecipientRow, TallyRow } from './recipient-store.ts'
import type { BatchRow, BatchSummaryRow } from './store.ts'

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

export const createdOf = (
  row: Omit<BatchSummaryRow, 'sandbox_count' | 'started_at' | 'completed_at' | 'created_at' | 'updated_at'>,
): CreatedBatch => ({
  batch_id: row.batch_id,
  name: row.name,
  agent_id: row.agent_id,
  status: row.status,
  recipient_count: row.recipient_count,
  schedule_id: row.schedule_id,
  schedule_time: iso(row.schedule_time),
})

export const batchSummaryOf = (row: BatchSummaryRow): BatchSummary => ({
  ...createdOf(row),
  sandbox_count: row.sandbox_count,
  started_at: iso(row.started_at),
  completed_at: iso(row.completed_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const batchDetailOf = (row: BatchRow, counts: RecipientCounts): BatchDetail => ({
  ...batchSummaryOf(row),
  status_reason: row.status_reason,
  resumes_at: iso(row.resume_at),
  counts,
  from_phone_number: row.from_phone_number,
  max_concurrency: row.max_concurrency,
  calling_window: row.calling_window,
  retry_config: row.retry_config,
  metadata: row.metadata ?? {},
})

const noRecipients = Object.fromEntries(RecipientStatus.options.map((status) => [status, 0]))

/**
 * Two rows may count towards one state: recipients pending in a cancelled batch, and those whose own call was
 * cancelled.
 */
export function countsOf(tally: readonly TallyRow[]): RecipientCounts {
  const counts = { ...noRecipients } as RecipientCounts
  for (const { status, recipients } of tally) counts[status] += recipients
  return counts
}

/** Undefined if the batch was deleted. */
export function progressOf(tally: readonly TallyRow[]): BatchProgress | undefined {
  const [first] = tally
  return (
    first && {
      status: first.batch_status,
      status_reason: first.status_reason,
      resumes_at: iso(first.resume_at),
      recipient_count: first.recipient_count,
      counts: countsOf(tally),
    }
  )
}

export const recipientOf = (row: RecipientRow): Recipient => ({
  row: row.place,
  recipient_id: row.recipient_id,
  to_phone_number: row.to_phone_number,
  sandbox: isSandbox(row),
  name: row.name,
  timezone: row.timezone || null,
  variables: (row.variables ?? {}) as Recipient['variables'],
  metadata: (row.metadata ?? {}) as Recipient['metadata'],
  status: row.status,
  attempts: row.attempts,
  session_id: row.session_id,
  duration: row.duration,
  hangup_reason: row.hangup_reason,
  next_attempt_at: iso(row.due_at),
  updated_at: iso(row.updated_at),
})
