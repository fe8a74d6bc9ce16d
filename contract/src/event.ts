// call.completed: the one event there is, exactly as it is sent.
import { z } from 'zod'
import { Id, Open, Text, Timestamp } from './words.ts'

export const eventNames = ['call.completed'] as const

/** What is told of a call, and stands in its detail by the same names. */
export const callCompletedData = {
  session_id: Text,
  agent_id: Id,
  call_status: Text.nullable(),
  to_phone_number: Text.nullable(),
  call_type: Text.nullable(),
  duration: z.number().nullable(),
  call_sid: Text.nullable(),
  call_initiated_time: Timestamp.nullable(),
  call_completed_time: Timestamp.nullable(),
  call_terminated_by: Text.nullable(),
  transcript: z.unknown(),
  recording: z.strictObject({ url: Text.nullable(), expiry: Timestamp.nullable() }),
  analytics: z.strictObject({
    summary: Text.nullable(),
    sentiment: Open.nullable(),
    disposition: Open.nullable(),
    data_extraction: Open.nullable(),
  }),
}

export const CallCompleted = z
  .strictObject({
    id: Id.meta({ description: 'Deduplicate by X-Svc-Webhook-Id and this.' }),
    type: z.literal('call.completed'),
    created_at: Timestamp.meta({ description: 'When the snapshot was prepared.' }),
    data: z.strictObject(callCompletedData),
  })
  .meta({ id: 'CallCompleted' })

export type CallCompleted = z.infer<typeof CallCompleted>
