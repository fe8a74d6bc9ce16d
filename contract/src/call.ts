// A call: how it is requested, and how it is read while it runs and afterwards.
import { z } from 'zod'
import { callCompletedData } from './event.ts'
import { Id, Open, Text, Timestamp } from './words.ts'

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

const HangupReason = z.enum([
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
  'api_stopped',
  'llm_error',
  'stt_error',
  'tts_error',
  'telephony_error',
  'worker_lost',
])

export const PhoneNumber = z
  .string()
  .max(16)
  .regex(/^\+[1-9][0-9]{2,14}$/, 'A telephone number in E.164 form, as in +15550100.')

const SipUri = z
  .string()
  .max(320)
  .regex(
    /^sips?:[A-Za-z0-9._~%+-]{1,64}@[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$/,
    'A SIP address, as in sip:ada@example.com.',
  )

/** What can be called: a number in E.164 form or a SIP address. */
export const CallTarget = z
  .union([PhoneNumber, SipUri], 'Must be a number in E.164 form, such as +15550100, or a sip: address.')
  .meta({ description: 'E.164, or a sip: address.' })

/** The values of the `{placeholders}` in the agent's texts. */
export const Variables = z.record(Text, z.union([Text, z.number(), z.boolean()]))

export const NewCall = z
  .strictObject({
    agent_id: Id,
    to_phone_number: CallTarget,
    from_phone_number: PhoneNumber.nullish().meta({
      description: 'E.164. Not together with phone_number_id.',
    }),
    phone_number_id: Id.nullish(),
    variables: Variables.optional(),
    metadata: Open.optional(),
    schedule_time: Timestamp.nullish().meta({
      description: 'RFC 3339 with an offset, in the future. Left out: as soon as there is room.',
    }),
    agent_overrides: z
      .strictObject({
        agent_welcome_message: Text.optional(),
        agent_prompt: Text.optional(),
        language: Text.optional(),
      })
      .optional(),
  })
  .refine((call) => call.from_phone_number == null || call.phone_number_id == null, {
    path: ['phone_number_id'],
    error: 'Give from_phone_number or phone_number_id, not both.',
  })
export type NewCall = z.infer<typeof NewCall>

const whoAndWhere = {
  session_id: Id,
  agent_id: Id,
  call_status: CallStatus,
  call_type: CallDirection,
  to_phone_number: Text.nullable(),
  from_phone_number: Text.nullable(),
}

export const PlacedCall = z.strictObject({ ...whoAndWhere, schedule_time: Timestamp.nullable() })
export type PlacedCall = z.infer<typeof PlacedCall>

const carriedBy = {
  provider: Text.nullable().meta({
    description: 'The carrier of the call; null while a browser is awaited.',
  }),
  sandbox: z.boolean().meta({ description: 'True: simulated, nobody is really called.' }),
}

export const CallSummary = z
  .strictObject({
    ...whoAndWhere,
    ...carriedBy,
    batch_id: Id.nullable(),
    recipient_id: Text.nullable(),
    schedule_time: Timestamp.nullable(),
    duration: z.number().min(0).nullable(),
    call_initiated_time: Timestamp.nullable(),
    call_completed_time: Timestamp.nullable(),
    call_terminated_by: Text.nullable(),
    hangup_reason: HangupReason.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Call' })
export type CallSummary = z.infer<typeof CallSummary>

/** Seconds from the answer. */
export const TranscriptLine = z
  .strictObject({
    turn: z.int().min(0),
    role: z.enum(['agent', 'user', 'tool']),
    content: Text,
    start_time: z.number(),
    end_time: z.number(),
    interrupted: z.boolean(),
    node_id: Text.optional(),
    tool: z.strictObject({ name: Text, arguments: z.unknown() }).optional(),
  })
  .meta({ id: 'TranscriptLine' })
export type TranscriptLine = z.infer<typeof TranscriptLine>

const milliseconds = () => z.number().min(0).nullable()
const parts = {
  endpointing: milliseconds(),
  stt: milliseconds(),
  llm: milliseconds(),
  tts: milliseconds(),
  total: milliseconds(),
}
const LatencyParts = z.strictObject(parts).meta({ id: 'LatencyParts' })
export type LatencyParts = z.infer<typeof LatencyParts>

export const LatencyOfTurn = z.strictObject({ turn: z.int().min(0), ...parts })
export type LatencyOfTurn = z.infer<typeof LatencyOfTurn>

// More turns than the longest call has.
const mostTurns = 100_000

const Latency = z
  .strictObject({ turns: z.array(LatencyOfTurn).max(mostTurns), p50: LatencyParts, p95: LatencyParts })
  .meta({
    id: 'Latency',
    description: "Milliseconds from the caller's last sound to the agent's first, part by part.",
  })
export type Latency = z.infer<typeof Latency>

const Usage = z.strictObject({
  stt_seconds: z.number().min(0),
  llm_input_tokens: z.int().min(0),
  llm_output_tokens: z.int().min(0),
  tts_characters: z.int().min(0),
})
export type Usage = z.infer<typeof Usage>

const Engine = z.strictObject({
  part: z.enum(['transcriber', 'synthesizer', 'language-model', 'analysis']),
  asked: Text.nullable(),
  used: Text,
  why: Text.nullable().meta({ description: 'Why another engine than the one asked for did the work.' }),
})
export type Engine = z.infer<typeof Engine>

const CallLine = z
  .strictObject({
    codec: Text.nullable().meta({ description: 'As in SDP: PCMU/8000. Null: never answered.' }),
    cause: z
      .strictObject({ protocol: Text, code: Text, text: Text })
      .nullable()
      .meta({ description: 'How the carrier itself put the end: q850, 17, User busy. Null: it was ours.' }),
  })
  .meta({ id: 'CallLine' })
export type CallLine = z.infer<typeof CallLine>

const CallTransfer = z
  .strictObject({
    to: Text,
    mode: z.enum(['blind', 'bridged']),
    result: z.enum(['completed', 'bridged', 'failed']),
    reason: Text.nullable(),
  })
  .meta({ id: 'CallTransfer', description: 'The last transfer that was tried.' })
export type CallTransfer = z.infer<typeof CallTransfer>

export const CallDetail = z
  .strictObject({
    ...callCompletedData,
    ...whoAndWhere,
    ...carriedBy,
    transcript: z.array(TranscriptLine).max(mostTurns).nullable(),
    batch_id: Id.nullable(),
    recipient_id: Text.nullable(),
    schedule_time: Timestamp.nullable(),
    variables: Variables,
    metadata: Open,
    answered_by: z.enum(['human', 'voicemail', 'unknown']).nullable(),
    hangup_reason: HangupReason.nullable(),
    error_message: Text.nullable(),
    transfer: CallTransfer.nullable(),
    line: CallLine.nullable(),
    latency: Latency,
    usage: Usage.nullable(),
    engines: z.array(Engine).max(100),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'CallDetail' })
export type CallDetail = z.infer<typeof CallDetail>
