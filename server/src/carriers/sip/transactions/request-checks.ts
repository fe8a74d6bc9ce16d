// What can be said of a request without knowing any call: which transaction it belongs to, where its answer goes, and
// whether it has what every request must have.
import { isIP } from 'node:net'
import { addressIn, callIdOf, cseqOf, parseVia, tagOf, topVia } from '../message/headers.ts'
import { elementsOf, headerOf, type SipRequest } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import type { Destination, Flow } from '../transport/transport.ts'

/** The prefix of branches of RFC 3261, which are unique by themselves (§8.1.1.7). */
export const branchCookie = 'z9hG4bK'

/** The key of a server transaction: branch, sent-by and method (§17.2.3). Peers of RFC 2543 send no unique branch. */
export function serverKey(request: SipRequest): string {
  const via = topVia(request)
  const branch = via?.parameters.get('branch') ?? ''
  const method = request.method === 'ACK' ? 'INVITE' : request.method
  if (branch.startsWith(branchCookie) && branch.length > branchCookie.length)
    return `${branch} ${via?.host}:${via?.port ?? ''} ${method}`
  const sequence = cseqOf(request)?.number ?? ''
  return `${callIdOf(request)} ${tagOf(request, 'From') ?? ''} ${sequence} ${via?.host} ${method}`
}

/** A key that a request has whatever way it arrives by (§8.2.2.2). */
export const mergeKeyOf = (request: SipRequest): string =>
  `${callIdOf(request)}\n${tagOf(request, 'From') ?? ''}\n${headerOf(request, 'CSeq')}`

/** Adds where the request really came from to its topmost Via (§18.2.1, RFC 3581). null: there is no Via to answer to. */
export function withSource(request: SipRequest, flow: Flow): SipRequest | null {
  const [first, ...rest] = elementsOf(request, 'Via')
  const via = first === undefined ? null : parseVia(first)
  if (first === undefined || !via) return null
  const parts = first.split(';').filter((part) => !/^\s*(?:received|rport)\s*(?:=|$)/i.test(part))
  if (via.parameters.has('rport')) parts.push(`rport=${flow.peer.port}`)
  parts.push(`received=${flow.peer.address}`)
  const others = request.headers.filter(({ name }) => name !== 'Via')
  const lines = [parts.join(';'), ...rest].map((value) => ({ name: 'Via', value }))
  return { ...request, headers: [...lines, ...others] }
}

/**
 * Where an answer goes if not back the way its request came (§18.2.2). A peer without rport listens where its Via says;
 * but one whose Via names another address than it sends from is behind NAT, and reachable by the way it came only.
 */
export function answerDestination(request: SipRequest, { peer }: Flow): Destination | null {
  const via = topVia(request)
  if (!via || peer.transport !== 'udp' || via.parameters.has('rport')) return null
  if (isIP(via.host) && via.host !== peer.address) return null
  const port = via.port ?? 5_060
  return port === peer.port ? null : { ...peer, port }
}

/** Where an answer goes when the connection that its request came by is gone (§18.2.2). */
export const listenerOf = (request: SipRequest, { peer }: Flow): Destination => ({
  ...peer,
  port: topVia(request)?.port ?? (peer.transport === 'tls' ? 5_061 : 5_060),
})

/** Whether Contact and Via name the same address, and the request comes from another one: only NAT does that. */
export function isSenderBehindNat(request: SipRequest): boolean {
  const via = topVia(request)
  const contact = addressIn(request, 'Contact')?.uri
  if (!via || !contact || contact.scheme === 'tel' || elementsOf(request, 'Via').length > 1) return false
  return isIP(via.host) !== 0 && via.host === contact.host && via.parameters.get('received') !== via.host
}

const single = ['From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards', 'Content-Type', 'Expires']

/** Why a request is refused that lacks what every request must have (§8.1.1); null: it has everything. */
export function faultOf(request: SipRequest): { status: number; reason?: string } | null {
  for (const name of ['From', 'To', 'Call-ID', 'CSeq'])
    if (!headerOf(request, name)) return { status: 400, reason: `Missing ${name}` }
  for (const name of single)
    if (request.headers.filter((header) => header.name === name).length > 1)
      return { status: 400, reason: `More Than One ${name}` }
  for (const name of ['From', 'To'] as const)
    if (!addressIn(request, name)) return { status: 400, reason: `Malformed ${name}` }
  const sequence = cseqOf(request)
  if (!sequence) return { status: 400, reason: 'Malformed CSeq' }
  if (sequence.method !== request.method) return { status: 400, reason: 'CSeq Of Another Method' }
  const hops = headerOf(request, 'Max-Forwards')
  // Leading zeros are allowed; more than 255 is not (§20.22).
  if (hops !== undefined && !(/^\d{1,9}$/.test(hops) && Number(hops) <= 255))
    return { status: 400, reason: 'Malformed Max-Forwards' }
  if (!/^(?:sips?|tel):/i.test(request.uri)) return { status: 416 }
  const uri = parseUri(request.uri)
  // A request URI must not carry headers (§19.1.1).
  if (!uri || (uri.scheme !== 'tel' && uri.headers !== null))
    return { status: 400, reason: 'Malformed Request-URI' }
  return null
}
