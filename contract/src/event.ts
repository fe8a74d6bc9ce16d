// The event call.completed, the only one there is, exactly as it is sent.
import { z } from 'zod'
import { Quality } from './agents/quality.ts'
import { Id, Open, Text, Timestamp } from './words.ts'

export const eventNames = ['call.completed'] as const

/** The analysis of a finished call. Null: it was not asked for, or it failed. */
export const Analytics = z
  .strictObject({
    summary: Text.nullable().describe(
      'What the call was about. null: not asked for, not ready, or it failed.',
    ),
    sentiment: Open.nullable().meta({
      description:
        '`label` (positive, neutral or negative), `score` from -1 to 1, and `reason`. null as above.',
    }),
    disposition: Open.nullable().meta({
      description: 'By `field_name`: `matched`, `reason` and `action`. null as above.',
    }),
    data_extraction: Open.nullable().meta({
      description: 'By `field_name`: a value of its type, or null. null as above.',
    }),
  })
  .describe('What was found out after the call.')
export type Analytics = z.infer<typeof Analytics>

/** The analysis as a call's record has it; the event has only what the specification names. */
export const CallAnalytics = Analytics.extend({
  reasons: z
    .record(Text, Text)
    .nullable()
    .describe(
      'Why values are null, in one sentence each: by `summary`, `sentiment` and `data_extraction.<field_name>`. null: none is, or there is no analysis.',
    ),
  qa: Quality.nullable().describe('The score by the rubric of the agent. null: it has none, or not ready.'),
}).describe('What was found out after the call.')
export type CallAnalytics = z.infer<typeof CallAnalytics>

/** The fields of the event that describe a call. The detail of the call has the same fields. */
export const callCompletedData = {
  session_id: Text.describe('Names the call; `getCall` reads it.'),
  agent_id: Id.describe('The agent that spoke.'),
  call_status: Text.nullable().describe(
    'How the call ended: completed, busy, no-answer, failed or canceled. The event alone does not say that anybody answered.',
  ),
  to_phone_number: Text.nullable().describe('Who was called. null: a call in a browser.'),
  call_type: Text.nullable().describe('outbound, inbound or web.'),
  duration: z.number().nullable().describe('Seconds from the answer to the end; 0 if nobody answered.'),
  call_sid: Text.nullable().describe(
    "The carrier's own id of the call. null: it was never dialled, or the carrier gives none.",
  ),
  call_initiated_time: Timestamp.nullable().describe('When it was dialled. null: it never was.'),
  call_completed_time: Timestamp.nullable().describe('When it ended. null: it has not.'),
  call_terminated_by: Text.nullable().describe(
    'Who ended it: user, agent, system, carrier, api or transfer.',
  ),
  transcript: z.unknown().describe('What was said, as lines with times. null: there was no conversation.'),
  recording: z
    .strictObject({
      url: Text.nullable().describe(
        'A signed address that needs no key: a stereo WAV, the caller left and the agent right. null: none, or not ready.',
      ),
      expiry: Timestamp.nullable().describe('Until when that address works. null: there is none.'),
    })
    .describe('The sound of the call.'),
  analytics: Analytics.describe('What was found out after the call, as far as it is ready.'),
}

export const CallCompleted = z
  .strictObject({
    id: Id.meta({
      description:
        'The same in every attempt and at every endpoint; deduplicate by X-Svc-Webhook-Id and this.',
    }),
    type: z.literal('call.completed').describe('The only event there is.'),
    created_at: Timestamp.meta({
      description: 'When the snapshot was prepared, 45 seconds after the end of the call by default.',
    }),
    data: z.strictObject(callCompletedData).describe('The call as it was at that moment.'),
  })
  .meta({ id: 'CallCompleted', description: 'The event of a finished call, as it is delivered to webhooks.' })

export type CallCompleted = z.infer<typeof CallCompleted>
