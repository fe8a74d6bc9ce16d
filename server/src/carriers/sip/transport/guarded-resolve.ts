// Names of peers, looked up at every use and checked each time: one that was public when it was stored may point into the
// operator's own network now (DNS rebinding).
import { isPublic } from '../../../platform/guard/addresses.ts'
import { parseUri } from '../message/uri.ts'
import { type NameServer, resolveTarget } from './resolve.ts'
import type { Destination, TransportName } from './transport.ts'

export interface GuardedResolveParts {
  readonly names: NameServer
  readonly random: () => number
  /** Whether the operator trusts a host, given as a name or an address, in a private network. */
  readonly isTrusted: (host: string, port: number) => boolean
  /** Addresses of telephones that may call without a trunk. */
  readonly isAllowed: (address: string) => boolean
}

/** `peer`: who has named the address, in a call. */
export type Resolve = (
  address: string,
  transport: TransportName | null,
  peer?: Destination | null,
) => Promise<Destination[]>

/** Addresses of a private network are left out, unless the operator trusts them, or the sender is in the same network. */
export const guardedResolve =
  ({ names, random, isTrusted, isAllowed }: GuardedResolveParts): Resolve =>
  async (address, transport, peer = null) => {
    const uri = parseUri(address)
    const found = await resolveTarget(address, transport, { names, random })
    if (!uri || uri.scheme === 'tel' || (peer && !isPublic(peer.address))) return found
    return found.filter(
      (one) =>
        isPublic(one.address) ||
        isTrusted(uri.host, one.port) ||
        isTrusted(one.address, one.port) ||
        isAllowed(one.address),
    )
  }
