// A batch: many recipients, called one after the other by one agent.
import { z } from 'zod'
import { HangupReason, Variables } from '../calls/call.ts'
import { Id, Open, Text, Timestamp } from '../words.ts'
import { CallingWindow, MaxConcurrency, RetryOn, Weekday } from './new-batch.ts'

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

export const CreatedBatch = z
  .strictObject({
    batch_id: Id.describe('Names the batch in every other request.'),
    name: Text.describe('For people.'),
    agent_id: Id.describe('The agent that calls.'),
    status: BatchStatus.describe('created, scheduled, in_progress, paused, completed, cancelled or failed.'),
    recipient_count: z.int().min(0).describe('How many recipients it has.'),
    schedule_id: Id.nullable().describe('Names the schedule. null: it is not scheduled.'),
    schedule_time: Timestamp.nullable().describe('When it starts by itself. null: it waits to be executed.'),
  })
  .describe('A batch that was stored.')
export type CreatedBatch = z.infer<typeof CreatedBatch>

const listed = {
  ...CreatedBatch.shape,
  sandbox_count: z
    .int()
    .min(0)
    .describe('How many of the recipients are simulated: nobody is really called.'),
  started_at: Timestamp.nullable().describe('When it began to call. null: not yet.'),
  completed_at: Timestamp.nullable().describe('When it ended, in whatever way. null: it has not.'),
  created_at: Timestamp.describe('When it was created.'),
  updated_at: Timestamp.describe('When it last changed.'),
}

export const BatchSummary = z
  .strictObject(listed)
  .meta({ id: 'Batch', description: 'A batch as lists show it.' })
export type BatchSummary = z.infer<typeof BatchSummary>

const count = () => z.int().min(0)
export const RecipientCounts = z
  .strictObject({
    pending: count().describe('How many wait for a first call or for another.'),
    in_progress: count().describe('How many have a call that waits for room or is under way.'),
    completed: count().describe('How many had a conversation.'),
    'no-answer': count().describe('How many did not answer, after all retries.'),
    busy: count().describe('How many were busy, after all retries.'),
    failed: count().describe('How many could not be reached, after all retries.'),
    voicemail: count().describe('How many were answered by a machine.'),
    cancelled: count().describe(
      'How many are not called any more, because the batch or their call was cancelled.',
    ),
    skipped: count().describe('How many are not called any more, because the batch failed.'),
  } satisfies Record<RecipientStatus, z.ZodType>)
  .meta({ id: 'RecipientCounts', description: 'How many recipients are in which state.' })
export type RecipientCounts = z.infer<typeof RecipientCounts>

export const BatchDetail = z
  .strictObject({
    ...listed,
    status_reason: Text.nullable().meta({
      description:
        'Why it was stopped before its end, why it is paused, or that its trunk is being tried, in a sentence. null: none of these, or a person did it.',
    }),
    resumes_at: Timestamp.nullable().meta({
      description:
        'It is paused because its trunk does not answer, and is tried again by itself then. null: it is not, or a person has paused it.',
    }),
    counts: RecipientCounts.describe('How many recipients are in which state now.'),
    from_phone_number: Text.nullable().describe(
      'The number that calls, in E.164 form. null: none; all of its calls are simulated.',
    ),
    max_concurrency: MaxConcurrency.nullable().describe(
      'How many calls of this batch run at a time. null: as many as the workspace may have.',
    ),
    calling_window: z
      .strictObject({
        timezone: Text.describe('For recipients without a time zone of their own.'),
        days: z.array(Weekday).max(7).describe('The days of the week on which calls begin.'),
        start_time: Text.describe('From then on calls begin, as in 09:00.'),
        end_time: Text.describe('From then on no call begins, as in 18:30 or 24:00.'),
      })
      .nullable()
      .describe('The hours in which calls begin. null: at any time.'),
    retry_config: z
      .strictObject({
        max_retries: count().describe('How many further attempts a recipient gets.'),
        retry_on: z.array(RetryOn).max(4).describe('After which results there is another attempt.'),
        intervals_minutes: z.array(z.number()).max(10).describe('Minutes before each further attempt.'),
      })
      .nullable()
      .describe('Whether recipients are called again. null: they are not.'),
    metadata: Open.describe('Yours, as it was given.'),
  })
  .meta({ id: 'BatchDetail', description: 'Everything about one batch but its recipients.' })
export type BatchDetail = z.infer<typeof BatchDetail>

export const BatchChange = z.strictObject({
  schedule_time: Timestamp.nullable().optional().meta({
    description:
      'When it starts, RFC 3339 with an offset, in the future; only before its start. null: it waits to be executed.',
  }),
  max_concurrency: MaxConcurrency.nullable()
    .optional()
    .describe('How many calls of this batch run at a time. null: as many as the workspace may have.'),
  calling_window: CallingWindow.nullable()
    .optional()
    .describe('The hours in which calls begin. null: at any time.'),
})
export type BatchChange = z.infer<typeof BatchChange>

export const Recipient = z
  .strictObject({
    row: z.int().min(1).meta({ description: 'Its place in the request, counted from 1.' }),
    recipient_id: Text.describe('Yours, or one that was made.'),
    to_phone_number: Text.describe('Who is called, as it was given.'),
    sandbox: z.boolean().describe('True: simulated, nobody is really called.'),
    name: Text.nullable().describe('Fills the placeholder {name}. null: none was given.'),
    timezone: Text.nullable().describe(
      'For the calling window, a name such as Europe/Paris. null: that of the window.',
    ),
    variables: Variables.describe("Values of the `{placeholders}` in the agent's texts, by name."),
    metadata: Open.describe('Yours, as it was given.'),
    status: RecipientStatus.describe('Where it stands, or the result of its last attempt.'),
    attempts: z.int().min(0).meta({ description: 'How many times it was called, this time included.' }),
    session_id: Id.nullable().meta({
      description: 'The call of the last attempt; `getCall` reads it. null: there was none.',
    }),
    duration: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Seconds that the last call lasted. null: there was none, or it has not ended.' }),
    hangup_reason: HangupReason.nullable().describe(
      'Why the last call ended. null: there was none, or it has not ended.',
    ),
    next_attempt_at: Timestamp.nullable().meta({
      description:
        'It waits at least until then; the calling window may make it later. null: it does not wait.',
    }),
    updated_at: Timestamp.nullable().describe('When it last changed. null: not since it was stored.'),
  })
  .meta({ id: 'Recipient', description: 'Somebody whom a batch calls.' })
export type Recipient = z.infer<typeof Recipient>

/** The `data` of the events `progress` and `ended` of a batch that is watched. */
export const BatchProgress = z.strictObject({
  status: BatchStatus,
  status_reason: Text.nullable(),
  resumes_at: Timestamp.nullable(),
  recipient_count: count(),
  counts: RecipientCounts,
})
export type BatchProgress = z.infer<typeof BatchProgress>

/** The event as the client library passes it on. */
export interface BatchEvent {
  id: number
  type: 'progress' | 'ended'
  at: string
  data: BatchProgress
}
