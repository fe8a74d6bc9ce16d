// The INVITE of a call that we place (RFC 3261 §13.2.1).

import { parseNameAddress } from '../message/headers.ts'
import { elementsOf, type Header, type SipRequest, type SipResponse } from '../message/message.ts'
import { capabilities, sdpBody, sdpType } from './call-parts.ts'
import { timerRequest } from './session-timer.ts'

export interface InviteParts {
  /** Where it goes now: a redirection changes this, and nothing else. */
  readonly uri: string
  readonly to: string
  readonly from: string
  readonly tag: string
  readonly callId: string
  readonly sequence: number
  readonly routes: readonly string[]
  readonly contact: string
  /** The session interval that is asked for. */
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

export function redirectTargets(
  response: SipResponse,
  mayRedirectTo: (address: string) => boolean = () => false,
): string[] {
  return elementsOf(response, 'Contact')
    .flatMap((value) => parseNameAddress(value) ?? [])
    .map(({ address, parameters }) => ({ address, q: preference(parameters.get('q')) }))
    .sort((a, b) => b.q - a.q)
    .map(({ address }) => address)
    .filter(mayRedirectTo)
}

/** Without a value it is as good as any (§20.10). */
function preference(q: string | null | undefined): number {
  const value = Number(q ?? 1)
  return Number.isFinite(value) ? value : 0
}
