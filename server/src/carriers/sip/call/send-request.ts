// Requests and their final answers: signed, sent again with credentials if challenged, to the next server if one fails;
// and where the requests of a dialog are sent (RFC 3261 §8.1.2, §12.2.1.1), also to a far end behind NAT.
import { isIP } from 'node:net'
import type { ClientAuth } from '../auth/client-auth.ts'
import { cseqOf, parseNameAddress } from '../message/headers.ts'
import { elementsOf, headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import type { Destination } from '../transport/transport.ts'
import type { SipCallParts } from './call-parts.ts'
import { type Dialog, nextRequest } from './dialog.ts'

interface Way {
  /** The address to resolve. */
  readonly hop: string
  /** Set if the far end can only be reached where its messages come from. */
  readonly fixed: Destination | null
}

/** The way along the routes, else to the far end's Contact. `peer` is where its messages have come from. */
export function wayOf(dialog: Dialog, peer: Destination): Way {
  const route = dialog.routes[0] === undefined ? null : parseNameAddress(dialog.routes[0])
  if (route) return { hop: route.address, fixed: null }
  const isFixed =
    dialog.isBehindNat || isSamePlace(dialog.remoteTarget, peer) || isHidden(dialog.remoteTarget, peer)
  return { hop: dialog.remoteTarget, fixed: isFixed ? peer : null }
}

/** The address that a request outside of a dialog is sent to: its first route, else its own. */
export function nextHop(request: SipRequest): string {
  const route = elementsOf(request, 'Route')[0]
  const address = route === undefined ? undefined : parseNameAddress(route)
  return address && parseUri(address.address) ? address.address : request.uri
}

/** An open connection is used again, whatever port the Contact names (RFC 5923). */
function isSamePlace(target: string, peer: Destination): boolean {
  const uri = parseUri(target)
  if (!uri || uri.scheme === 'tel') return true
  if (uri.host !== peer.address) return false
  if (peer.transport === 'udp')
    return (uri.port ?? 5_060) === peer.port && uri.parameters.get('transport') !== 'tcp'
  return true
}

/** Whether a peer on the public Internet names a private address, which cannot be reached from here. */
function isHidden(target: string, peer: Destination): boolean {
  const uri = parseUri(target)
  return uri !== null && uri.scheme !== 'tel' && isPrivate(uri.host) && !isPrivate(peer.address)
}

/** Private addresses of RFC 1918, 6598, 3927 and 4193, and loopback. */
const isPrivate = (host: string): boolean =>
  isIP(host) === 6
    ? /^(?:f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::1$)/i.test(host)
    : isIP(host) === 4 &&
      /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
        host,
      )

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

/** Sends the request to one server. */
export function sendTo(
  { endpoint }: Pick<SipCallParts, 'endpoint'>,
  request: SipRequest,
  to: Destination,
  onAccepted: OnAccepted = () => {},
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
