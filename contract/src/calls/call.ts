// A call: how it is requested, and how it is read while it runs and afterwards.
import { z } from 'zod'
import { CallAnalytics, callCompletedData } from '../event.ts'
import {
  noTelephoneNumber,
  notCallable,
  sipAddressPattern,
  telephoneNumberPattern,
} from '../telephone-number.ts'
import { Id, listOf, Open, Text, Timestamp } from '../words.ts'
import { CallCost } from './call-cost.ts'
import { CallLine, CallTransfer, Engine, Latency, mostTurns, TranscriptLine, Usage } from './call-record.ts'

export const CallStatus = z.enum([
  'scheduled',
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
])
export type CallStatus = z.infer<typeof CallStatus>

export const CallDirection = z.enum(['outbound', 'inbound', 'web'])
export type CallDirection = z.infer<typeof CallDirection>

export const HangupReason = z.enum([
  'user_hangup',
  'agent_hangup',
  'end_call_tool',
  'inactivity_timeout',
  'max_duration_reached',
  'voicemail_detected',
  'transfer_completed',
  'dial_busy',
  'dial_no_answer',
  'dial_failed',
  'trunk_unreachable',
  'api_stopped',
  'llm_error',
  'stt_error',
  'tts_error',
  'telephony_error',
  'worker_lost',
])

export type HangupReason = z.infer<typeof HangupReason>

export const PhoneNumber = z
  .string()
  .max(16)
  .regex(telephoneNumberPattern, { error: ({ input }) => noTelephoneNumber(input) })

const SipUri = z
  .string()
  .max(320)
  .regex(sipAddressPattern, { error: ({ input }) => notCallable(input) })

/** What can be called: a number in E.164 form or a SIP address. */
export const CallTarget = z
  .union([PhoneNumber, SipUri], { error: ({ input }) => notCallable(input) })
  .describe('Who is called: a number in E.164 form, or a sip: address.')

/** Variables that Parley sets in every call; neither a caller nor a tool can. */
export const systemVariables: readonly string[] = [
  'agent_id',
  'session_id',
  'from_phone_number',
  'to_phone_number',
  'current_date',
  'current_time',
  'timezone',
]

/** The values of the `{placeholders}` in the agent's texts. */
export const Variables = z
  .record(Text, z.union([Text, z.number(), z.boolean()]))
  .describe("Values of the `{placeholders}` in the agent's texts, by name.")

export const NewCall = z
  .strictObject({
    agent_id: Id.describe('The agent that calls; it must be active.'),
    to_phone_number: CallTarget,
    from_phone_number: PhoneNumber.nullish().meta({
      description:
        'The number to call from, in E.164 form: one of this workspace’s own, or any in a simulated call; not together with `phone_number_id`. Left out: that of the agent, else the oldest of the workspace.',
    }),
    phone_number_id: Id.nullish().describe(
      'The stored number to call from, see `createPhoneNumber`. Left out: that of the agent, else the oldest of the workspace.',
    ),
    variables: Variables.optional().describe(
      "Values of the `{placeholders}` in the agent's texts, by name; one without a value is left out of its sentence. Left out: none.",
    ),
    metadata: Open.optional().describe(
      'Yours; kept and given back. `sandbox` in it scripts a simulated call. Left out: empty.',
    ),
    schedule_time: Timestamp.nullish().meta({
      description:
        'When to call, RFC 3339 with an offset, in the future; the agent is used as it is then. Left out: as soon as there is room.',
    }),
    agent_overrides: z
      .strictObject({
        agent_welcome_message: Text.optional().describe(
          "Instead of the agent's first words. Left out: the agent's own.",
        ),
        agent_prompt: Text.optional().describe(
          "Instead of the agent's instructions. Left out: the agent's own.",
        ),
        language: Text.optional().describe(
          "Instead of the agent's language, as a code such as `en`; one that no engine here speaks is refused with OPTION_NOT_SERVED. Left out: the agent's own.",
        ),
        ring_timeout_seconds: z
          .int()
          .min(5)
          .max(300)
          .optional()
          .describe(
            "Seconds after which an unanswered call is given up, instead of the agent's. Left out: the agent's own.",
          ),
      })
      .optional()
      .describe('Replaces parts of the agent for this call only. Left out: nothing.'),
  })
  .refine((call) => call.from_phone_number == null || call.phone_number_id == null, {
    path: ['phone_number_id'],
    error: 'Give from_phone_number or phone_number_id, not both.',
  })
export type NewCall = z.infer<typeof NewCall>

const whoAndWhere = {
  session_id: Id.describe('Names the call in every other request and in its event.'),
  agent_id: Id.describe('The agent that speaks.'),
  call_status: CallStatus.describe(
    'Where the call stands: scheduled, queued, initiated, ringing, in-progress, or how it ended.',
  ),
  call_type: CallDirection.describe('outbound: we called; inbound: we were called; web: a browser joined.'),
  to_phone_number: Text.nullable().describe('Who is called, as it was given. null: a call in a browser.'),
  from_phone_number: Text.nullable().describe('The number that calls. null: none was given.'),
}

export const PlacedCall = z.strictObject({
  ...whoAndWhere,
  schedule_time: Timestamp.nullable().describe('When it is to begin. null: as soon as there is room.'),
})
export type PlacedCall = z.infer<typeof PlacedCall>

const agentVersion = z
  .int()
  .min(1)
  .nullable()
  .describe(
    'The version of the agent that the call was made with, counted from 1, see `listAgentVersions`. null: it has not begun, or is from before versions were kept.',
  )

const carriedBy = {
  provider: Text.nullable().meta({
    description: 'The carrier of the call, such as sandbox or browser. null: a browser is awaited.',
  }),
  sandbox: z.boolean().meta({ description: 'True: simulated, nobody is really called.' }),
  draft: z.boolean().meta({
    description: 'True: somebody tried changes to the agent in the dashboard that were not saved.',
  }),
}

export const CallSummary = z
  .strictObject({
    ...whoAndWhere,
    agent_version: agentVersion,
    ...carriedBy,
    batch_id: Id.nullable().describe('The batch that it belongs to. null: none.'),
    recipient_id: Text.nullable().describe('The recipient of that batch. null: none.'),
    schedule_time: Timestamp.nullable().describe('When it was to begin. null: as soon as there was room.'),
    duration: z
      .number()
      .min(0)
      .nullable()
      .describe('Seconds from the answer to the end; 0 if nobody answered. null: it has not ended.'),
    call_initiated_time: Timestamp.nullable().describe('When it was dialled. null: not yet, or never.'),
    call_completed_time: Timestamp.nullable().describe('When it ended. null: it has not.'),
    call_terminated_by: Text.nullable().describe(
      'Who ended it: user, agent, system, carrier, api or transfer. null: it has not ended.',
    ),
    hangup_reason: HangupReason.nullable().describe('Why it ended. null: it has not.'),
    qa_score: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe('The score by the rubric of the agent, from 0 to 100. null: there is none.'),
    created_at: Timestamp.describe('When it was requested.'),
    updated_at: Timestamp.describe('When its record last changed.'),
  })
  .meta({ id: 'Call', description: 'A call as lists show it.' })
export type CallSummary = z.infer<typeof CallSummary>

const CallListener = z
  .strictObject({
    listener: Text.describe('Their name, or their e-mail address.'),
    began_at: Timestamp.describe('When they began to listen.'),
    seconds: z.number().min(0).describe('How many seconds they listened; until now, if they still do.'),
  })
  .meta({ id: 'CallListener', description: 'Somebody who listened in to a call.' })

export const CallDetail = z
  .strictObject({
    ...callCompletedData,
    ...whoAndWhere,
    agent_version: agentVersion,
    ...carriedBy,
    analytics: CallAnalytics.describe('What was found out after the call, as far as it is ready.'),
    transcript: z
      .array(TranscriptLine)
      .max(mostTurns)
      .nullable()
      .describe('What was said, line by line. null: there was no conversation.'),
    batch_id: Id.nullable().describe('The batch that it belongs to. null: none.'),
    recipient_id: Text.nullable().describe('The recipient of that batch. null: none.'),
    schedule_time: Timestamp.nullable().describe('When it was to begin. null: as soon as there was room.'),
    variables: Variables.describe('The values that the call was given.'),
    metadata: Open.describe('Yours, as it was given.'),
    answered_by: z
      .enum(['human', 'voicemail', 'ivr', 'screening', 'unavailable', 'unknown'])
      .nullable()
      .describe(
        'Who picked up, as far as it was noticed: a person, a voicemail box, a menu, a screening service, an announcement that nobody can be reached. null: nobody, or not yet.',
      ),
    hangup_reason: HangupReason.nullable().describe('Why it ended. null: it has not.'),
    error_message: Text.nullable().describe('What went wrong, in one sentence. null: nothing did.'),
    transfer: CallTransfer.nullable().describe('The last transfer that was tried. null: none was.'),
    line: CallLine.nullable().describe('The line that carried it. null: there was none.'),
    latency: Latency.describe('How long the answers to the caller took, in milliseconds.'),
    usage: Usage.nullable().describe('What it used of its engines. null: not known yet.'),
    cost: CallCost.nullable().describe(
      'What it cost. null: it has not ended, or ended before costs were kept.',
    ),
    engines: z
      .array(Engine)
      .max(100)
      .describe('Which engines did the work, and why not the ones that were asked for.'),
    listeners: listOf(CallListener).describe(
      'Who listened in to it from the dashboard, in order. Empty: nobody did.',
    ),
    created_at: Timestamp.describe('When it was requested.'),
    updated_at: Timestamp.describe('When its record last changed.'),
  })
  .meta({ id: 'CallDetail', description: 'Everything about one call.' })
export type CallDetail = z.infer<typeof CallDetail>
