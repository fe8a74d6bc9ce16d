// What is stored of a running call, so that another process can go on with it.
import { z } from 'zod'
import { type CallState, parseState, printState } from './dialog-state.ts'

export interface KeptCall {
  /** null: from an address that needs no trunk. */
  readonly trunkId: string | null
  readonly state: CallState
}

const Kept = z.object({ trunkId: z.string().nullable(), state: z.string() })

export const printKept = ({ trunkId, state }: KeptCall): string =>
  JSON.stringify({ trunkId, state: printState(state) } satisfies z.infer<typeof Kept>)

/** null: it is of a release that we do not know. */
export function readKept(text: string): KeptCall | null {
  try {
    const { trunkId, state } = Kept.parse(JSON.parse(text))
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
