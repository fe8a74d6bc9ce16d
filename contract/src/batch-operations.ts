// The operations on batches.
import { z } from 'zod'
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
  id: 'createBatch',
  method: 'POST',
  path: '/batch-calls',
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
  id: 'listBatches',
  method: 'GET',
  path: '/batch-calls',
  tag,
  summary: 'List the batches of the workspace, newest first',
  query: PageQuery.extend({ status: BatchStatus.optional(), agent_id: Id.optional() }),
  data: pageOf(BatchSummary),
})

export const getBatch = operation({
  id: 'getBatch',
  method: 'GET',
  path: '/batch-calls/{id}',
  tag,
  summary: 'Read one batch, with how many recipients are in which state now',
  params: ById,
  data: BatchDetail,
})

export const updateBatch = operation({
  id: 'updateBatch',
  method: 'PATCH',
  path: '/batch-calls/{id}',
  tag,
  summary: 'Change when and how fast a batch calls; a start that is over cannot be moved',
  params: ById,
  body: BatchChange,
  data: BatchDetail,
  example: { body: { max_concurrency: 5 } },
})

export const deleteBatch = operation({
  id: 'deleteBatch',
  method: 'DELETE',
  path: '/batch-calls/{id}',
  tag,
  summary: 'Remove a batch that is not under way, with its recipients; the records of its calls stay',
  params: ById,
  data: z.strictObject({ batch_id: Id, deleted: z.literal(true) }),
})

export const listRecipients = operation({
  id: 'listRecipients',
  method: 'GET',
  path: '/batch-calls/{id}/recipients',
  tag,
  summary: 'The recipients of a batch in the order of the request, each with its state and its last call',
  params: ById,
  query: PageQuery.extend({ status: RecipientStatus.optional() }),
  data: pageOf(Recipient),
})

const Done = z.strictObject({ status: z.literal('success'), message: Text })

const command = <Verb extends string>(verb: Verb, summary: string, message: string) =>
  operation({
    id: `${verb}Batch`,
    method: 'POST',
    path: `/batch-calls/{id}/${verb}`,
    tag,
    summary,
    params: ById,
    answers: 'bare',
    data: Done,
    example: { data: { status: 'success', message } },
  })

export const executeBatch = command(
  'execute',
  'Start calling now; also one that is scheduled for later',
  'The batch has started.',
)
export const pauseBatch = command(
  'pause',
  'Begin no further calls; those under way go on to their end',
  'The batch is paused.',
)
export const resumeBatch = command('resume', 'Go on exactly where it was paused', 'The batch goes on.')
export const cancelBatch = command(
  'cancel',
  'Stop for good; calls under way go on to their end, everybody else is not called any more',
  'The batch is cancelled.',
)

export const watchBatch = operation({
  id: 'watchBatch',
  method: 'GET',
  path: '/batch-calls/{id}/events',
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
  id: 'getBatchResults',
  method: 'GET',
  path: '/batch-calls/{id}/results.csv',
  tag,
  summary: 'Every recipient as a line of CSV, with what came of its last call',
  params: ById,
  answers: 'csv',
  data: Text,
  example: {
    data: 'row,recipient_id,to_phone_number,name,status,attempts\r\n1,a,+15550100,Ada,completed,1\r\n',
  },
})
