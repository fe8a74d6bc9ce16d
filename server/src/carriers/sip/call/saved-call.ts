// An answered call as plain JSON, and back, so that another process can continue it. It has no secrets of the trunk; the
// process that restores the call knows those.
import { z } from 'zod'

const State = z.object({
  /** The version of this format. A call in another format is not restored. */
  format: z.literal(1),
  dialog: z.object({
    callId: z.string(),
    local: z.string(),
    remote: z.string(),
    localTag: z.string(),
    remoteTag: z.string(),
    remoteTarget: z.string(),
    routes: z.array(z.string()),
    localSequence: z.number(),
    remoteSequence: z.number().nullable(),
    isBehindNat: z.boolean(),
  }),
  /** Where the far end's messages came from. A lost connection is opened anew. */
  peer: z.object({
    transport: z.enum(['udp', 'tcp', 'tls']),
    address: z.string(),
    port: z.number(),
    serverName: z.string().optional(),
  }),
  weCalled: z.boolean(),
  /** The SDP of both sides that is in force; our next one has a higher version in its o= line. */
  localSdp: z.string(),
  remoteSdp: z.string().nullable(),
  session: z.object({ seconds: z.number(), weRefresh: z.boolean() }).nullable(),
  peerAllowsUpdate: z.boolean(),
})

export type CallState = Readonly<z.infer<typeof State>>

export const printState = (state: CallState): string => JSON.stringify(state)

/** null: the call cannot be resumed from it. */
export function parseState(text: string): CallState | null {
  try {
    return State.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** More requests than are sent between two writes of the state: numbers may be left out, not repeated (§12.2.2). */
const sequenceLeap = 100

/** The dialog for the process that takes over: requests that the state does not know of may have been sent. */
export const takenOver = ({ dialog }: CallState): CallState['dialog'] => ({
  ...dialog,
  localSequence: dialog.localSequence + sequenceLeap,
})

export interface SavedCall {
  /** null: the call came from an address that needs no trunk. */
  readonly trunkId: string | null
  readonly state: CallState
}

const SavedText = z.object({ trunkId: z.string().nullable(), state: z.string() })

export const printSavedCall = ({ trunkId, state }: SavedCall): string =>
  JSON.stringify({ trunkId, state: printState(state) } satisfies z.infer<typeof SavedText>)

/** null: the text has a format that we do not know. */
export function readSavedCall(text: string): SavedCall | null {
  try {
    const { trunkId, state } = SavedText.parse(JSON.parse(text))
    const read = parseState(state)
    return read && { trunkId, state: read }
  } catch {
    return null
  }
}

/** The session and version in the o= line of our SDP; the next one has the same session and a higher version. */
export function sdpOrigin(sdp: string): { readonly sessionId: string; readonly version: number } {
  const [, sessionId = '0', version = '0'] = /^o=\S+ (\S+) (\d{1,15}) /m.exec(sdp) ?? []
  return { sessionId, version: Number(version) }
}
