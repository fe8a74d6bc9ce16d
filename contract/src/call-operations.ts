// The operations on calls.
import { z } from 'zod'
import { voiceAddresses } from './addresses.ts'
import { CallDetail, CallDirection, CallStatus, CallSummary, NewCall, PlacedCall } from './call.ts'
import { operation } from './operation.ts'
import { PageQuery, pageOf } from './pagination.ts'
import { Id, Text, Timestamp } from './words.ts'

const BySession = z.strictObject({
  session_id: Id.meta({ description: 'The session_id that placeCall answered with.' }),
})
const tag = 'Calls'

const placed = {
  session_id: '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60',
  agent_id: '4b0c2f86-4f0e-4a33-9d2c-0d2f3c1a7e55',
  call_status: 'queued',
  call_type: 'outbound',
  to_phone_number: '+15550100',
  from_phone_number: null,
  schedule_time: null,
}

export const placeCall = operation({
  ...voiceAddresses.placeCall,
  tag,
  summary: 'Let an agent call somebody, now or at a given time',
  body: NewCall,
  status: 201,
  data: PlacedCall,
  example: {
    body: { agent_id: placed.agent_id, to_phone_number: '+15550100', variables: { name: 'Ada' } },
    data: placed,
  },
})

export const listCalls = operation({
  ...voiceAddresses.listCalls,
  tag,
  summary: 'List the calls of the workspace, newest first',
  query: PageQuery.extend({
    agent_id: Id.optional(),
    batch_id: Id.optional(),
    call_status: CallStatus.optional(),
    call_type: CallDirection.optional(),
    from: Timestamp.optional().meta({
      description: 'Calls made at this time or later; RFC 3339 with an offset.',
    }),
    to: Timestamp.optional().meta({ description: 'Calls made before this time; RFC 3339 with an offset.' }),
  }),
  data: pageOf(CallSummary),
})

export const getCall = operation({
  ...voiceAddresses.getCall,
  tag,
  summary: 'Read everything about one call; the address of its recording is signed afresh every time',
  params: BySession,
  data: CallDetail,
})

export const stopCall = operation({
  ...voiceAddresses.stopCall,
  tag,
  summary: 'End a call: one that waits is cancelled at once, one that is under way is hung up shortly after',
  params: BySession,
  data: PlacedCall,
  example: { data: { ...placed, call_status: 'canceled' } },
})

export const watchCall = operation({
  ...voiceAddresses.watchCall,
  tag,
  summary:
    'Watch a call live: status, partial, transcript, latency, tool and note events from the start, then ended, and the analysis where the agent wants one; Last-Event-ID goes on where a watcher was cut off',
  params: BySession,
  answers: 'event-stream',
  data: Text,
  example: {
    data: 'id: 1\nevent: status\ndata: {"at":"2026-01-31T09:30:00.000Z","call_status":"queued","sandbox":true}\n\n',
  },
})
