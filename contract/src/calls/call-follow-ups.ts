// The operations on a call after its end: its deliveries, the sources of its answers, and links that show it to people without an
// account.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes } from '../example-values.ts'
import { operation } from '../operation.ts'
import { Delivery } from '../webhooks/webhook.ts'
import { Id, Text, Timestamp } from '../words.ts'
import { CallDetail } from './call.ts'

const BySession = z.strictObject({
  session_id: Id.describe('The session_id that `placeCall` or `startWebCall` answered with.'),
})
const tag = 'Calls'

export const listCallDeliveries = operation({
  ...voiceAddresses.listCallDeliveries,
  tag,
  summary: 'List the deliveries of the event of a call',
  description:
    'Which webhooks were told of the call, with every attempt, newest first; replays too. Empty until the event has been published, and for calls that no webhook is told of. Repeat one with `replayDelivery`.',
  params: BySession,
  data: z.strictObject({
    deliveries: z.array(Delivery).max(100).describe('At most the newest hundred.'),
  }),
  example: {
    params: { session_id: exampleIds.call },
    data: {
      deliveries: [
        {
          delivery_id: exampleIds.delivery,
          webhook_id: exampleIds.webhook,
          event_id: exampleIds.event,
          event: 'call.completed',
          session_id: exampleIds.call,
          status: 'delivered',
          test: false,
          http_status: 200,
          attempts: [
            {
              attempt: 1,
              attempted_at: exampleTimes.later,
              http_status: 200,
              latency_ms: 84,
              error: null,
              response_body: null,
            },
          ],
          next_attempt_at: null,
          created_at: exampleTimes.later,
          completed_at: exampleTimes.later,
        },
      ],
    },
  },
})

export const CallPassage = z
  .strictObject({
    chunk_id: Id.describe('The passage, as in the `sources` of the transcript.'),
    document_id: Id.describe('The document that it is from.'),
    repository_id: Id.describe('The repository of the document.'),
    title: Text.describe('The title of the document.'),
    heading: Text.nullable().describe('The headings above it, from the outermost. null: there are none.'),
    text: Text.describe('Its words.'),
  })
  .meta({ id: 'CallPassage', description: 'A passage that words of the agent in a call are based on.' })

export type CallPassage = z.infer<typeof CallPassage>

export const listCallPassages = operation({
  ...voiceAddresses.listCallPassages,
  tag,
  summary: 'Read the passages that the answers of a call are based on',
  description:
    'The words of the passages that `sources` of the transcript name. A passage whose document was deleted or indexed again since is left out.',
  params: BySession,
  data: z.strictObject({
    passages: z.array(CallPassage).max(1_000).describe('Each of them once, in no order.'),
  }),
  example: {
    params: { session_id: exampleIds.call },
    data: {
      passages: [
        {
          chunk_id: exampleIds.chunk,
          document_id: exampleIds.document,
          repository_id: exampleIds.repository,
          title: 'Opening hours',
          heading: null,
          text: 'We are open from nine to five, Monday to Friday.',
        },
      ],
    },
  },
})

export const shareCall = operation({
  ...voiceAddresses.shareCall,
  tag,
  summary: 'Make a link with which anybody can look at a call',
  description:
    'For somebody without an account: a page with the recording, the transcript and the analysis, without tools, variables, metadata and engines, until the link expires. It cannot be withdrawn earlier, so choose no longer than needed.',
  params: BySession,
  body: z.strictObject({
    hours: z
      .int()
      .min(1)
      .max(720)
      .optional()
      .describe('For how many hours the link works, at most 720. Left out: 24.'),
  }),
  status: 201,
  data: z.strictObject({
    url: Text.describe('The page. Whoever has this address can see the call.'),
    expires_at: Timestamp.describe('Until when it works.'),
  }),
  example: {
    params: { session_id: exampleIds.call },
    body: { hours: 48 },
    data: {
      url: `https://voice.example.com/shared/${exampleIds.call}?expires=…&signature=…`,
      expires_at: exampleTimes.later,
    },
  },
})

/** What a shared page shows of a call. */
export const SharedCall = CallDetail.pick({
  session_id: true,
  call_status: true,
  call_type: true,
  to_phone_number: true,
  from_phone_number: true,
  duration: true,
  call_initiated_time: true,
  call_completed_time: true,
  call_terminated_by: true,
  hangup_reason: true,
  transcript: true,
  recording: true,
  analytics: true,
  sandbox: true,
  created_at: true,
}).extend({
  agent_name: Text.nullable().describe('The name of the agent. null: it has been deleted.'),
  expires_at: Timestamp.describe('Until when the link works.'),
})
export type SharedCall = z.infer<typeof SharedCall>
