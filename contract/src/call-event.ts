// What is told of a call while it lives: the `data` of a server-sent event, by the event's name.
import { z } from 'zod'
import { CallStatus, LatencyOfTurn, TranscriptLine } from './call.ts'
import { Analytics } from './event.ts'
import { Text, type Timestamp } from './words.ts'

export const callEvents = {
  status: z.strictObject({ call_status: CallStatus }),
  /** The next one of the same role replaces it. Only while the call lives. */
  partial: z.strictObject({ role: z.enum(['agent', 'user']), text: Text }),
  transcript: TranscriptLine,
  latency: LatencyOfTurn,
  tool: z.strictObject({
    name: Text,
    phase: z.enum(['started', 'finished', 'failed', 'discarded']),
    detail: Text.nullable(),
  }),
  note: z.strictObject({ note: Text }),
  /** The last one, unless it says that the analysis follows. */
  ended: z.strictObject({
    call_status: CallStatus,
    call_terminated_by: Text.nullable(),
    hangup_reason: Text.nullable(),
    duration: z.number().nullable(),
    analysis_follows: z.boolean(),
  }),
  analysis: Analytics,
} as const

export type CallEventName = keyof typeof callEvents

export type CallEventData<Name extends CallEventName = CallEventName> = z.infer<(typeof callEvents)[Name]>

/** As a client library hands it on. */
export type CallEvent = {
  [Name in CallEventName]: {
    id: number
    type: Name
    at: z.infer<typeof Timestamp>
    data: CallEventData<Name>
  }
}[CallEventName]
