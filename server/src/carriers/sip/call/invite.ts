// The INVITE of a call that we place (RFC 3261 §13.2.1), and where redirections of it lead.
import { parseNameAddress } from '../message/headers.ts'
import { elementsOf, type Header, type SipRequest, type SipResponse } from '../message/message.ts'
import { type CallOrder, capabilities, sdpBody, sdpType } from './call-parts.ts'
import { timerRequest } from './session-timer.ts'

export interface InviteParts {
  /** The address to send to now; a redirection changes nothing else. */
  readonly uri: string
  readonly to: string
  readonly from: string
  readonly tag: string
  readonly callId: string
  readonly sequence: number
  readonly routes: readonly string[]
  readonly contact: string
  /** The requested session interval. */
  readonly seconds: number
  readonly headers: readonly Header[]
  readonly sdp: string
}

export const inviteOf = (parts: InviteParts): SipRequest => ({
  kind: 'request',
  method: 'INVITE',
  uri: parts.uri,
  headers: [
    { name: 'Max-Forwards', value: '70' },
    ...parts.routes.map((value) => ({ name: 'Route', value })),
    { name: 'From', value: `${parts.from};tag=${parts.tag}` },
    { name: 'To', value: `<${parts.to}>` },
    { name: 'Call-ID', value: parts.callId },
    { name: 'CSeq', value: `${parts.sequence} INVITE` },
    ...capabilities(parts.contact),
    ...timerRequest(parts.seconds),
    ...parts.headers,
    sdpType,
  ],
  body: sdpBody(parts.sdp),
})

/** The addresses to call after a 3xx, the best first (RFC 3261 §8.1.3.4). */
export function redirectTargets(
  response: SipResponse,
  redirectedTo: CallOrder['redirectedTo'] = () => null,
): string[] {
  return elementsOf(response, 'Contact')
    .flatMap((value) => parseNameAddress(value) ?? [])
    .map(({ address, parameters }) => ({ address, q: preference(parameters.get('q')) }))
    .sort((a, b) => b.q - a.q)
    .flatMap(({ address }) => redirectedTo(address) ?? [])
}

/** A contact without a value is as good as any (§20.10). */
function preference(q: string | null | undefined): number {
  const value = Number(q ?? 1)
  return Number.isFinite(value) ? value : 0
}
