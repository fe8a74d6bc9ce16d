// call.completed: the one event there is, exactly as it is sent.
import { z } from 'zod'
import { Id, Open, Text, Timestamp } from './words.ts'

export const eventNames = ['call.completed'] as const

/** The analysis of a finished call. Null: it was not asked for, or it failed. */
export const Analytics = z.strictObject({
  summary: Text.nullable(),
  sentiment: Open.nullable().meta({ description: 'label, score from -1 to 1, and reason.' }),
  disposition: Open.nullable().meta({ description: 'By field_name: matched, reason and action.' }),
  data_extraction: Open.nullable().meta({ description: 'By field_name: a value of its type, or null.' }),
})
export type Analytics = z.infer<typeof Analytics>

/** What the event says of a call. The detail of the call has the same fields. */
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
  analytics: Analytics,
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
