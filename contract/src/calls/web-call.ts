// A call from a browser: how it is requested, and the messages on the WebSocket that the browser joins with.
import { z } from 'zod'
import { linePath, voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes } from '../example-values.ts'
import { operation } from '../operation.ts'
import { Id, listOf, Open, Text, Timestamp } from '../words.ts'
import { Variables } from './call.ts'

const NewWebCall = z
  .strictObject({
    agent_id: Id.describe('The agent to talk to; it must be active.'),
    variables: Variables.optional().describe(
      "Values of the `{placeholders}` in the agent's texts, by name. Left out: none.",
    ),
    metadata: Open.optional().describe('Yours; kept and given back. Left out: empty.'),
  })
  .describe('A call that a browser will join.')
export type NewWebCall = z.infer<typeof NewWebCall>

export const IceServers = listOf(
  z.strictObject({
    urls: listOf(Text).describe(
      'Where the relay is, by UDP, TCP and TLS, as in `turns:turn.example.com:5349`.',
    ),
    username: Text.describe('For this call; it holds for a few hours.'),
    credential: Text.describe('Its password.'),
  }),
).describe(
  'Relays for networks that let WebRTC through in no other way: the `iceServers` of an RTCPeerConnection, as they are. Empty: there are none, and such calls go over the WebSocket.',
)

const WebCall = z
  .strictObject({
    session_id: Id.describe('Names the call in every other request and in its event.'),
    url: Text.meta({ description: 'The WebSocket that the browser opens; the token is its first message.' }),
    token: Text.meta({ description: 'Lets one browser in, once.' }),
    expires_at: Timestamp.meta({
      description: 'A browser that has not joined by then is too late, and the call ends as no-answer.',
    }),
    ice_servers: IceServers,
  })
  .describe('What a browser needs to join the call.')
export type WebCall = z.infer<typeof WebCall>

export const startWebCall = operation({
  ...voiceAddresses.startWebCall,
  tag: 'Calls',
  summary: 'Let somebody talk to an agent in a browser',
  description:
    'Your server asks for the call and hands `url` and `token` to the browser, which opens the WebSocket and sends the token as its first message; the API key stays on your server. A call that nobody joins in time ends as no-answer, with its event. The [guide](/docs/guide/browser) has the messages on the socket. Follow the call with `watchCall`.',
  body: NewWebCall,
  status: 201,
  data: WebCall,
  example: {
    body: { agent_id: exampleIds.agent, variables: { name: 'Ada' } },
    data: {
      session_id: exampleIds.call,
      url: `wss://voice.example.com${linePath}`,
      token: 'web_3yBqW0xkP7n2TfVhJc9LrD5mQa8ZsUeG1iXoNwKd',
      expires_at: exampleTimes.later,
      ice_servers: [
        {
          urls: ['turn:turn.example.com:3478', 'turns:turn.example.com:5349'],
          username: `1893470400:${exampleIds.call}`,
          credential: 'uKx1bJm0Vn8mQe3cT9yZ4wR7sDk=',
        },
      ],
    },
  },
})

// A description of a session with one audio track is about 3 KB.
const Sdp = z.string().min(1).max(32_768)

const Candidate = z.strictObject({
  type: z.literal('candidate'),
  candidate: z.string().max(1_024),
  sdp_mid: z.string().max(64).nullable(),
  sdp_m_line_index: z.int().min(0).max(64).nullable(),
})

const Pcm = z.strictObject({ type: z.literal('pcm') })
const Bye = z.strictObject({ type: z.literal('bye') })

/** The longest text: longer than anything that is said in one breath. A page that sends more is not typing. */
const longestTyped = 2_000
const Typed = z.strictObject({ type: z.literal('text'), text: z.string().trim().min(1).max(longestTyped) })

export const Join = z.strictObject({ type: z.literal('join'), token: z.string().min(1).max(128) })

/**
 * After the join: an offer for WebRTC, `pcm` to have the audio on the socket instead, `text` for words that were typed
 * instead of spoken, `bye` to hang up.
 */
export const FromBrowser = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('offer'), sdp: Sdp }),
  Candidate,
  Pcm,
  Typed,
  Bye,
])
export type FromBrowser = z.infer<typeof FromBrowser>

/** Messages of the server. `pcm`: from now on the audio is on the socket, in both directions. */
export const ToBrowser = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('joined'), session_id: Id }),
  z.strictObject({ type: z.literal('refused'), message: Text }),
  z.strictObject({ type: z.literal('answer'), sdp: Sdp }),
  Candidate,
  Pcm,
  Bye,
])
export type ToBrowser = z.infer<typeof ToBrowser>
