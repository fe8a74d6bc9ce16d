// The operations on calls.
import { z } from 'zod'
import { voiceAddresses } from './addresses.ts'
import { CallDetail, CallSummary, NewCall, PlacedCall } from './call.ts'
import { CallsQuery } from './call-filter.ts'
import { exampleIds, exampleTimes, onePage } from './example-values.ts'
import { operation } from './operation.ts'
import { pageOf } from './pagination.ts'
import { Id, Text, Timestamp } from './words.ts'

const BySession = z.strictObject({
  session_id: Id.describe('The session_id that `placeCall` or `startWebCall` answered with.'),
})
const tag = 'Calls'

const placed = {
  session_id: exampleIds.call,
  agent_id: exampleIds.agent,
  call_status: 'queued',
  call_type: 'outbound',
  to_phone_number: '+15550100',
  from_phone_number: null,
  schedule_time: null,
}

const ended = {
  provider: 'sandbox',
  sandbox: true,
  batch_id: null,
  recipient_id: null,
  duration: 71.5,
  call_initiated_time: exampleTimes.begun,
  call_completed_time: exampleTimes.ended,
  call_terminated_by: 'user',
  hangup_reason: 'user_hangup',
  created_at: exampleTimes.created,
  updated_at: exampleTimes.ended,
}

const answered = { endpointing: 512, stt: 120, llm: 180, tts: 95, total: 790 }

const detail = {
  ...placed,
  ...ended,
  call_status: 'completed',
  call_sid: 'sandbox-0198b1f2',
  transcript: [
    {
      turn: 0,
      role: 'agent',
      content: 'Hello, this is Maple Dental. How can I help?',
      start_time: 0.2,
      end_time: 3.1,
      interrupted: false,
    },
    {
      turn: 1,
      role: 'user',
      content: 'I would like to come in on Monday.',
      start_time: 3.8,
      end_time: 5.6,
      interrupted: false,
    },
  ],
  recording: {
    url: 'https://voice.example.com/recordings/0198b1f2.wav?…',
    expiry: '2026-02-07T09:32:00.000Z',
  },
  analytics: {
    summary: 'Ada asked for an appointment on Monday.',
    sentiment: null,
    disposition: null,
    data_extraction: { day: 'Monday' },
  },
  variables: { name: 'Ada' },
  metadata: {},
  answered_by: 'human',
  error_message: null,
  transfer: null,
  line: { codec: 'L16/16000', cause: null, quality: null },
  latency: { turns: [{ turn: 1, ...answered }], p50: answered, p95: answered },
  usage: { stt_seconds: 71.5, llm_input_tokens: 412, llm_output_tokens: 96, tts_characters: 388 },
  engines: [
    {
      part: 'transcriber',
      asked: 'deepgram',
      used: 'moonshine',
      why: 'No credentials for deepgram are configured here, so the offline recognizer is used.',
    },
  ],
}

export const placeCall = operation({
  ...voiceAddresses.placeCall,
  tag,
  summary: 'Let an agent call somebody, now or at a given time',
  description:
    'Queues a call, which begins as soon as the workspace and the number have room, or at `schedule_time`. The answer does not wait for it: follow it with `watchCall`, read it with `getCall`, or receive the event call.completed at a webhook. The same Idempotency-Key always names the same call, so a repeated request does not call twice.',
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
  description:
    'Calls of every kind, without their transcripts; `getCall` reads one of them whole. Filters are combined: a call has to fit all of them.',
  query: CallsQuery,
  data: pageOf(CallSummary),
  example: {
    query: { call_status: 'completed', limit: 20 },
    data: onePage({ ...placed, ...ended, call_status: 'completed' }),
  },
})

export const getCall = operation({
  ...voiceAddresses.getCall,
  tag,
  summary: 'Read everything about one call',
  description:
    'While the call lasts and for as long as its record is kept: status, transcript, recording, analysis, latencies of every answer, and which engines did the work. `recording.url` is signed afresh every time. The analysis arrives after the end; until then its values are null.',
  params: BySession,
  data: CallDetail,
  example: { params: { session_id: exampleIds.call }, data: detail },
})

export const stopCall = operation({
  ...voiceAddresses.stopCall,
  tag,
  summary: 'End a call',
  description:
    'A call that waits is cancelled at once; one that is under way is hung up shortly after, and the answer shows the status it had. Its event is published as after any other end. A call that has ended already, or is being stopped, is refused with CALL_STATE_CONFLICT.',
  params: BySession,
  data: PlacedCall,
  example: { params: { session_id: exampleIds.call }, data: { ...placed, call_status: 'canceled' } },
})

export const watchCall = operation({
  ...voiceAddresses.watchCall,
  tag,
  summary: 'Watch a call live',
  description:
    'Server-sent events from the start of the call, then as they happen, whichever process runs it: `status`, `partial` (replaced by the next of the same role), `transcript`, `latency`, `tool`, `note`, then `ended`, and `analysis` if `ended` says `analysis_follows`; after that the stream ends. Each has an `id`: a reader that was cut off sends it as Last-Event-ID and misses nothing. The [guide](/docs/guide/calls) lists the data of every event.',
  params: BySession,
  answers: 'event-stream',
  data: Text.describe('Server-sent events: lines `id`, `event` and `data`, whose `data` is JSON.'),
  example: {
    params: { session_id: exampleIds.call },
    data: 'id: 1\nevent: status\ndata: {"at":"2026-01-31T09:30:00.000Z","call_status":"queued","sandbox":true}\n\n',
  },
})

const SipMessage = z
  .strictObject({
    at: Timestamp.describe('When it was sent or received.'),
    direction: z.enum(['in', 'out']).describe('in: from the other side; out: from us.'),
    transport: z.enum(['udp', 'tcp', 'tls']).describe('How it travelled.'),
    peer: Text.describe('Address and port of the other side.'),
    text: Text.describe('The whole message. Passwords, keys and the headers of the trunk are removed.'),
  })
  .meta({ id: 'SipMessage', description: 'One message of the signalling of a call.' })

export const CallSip = z
  .strictObject({
    messages: z.array(SipMessage).max(100).describe('The first hundred, oldest first.'),
    left_out: z.int().min(0).describe('How many more there were.'),
  })
  .meta({ id: 'CallSip', description: 'What a telephone call and its trunk said to each other.' })
export type CallSip = z.infer<typeof CallSip>

export const getCallSip = operation({
  ...voiceAddresses.getCallSip,
  tag,
  summary: 'Read the SIP messages of a telephone call',
  description:
    'What a carrier asks for when a call did not go through: every message that was sent and received, in order. They are stored two seconds after the end of the call; before that, and for a call that was not made over SIP, the list is empty.',
  params: BySession,
  data: CallSip,
  example: {
    params: { session_id: exampleIds.call },
    data: {
      messages: [
        {
          at: exampleTimes.begun,
          direction: 'out',
          transport: 'udp',
          peer: '192.0.2.10:5060',
          text: 'INVITE sip:+15550100@sip.example.com SIP/2.0\r\n…',
        },
      ],
      left_out: 0,
    },
  },
})
