// The operations on batches.
import { z } from 'zod'
import { type Address, voiceAddresses } from './addresses.ts'
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
import { operation } from './operation.ts'
import { PageQuery, pageOf } from './pagination.ts'
import { Id, Text } from './words.ts'

const ById = z.strictObject({ id: Id.meta({ description: 'The batch_id that createBatch answered with.' }) })
const tag = 'Batch calls'

const created = {
  batch_id: '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60',
  name: 'Reminders',
  agent_id: '4b0c2f86-4f0e-4a33-9d2c-0d2f3c1a7e55',
  status: 'created',
  recipient_count: 1,
  schedule_id: null,
  schedule_time: null,
}

export const createBatch = operation({
  ...voiceAddresses.createBatch,
  tag,
  summary:
    'Store up to 100,000 recipients; with schedule_time they are called from then on, without it when the batch is executed',
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
    data: created,
  },
})

export const listBatches = operation({
  ...voiceAddresses.listBatches,
  tag,
  summary: 'List the batches of the workspace, newest first',
  query: PageQuery.extend({ status: BatchStatus.optional(), agent_id: Id.optional() }),
  data: pageOf(BatchSummary),
})

export const getBatch = operation({
  ...voiceAddresses.getBatch,
  tag,
  summary: 'Read one batch, with how many recipients are in which state now',
  params: ById,
  data: BatchDetail,
})

export const updateBatch = operation({
  ...voiceAddresses.updateBatch,
  tag,
  summary: 'Change when and how fast a batch calls; a start that is over cannot be moved',
  params: ById,
  body: BatchChange,
  data: BatchDetail,
  example: { body: { max_concurrency: 5 } },
})

export const deleteBatch = operation({
  ...voiceAddresses.deleteBatch,
  tag,
  summary: 'Remove a batch that is not under way, with its recipients; the records of its calls stay',
  params: ById,
  data: z.strictObject({ batch_id: Id, deleted: z.literal(true) }),
})

export const listRecipients = operation({
  ...voiceAddresses.listRecipients,
  tag,
  summary: 'The recipients of a batch in the order of the request, each with its state and its last call',
  params: ById,
  query: PageQuery.extend({ status: RecipientStatus.optional() }),
  data: pageOf(Recipient),
})

const Done = z.strictObject({ status: z.literal('success'), message: Text })

const command = (address: Address<string, string, 'POST'>, summary: string, message: string) =>
  operation({
    ...address,
    tag,
    summary,
    params: ById,
    answers: 'bare',
    data: Done,
    example: { data: { status: 'success', message } },
  })

export const executeBatch = command(
  voiceAddresses.executeBatch,
  'Start calling now; also one that is scheduled for later',
  'The batch has started.',
)
export const pauseBatch = command(
  voiceAddresses.pauseBatch,
  'Begin no further calls; those under way go on to their end',
  'The batch is paused.',
)
export const resumeBatch = command(
  voiceAddresses.resumeBatch,
  'Go on exactly where it was paused',
  'The batch goes on.',
)
export const cancelBatch = command(
  voiceAddresses.cancelBatch,
  'Stop for good; calls under way go on to their end, everybody else is not called any more',
  'The batch is cancelled.',
)

export const watchBatch = operation({
  ...voiceAddresses.watchBatch,
  tag,
  summary:
    'Watch a batch live: progress events with the counts, first as they are and then as they change, once a second at most; then ended',
  params: ById,
  answers: 'event-stream',
  data: Text,
  example: {
    data: 'id: 1\nevent: progress\ndata: {"at":"2026-01-31T09:30:00.000Z","status":"in_progress", …}\n\n',
  },
})

export const getBatchResults = operation({
  ...voiceAddresses.getBatchResults,
  tag,
  summary: 'Every recipient as a line of CSV, with what came of its last call',
  params: ById,
  answers: 'csv',
  data: Text,
  example: {
    data: 'row,recipient_id,to_phone_number,name,status,attempts\r\n1,a,+15550100,Ada,completed,1\r\n',
  },
})
