// A call from a browser: how it is requested, and the messages on the WebSocket that the browser joins with.
import { z } from 'zod'
import { linePath, voiceAddresses } from './addresses.ts'
import { Variables } from './call.ts'
import { operation } from './operation.ts'
import { Id, Open, Text, Timestamp } from './words.ts'

const NewWebCall = z.strictObject({
  agent_id: Id,
  variables: Variables.optional(),
  metadata: Open.optional(),
})
export type NewWebCall = z.infer<typeof NewWebCall>

const WebCall = z.strictObject({
  session_id: Id,
  url: Text.meta({ description: 'The WebSocket that the browser opens; the token is its first message.' }),
  token: Text.meta({ description: 'Lets one browser in, once.' }),
  expires_at: Timestamp.meta({ description: 'Whoever has not joined by then is too late: no-answer.' }),
})
export type WebCall = z.infer<typeof WebCall>

export const startWebCall = operation({
  ...voiceAddresses.startWebCall,
  tag: 'Calls',
  summary: 'Let somebody talk to an agent in a browser, which joins with the one-time token',
  body: NewWebCall,
  status: 201,
  data: WebCall,
  example: {
    body: { agent_id: '4b0c2f86-4f0e-4a33-9d2c-0d2f3c1a7e55', variables: { name: 'Ada' } },
    data: {
      session_id: '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60',
      url: `wss://voice.example.com${linePath}`,
      token: 'web_3yBqW0xkP7n2TfVhJc9LrD5mQa8ZsUeG1iXoNwKd',
      expires_at: '2026-01-31T09:32:00.000Z',
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

export const Join = z.strictObject({ type: z.literal('join'), token: z.string().min(1).max(128) })

/** After the join: an offer for WebRTC, `pcm` to have the audio on the socket instead, `bye` to hang up. */
export const FromBrowser = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('offer'), sdp: Sdp }),
  Candidate,
  Pcm,
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
