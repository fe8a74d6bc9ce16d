// Requests and their final answers: signed, sent again with credentials if challenged, to the next server if one fails.
import type { ClientAuth } from '../auth/client-auth.ts'
import { cseqOf } from '../message/headers.ts'
import { headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Destination } from '../transport/transport.ts'
import type { SipCallParts } from './call-parts.ts'
import { type Dialog, nextRequest } from './dialog.ts'
import { wayOf } from './next-hop.ts'

export type FinalAnswer = SipResponse | 'no-answer'

export interface RequestParts extends Pick<SipCallParts, 'endpoint' | 'route' | 'avoid'> {
  readonly auth: ClientAuth
}

export interface RequestToSend {
  readonly request: SipRequest
  readonly destinations: Promise<readonly Destination[]>
}

/** Called for every 2xx, also for repeated ones: each 2xx to an INVITE gets an ACK. */
export type OnAccepted = (request: SipRequest, response: SipResponse, to: Destination) => void

/** `next` makes the request, with a new number for each try. */
export async function sendRequest(
  parts: RequestParts,
  next: () => RequestToSend,
  onAccepted: OnAccepted = () => {},
): Promise<FinalAnswer> {
  for (let tries = 0; ; tries++) {
    const { request, destinations } = next()
    const response = await toFirst(parts, parts.auth.sign(request), await destinations, onAccepted)
    if (response === 'no-answer') return response
    const isChallenge = response.status === 401 || response.status === 407
    if (!isChallenge || !parts.auth.learn(response, tries)) return response
  }
}

/** Sends the request to one server after the other, until one answers anything but 503 (RFC 3263 §4.3). */
async function toFirst(
  parts: RequestParts,
  request: SipRequest,
  destinations: readonly Destination[],
  onAccepted: OnAccepted,
): Promise<FinalAnswer> {
  let last: FinalAnswer = 'no-answer'
  for (const to of destinations) {
    last = await sendTo(parts, request, to, onAccepted)
    if (last !== 'no-answer' && last.status !== 503) return last
    parts.avoid(to, last === 'no-answer' ? undefined : retryAfter(last))
  }
  return last
}

function sendTo(
  { endpoint }: RequestParts,
  request: SipRequest,
  to: Destination,
  onAccepted: OnAccepted,
): Promise<FinalAnswer> {
  return new Promise((resolve) => {
    const outgoing = endpoint.request(request, to, {
      onResponse: (response) => {
        if (response.status < 200) return
        if (response.status < 300) onAccepted(request, response, outgoing.to)
        resolve(response)
      },
      onTimeout: () => resolve('no-answer'),
    })
  })
}

/** Sends a request in a dialog that is no established call: PRACK, and the BYE of a fork. */
export async function sendInDialog(
  parts: RequestParts,
  dialog: Dialog,
  peer: Destination,
  nextSequence: () => number,
  asked: Parameters<typeof nextRequest>[1],
): Promise<FinalAnswer> {
  return sendRequest(parts, () => {
    const { request } = nextRequest(dialog, asked, nextSequence())
    return { request, destinations: destinationsOf(parts, dialog, peer, request) }
  })
}

export async function destinationsOf(
  parts: Pick<SipCallParts, 'route'>,
  dialog: Dialog,
  peer: Destination,
  request: SipRequest,
): Promise<readonly Destination[]> {
  const { hop, fixed } = wayOf(dialog, peer)
  return fixed ? [fixed] : parts.route(request, peer, hop)
}

/** The ACK of a 2xx, to its Contact along its routes, with number and credentials of the INVITE (§13.2.2.4, §22.1). */
export function acknowledgementOf(invite: SipRequest, dialog: Dialog): SipRequest {
  const { request } = nextRequest(dialog, { method: 'ACK' }, cseqOf(invite)?.number ?? 1)
  const credentials = invite.headers.filter(
    ({ name }) => name === 'Authorization' || name === 'Proxy-Authorization',
  )
  return { ...request, headers: [...request.headers, ...credentials] }
}

/** Retry-After in seconds; undefined if the answer has none. */
export function retryAfter(response: SipResponse): number | undefined {
  const seconds = Number.parseInt(headerOf(response, 'Retry-After') ?? '', 10)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
