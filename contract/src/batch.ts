// A batch: many recipients, called one after the other by one agent.
import { z } from 'zod'
import { Variables } from './call.ts'
import { CallingWindow, MaxConcurrency, RetryOn, Weekday } from './new-batch.ts'
import { Id, Open, Text, Timestamp } from './words.ts'

export const BatchStatus = z.enum([
  'created',
  'scheduled',
  'in_progress',
  'paused',
  'completed',
  'cancelled',
  'failed',
])
export type BatchStatus = z.infer<typeof BatchStatus>

export const RecipientStatus = z.enum([
  'pending',
  'in_progress',
  'completed',
  'no-answer',
  'busy',
  'failed',
  'voicemail',
  'cancelled',
  'skipped',
])
export type RecipientStatus = z.infer<typeof RecipientStatus>

export const CreatedBatch = z.strictObject({
  batch_id: Id,
  name: Text,
  agent_id: Id,
  status: BatchStatus,
  recipient_count: z.int().min(0),
  schedule_id: Id.nullable(),
  schedule_time: Timestamp.nullable(),
})
export type CreatedBatch = z.infer<typeof CreatedBatch>

const listed = {
  ...CreatedBatch.shape,
  sandbox_count: z.int().min(0).meta({
    description: 'Of the recipients, those who are simulated: nobody is really called.',
  }),
  started_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const BatchSummary = z.strictObject(listed).meta({ id: 'Batch' })
export type BatchSummary = z.infer<typeof BatchSummary>

const count = () => z.int().min(0)
export const RecipientCounts = z
  .strictObject({
    pending: count(),
    in_progress: count(),
    completed: count(),
    'no-answer': count(),
    busy: count(),
    failed: count(),
    voicemail: count(),
    cancelled: count(),
    skipped: count(),
  } satisfies Record<RecipientStatus, z.ZodType>)
  .meta({ id: 'RecipientCounts' })
export type RecipientCounts = z.infer<typeof RecipientCounts>

export const BatchDetail = z
  .strictObject({
    ...listed,
    status_reason: Text.nullable().meta({ description: 'Why it was stopped before its end, in a sentence.' }),
    counts: RecipientCounts,
    from_phone_number: Text.nullable(),
    max_concurrency: MaxConcurrency.nullable(),
    calling_window: z
      .strictObject({ timezone: Text, days: z.array(Weekday).max(7), start_time: Text, end_time: Text })
      .nullable(),
    retry_config: z
      .strictObject({
        max_retries: count(),
        retry_on: z.array(RetryOn).max(4),
        intervals_minutes: z.array(z.number()).max(10),
      })
      .nullable(),
    metadata: Open,
  })
  .meta({ id: 'BatchDetail' })
export type BatchDetail = z.infer<typeof BatchDetail>

export const BatchChange = z.strictObject({
  schedule_time: Timestamp.nullable()
    .optional()
    .meta({ description: 'Only before the start. null: it waits to be executed.' }),
  max_concurrency: MaxConcurrency.nullable().optional(),
  calling_window: CallingWindow.nullable().optional(),
})
export type BatchChange = z.infer<typeof BatchChange>

export const Recipient = z
  .strictObject({
    row: z.int().min(1).meta({ description: 'Its place in the request, from 1.' }),
    recipient_id: Text,
    to_phone_number: Text,
    sandbox: z.boolean().meta({ description: 'True: simulated, nobody is really called.' }),
    name: Text.nullable(),
    timezone: Text.nullable(),
    variables: Variables,
    metadata: Open,
    status: RecipientStatus,
    attempts: z.int().min(0).meta({ description: 'How often it was called, this time included.' }),
    session_id: Id.nullable().meta({ description: 'The call of the last attempt.' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'Waits at least until then; the calling window may make it later.',
    }),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'Recipient' })
export type Recipient = z.infer<typeof Recipient>

/** The `data` of the events `progress` and `ended` of a batch that is watched. */
export const BatchProgress = z.strictObject({
  status: BatchStatus,
  status_reason: Text.nullable(),
  recipient_count: count(),
  counts: RecipientCounts,
})
export type BatchProgress = z.infer<typeof BatchProgress>

/** As the client library passes it on. */
export interface BatchEvent {
  id: number
  type: 'progress' | 'ended'
  at: string
  data: BatchProgress
}
