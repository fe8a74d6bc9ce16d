// Where the requests of a dialog are sent (RFC 3261 §8.1.2, §12.2.1.1), also to a far end behind NAT.
import { isIP } from 'node:net'
import { parseNameAddress } from '../message/headers.ts'
import { elementsOf, type SipRequest } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import type { Destination } from '../transport/transport.ts'
import type { Dialog } from './dialog.ts'

export interface Way {
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
