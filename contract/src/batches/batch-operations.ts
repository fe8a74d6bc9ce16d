// The operations on batches.
import { z } from 'zod'
import { type Address, voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, Text } from '../words.ts'
import {
  BatchChange,
  BatchDetail,
  BatchStatus,
  BatchSummary,
  CreatedBatch,
  Recipient,
  RecipientStatus,
} from './batch.ts'
import { NewBatch, NewBatchForm } from './new-batch.ts'

const ById = z.strictObject({ id: Id.describe('The batch_id that `createBatch` answered with.') })
const tag = 'Batch calls'

const created = {
  batch_id: exampleIds.batch,
  name: 'Reminders',
  agent_id: exampleIds.agent,
  status: 'created',
  recipient_count: 1,
  schedule_id: null,
  schedule_time: null,
}

const listed = {
  ...created,
  status: 'in_progress',
  sandbox_count: 1,
  started_at: exampleTimes.begun,
  completed_at: null,
  created_at: exampleTimes.created,
  updated_at: exampleTimes.begun,
}

const counts = {
  pending: 0,
  in_progress: 1,
  completed: 0,
  'no-answer': 0,
  busy: 0,
  failed: 0,
  voicemail: 0,
  cancelled: 0,
  skipped: 0,
}

const detail = {
  ...listed,
  status_reason: null,
  resumes_at: null,
  counts,
  from_phone_number: null,
  max_concurrency: 5,
  calling_window: null,
  retry_config: null,
  metadata: {},
}

const byBatch = { params: { id: exampleIds.batch } }

export const createBatch = operation({
  ...voiceAddresses.createBatch,
  tag,
  summary: 'Store a list of recipients to call',
  description:
    'Up to 100,000 recipients, as JSON or as a CSV file in a form. Without `schedule_time` nobody is called before `executeBatch`; with it calling begins by itself. It is all or nothing: on any fault nothing is stored, and `details` names the first 100 faulty rows. See the [guide](/docs/guide/batches).',
  body: NewBatch,
  form: NewBatchForm,
  status: 201,
  data: CreatedBatch,
  example: {
    body: {
      name: created.name,
      agent_id: created.agent_id,
      recipients: [{ to_phone_number: '+15550100', variables: { name: 'Ada' } }],
    },
    form: { name: created.name, agent_id: created.agent_id },
    data: created,
  },
})

export const listBatches = operation({
  ...voiceAddresses.listBatches,
  tag,
  summary: 'List the batches of the workspace, newest first',
  description:
    'Batches in every state, without their counts; `getBatch` reads one of them with how far it is.',
  query: PageQuery.extend({
    status: BatchStatus.optional().describe('Only batches with this status. Left out: with any.'),
    agent_id: Id.optional().describe('Only batches of this agent. Left out: of all agents.'),
  }),
  data: pageOf(BatchSummary),
  example: { query: { status: 'in_progress', limit: 20 }, data: onePage(listed) },
})

export const getBatch = operation({
  ...voiceAddresses.getBatch,
  tag,
  summary: 'Read one batch',
  description:
    'Its settings, and how many recipients are in which state at this moment. `listRecipients` has the recipients themselves, and `watchBatch` tells of every change.',
  params: ById,
  data: BatchDetail,
  example: { ...byBatch, data: detail },
})

export const updateBatch = operation({
  ...voiceAddresses.updateBatch,
  tag,
  summary: 'Change when and how fast a batch calls',
  description:
    'Changes only the keys that are sent: `max_concurrency` and `calling_window` until the batch is over, `schedule_time` until it has started. In another state it is refused with BATCH_STATE_CONFLICT.',
  params: ById,
  body: BatchChange,
  data: BatchDetail,
  example: { ...byBatch, body: { max_concurrency: 5 }, data: detail },
})

export const deleteBatch = operation({
  ...voiceAddresses.deleteBatch,
  tag,
  summary: 'Remove a batch',
  description:
    'Removes a batch that is not under way, with its recipients; the records of its calls stay. One that is in progress or paused is refused with BATCH_STATE_CONFLICT: `cancelBatch` first.',
  params: ById,
  data: z.strictObject({
    batch_id: Id.describe('The batch that was removed.'),
    deleted: z.literal(true).describe('It is removed.'),
  }),
  example: { ...byBatch, data: { batch_id: exampleIds.batch, deleted: true } },
})

export const listRecipients = operation({
  ...voiceAddresses.listRecipients,
  tag,
  summary: 'List the recipients of a batch, in the order of the request',
  description:
    'Each with its state, how often it was called and the `session_id` of its last call, which `getCall` reads. Every attempt is a call of its own: `listCalls` with `batch_id` has all of them.',
  params: ById,
  query: PageQuery.extend({
    status: RecipientStatus.optional().describe('Only recipients with this status. Left out: with any.'),
  }),
  data: pageOf(Recipient),
  example: {
    ...byBatch,
    query: { status: 'no-answer' },
    data: onePage({
      row: 1,
      recipient_id: 'c-17',
      to_phone_number: '+15550102',
      sandbox: true,
      name: 'Ada',
      timezone: null,
      variables: { day: 'Monday' },
      metadata: {},
      status: 'no-answer',
      attempts: 2,
      session_id: exampleIds.call,
      duration: 42,
      hangup_reason: 'agent_hangup',
      next_attempt_at: null,
      updated_at: exampleTimes.later,
    }),
  },
})

const Done = z.strictObject({
  status: z.literal('success').describe('Tells a success from a refusal.'),
  message: Text.describe('What happened, in one sentence.'),
})

const command = (
  address: Address<string, string, 'POST'>,
  summary: string,
  message: string,
  description: string,
) =>
  operation({
    ...address,
    tag,
    summary,
    description,
    params: ById,
    answers: 'bare',
    data: Done,
    example: { ...byBatch, data: { status: 'success', message } },
  })

export const executeBatch = command(
  voiceAddresses.executeBatch,
  'Start calling now',
  'The batch has started.',
  'Starts a batch that was created or is scheduled for later; recipients are called within the calling window, as fast as the limits allow. In another state it is refused with BATCH_STATE_CONFLICT, and with AGENT_NOT_ACTIVE while its agent takes no calls. Follow it with `watchBatch`.',
)
export const pauseBatch = command(
  voiceAddresses.pauseBatch,
  'Begin no further calls',
  'The batch is paused; calls under way go on to their end.',
  'Within a second no further call begins; those under way go on to their end. Only a batch that is in progress can be paused, or one that waits for its trunk, which then no longer goes on by itself. `resumeBatch` goes on.',
)
export const resumeBatch = command(
  voiceAddresses.resumeBatch,
  'Go on where it was paused',
  'The batch goes on where it was paused.',
  'Calls the recipients that were not called yet; nobody is called twice because of a pause. Only a batch that is paused can be resumed, and its agent has to be active. One that waits for its trunk tries it at once, with one call.',
)
export const cancelBatch = command(
  voiceAddresses.cancelBatch,
  'Stop for good',
  'The batch is cancelled; calls under way go on to their end.',
  'Calls under way go on to their end, and everybody else becomes `cancelled`. It cannot be undone. A batch that is over already is refused with BATCH_STATE_CONFLICT.',
)

export const watchBatch = operation({
  ...voiceAddresses.watchBatch,
  tag,
  summary: 'Watch a batch live',
  description:
    'Server-sent events: `progress` with the status and the counts, at once and then when they have changed, once a second at most; finally `ended`, after which the stream ends. The same figures as in `getBatch`.',
  params: ById,
  answers: 'event-stream',
  data: Text.describe('Server-sent events: lines `id`, `event` and `data`, whose `data` is JSON.'),
  example: {
    ...byBatch,
    data: 'id: 1\nevent: progress\ndata: {"at":"2026-01-31T09:30:00.000Z","status":"in_progress", …}\n\n',
  },
})

export const getBatchResults = operation({
  ...voiceAddresses.getBatchResults,
  tag,
  summary: 'Read the results as CSV',
  description:
    'A header and a line for every recipient: its state, its attempts, and what came of its last call (`session_id`, `call_status`, `answered_by`, `hangup_reason`, `duration` in seconds, times, `error_message`), then its variables as JSON. It can be read at any time, also while the batch runs. Cells that a spreadsheet would take for a formula begin with an apostrophe.',
  params: ById,
  answers: 'csv',
  data: Text.describe('CSV as in RFC 4180, UTF-8, with a header.'),
  example: {
    ...byBatch,
    data: 'row,recipient_id,to_phone_number,name,status,attempts\r\n1,a,+15550100,Ada,completed,1\r\n',
  },
})
