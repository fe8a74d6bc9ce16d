// A call as plain JSON, and back: another process can go on with it when the one that had it is gone. It has no secrets of
// the trunk; the process that restores a call knows those.
import { z } from 'zod'

const State = z.object({
  /** The version of this format: a call that an unknown release has stored is not restored. */
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
  /** Where the far end's messages came from. A connection is opened anew. */
  peer: z.object({
    transport: z.enum(['udp', 'tcp', 'tls']),
    address: z.string(),
    port: z.number(),
    serverName: z.string().optional(),
  }),
  weCalled: z.boolean(),
  /** Both descriptions that are in force; the next one of ours has a higher version in its o= line. */
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

/** More than any process sends between two writes of the state: a number must not be used twice, gaps are allowed (§12.2.2). */
const sequenceLeap = 100

/** The dialog for the process that takes over: requests that the state does not know of may have been sent. */
export const takenOver = ({ dialog }: CallState): CallState['dialog'] => ({
  ...dialog,
  localSequence: dialog.localSequence + sequenceLeap,
})

export interface SavedCall {
  /** null: from an address that needs no trunk. */
  readonly trunkId: string | null
  readonly state: CallState
}

const SavedText = z.object({ trunkId: z.string().nullable(), state: z.string() })

export const printSavedCall = ({ trunkId, state }: SavedCall): string =>
  JSON.stringify({ trunkId, state: printState(state) } satisfies z.infer<typeof SavedText>)

/** null: it is of a release that we do not know. */
export function readSavedCall(text: string): SavedCall | null {
  try {
    const { trunkId, state } = SavedText.parse(JSON.parse(text))
    const read = parseState(state)
    return read && { trunkId, state: read }
  } catch {
    return null
  }
}

/** The o= line of our description: the next one has the same session and a higher version. */
export function sdpOrigin(sdp: string): { readonly sessionId: string; readonly version: number } {
  const [, sessionId = '0', version = '0'] = /^o=\S+ (\S+) (\d{1,15}) /m.exec(sdp) ?? []
  return { sessionId, version: Number(version) }
}
