// The live events of a call: the `data` of each server-sent event, by the event's name.
import { z } from 'zod'
import { CallAnalytics } from '../event.ts'
import { Text, type Timestamp } from '../words.ts'
import { CallStatus } from './call.ts'
import { LatencyOfTurn, TranscriptLine } from './call-record.ts'

const Sandbox = z.boolean().optional().meta({
  description: 'True: simulated, nobody is really called. In the first event of a call and in the last.',
})

export const callEvents = {
  status: z.strictObject({ call_status: CallStatus, sandbox: Sandbox }),
  /** Words that are not final: the next `partial` of the same role replaces them. Sent only while the call is running. */
  partial: z.strictObject({ role: z.enum(['agent', 'user']), text: Text }),
  transcript: TranscriptLine,
  latency: LatencyOfTurn,
  tool: z.strictObject({
    name: Text,
    phase: z.enum(['started', 'finished', 'failed', 'discarded']),
    detail: Text.nullable(),
  }),
  /** The node to which a graph_agent has come, sent when the words that are said there, or next, begin to be heard. */
  node: z.strictObject({ node_id: Text }),
  /** Variables that a tool has saved. */
  variables: z.strictObject({ variables: z.record(Text, Text) }),
  note: z.strictObject({ note: Text }),
  /** The last event, unless `analysis_follows`. */
  ended: z.strictObject({
    call_status: CallStatus,
    call_terminated_by: Text.nullable(),
    hangup_reason: Text.nullable(),
    duration: z.number().nullable(),
    sandbox: Sandbox,
    analysis_follows: z.boolean(),
  }),
  analysis: CallAnalytics,
} as const

export type CallEventName = keyof typeof callEvents

export type CallEventData<Name extends CallEventName = CallEventName> = z.infer<(typeof callEvents)[Name]>

/** The event as the client library passes it on. */
export type CallEvent = {
  [Name in CallEventName]: {
    id: number
    type: Name
    at: z.infer<typeof Timestamp>
    data: CallEventData<Name>
  }
}[CallEventName]
