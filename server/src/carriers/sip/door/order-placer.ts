// Places the calls that the media thread orders, and once more without encryption where that is refused.
import type { Telephones } from '../../../ports/telephones.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { CallListener, OutgoingListener } from '../call/call-parts.ts'
import { causeOfStatus, type SipCause } from '../call/causes.ts'
import type { UserAgent } from '../call/user-agent.ts'
import { type Order, type ToLine, termsFor } from '../line/link.ts'
import { parseUri, printHost, userOf } from '../message/uri.ts'
import type { SipEdge } from '../transport/edge.ts'
import type { Destination, TransportName } from '../transport/transport.ts'
import { addressesOf, type OutgoingAddresses } from '../trunk/outgoing-addresses.ts'
import type { TrunkBook } from '../trunk/trunk-book.ts'
import type { CallEntry, CallRoute, CallTable } from './call-table.ts'

export interface OrderPlacerParts {
  readonly agent: Pick<UserAgent, 'place'>
  readonly book: Pick<TrunkBook, 'byId' | 'routesOf' | 'usersNamed'>
  readonly edge: Pick<SipEdge, 'routes'>
  readonly telephones: Pick<Telephones, 'of'>
  readonly post: (message: ToLine) => void
  readonly resolve: (address: string, transport: TransportName | null) => Promise<Destination[]>
  /** The address that this peer reaches us at. */
  readonly addressTowards: (peer: Destination) => string
  readonly calls: CallTable
  readonly listenerOf: (entry: CallEntry) => CallListener
}

/** The address that a request with these addresses is sent to. */
const hostOf = ({ to, routes }: Pick<OutgoingAddresses, 'to' | 'routes'>): string =>
  routes[0]?.replace(/^<|>.*/gs, '') ?? to

export class OrderPlacer {
  readonly #parts: OrderPlacerParts

  constructor(parts: OrderPlacerParts) {
    this.#parts = parts
  }

  /** Finds the way of a call, then asks the line for its offer. Resolves with why it cannot be placed, or null. */
  async place(entry: CallEntry, order: Order): Promise<SipCause | null> {
    const trunk = this.#parts.book.byId(order.trunkId)
    if (!trunk) return causeOfStatus(503, 'The telephone number of this call has no trunk any more.')
    const route = (await this.#toTelephone(trunk, order)) ?? (await this.#throughTrunk(trunk, order))
    if ('status' in route) return route
    // The call may have been hung up meanwhile.
    if (!this.#parts.calls.isLive(entry)) return null
    entry.route = route
    this.#describe(entry, route)
    return null
  }

  async #throughTrunk(trunk: Trunk, order: Order): Promise<CallRoute | SipCause> {
    const { book, edge, resolve } = this.#parts
    const addresses = addressesOf(trunk, order.to, order.from)
    if (!addresses) return causeOfStatus(484, 'The address cannot be called.')
    const routes = [...book.routesOf(trunk), ...addresses.routes]
    const next = hostOf({ ...addresses, routes })
    const [peer] = await resolve(next, trunk.transport)
    // The edge resolves the host itself; whether the host may be called is decided here.
    const isReachable =
      edge.routes.length === 0 || (await resolve(hostOf(addresses), trunk.transport)).length > 0
    if (!peer || !isReachable)
      return causeOfStatus(503, `The host of the trunk, ${trunk.host}, cannot be resolved.`)
    return { trunk, addresses: { ...addresses, routes }, peer, isTelephone: false, inPlain: false }
  }

  /** null: the address is not of a telephone that logs in by a number of the same workspace. */
  async #toTelephone(trunk: Trunk, { to, from }: Order): Promise<CallRoute | SipCause | null> {
    const uri = /^sips?:/i.test(to) ? parseUri(to) : null
    const user = uri && userOf(uri)
    if (!uri || uri.scheme === 'tel' || !user || uri.host === trunk.host?.toLowerCase()) return null
    const owners = this.#parts.book
      .usersNamed(user)
      .filter(({ trunk: { workspaceId } }) => workspaceId === trunk.workspaceId)
    if (owners.length === 0) return null
    for (const { trunk: number, username } of owners) {
      const [telephone] = await this.#parts.telephones.of(number.id, username)
      if (!telephone) continue
      const { contact, transport, address, port } = telephone
      const peer = { transport, address, port }
      const own = `<sip:${from ?? trunk.number}@${printHost(this.#parts.addressTowards(peer))}>`
      const addresses = { to: contact, from: own, headers: [], routes: [] }
      return { trunk, addresses, peer, isTelephone: true, inPlain: false }
    }
    return causeOfStatus(480, `The telephone of ${user} is not logged in.`)
  }

  /** Sends the INVITE, with the offer of the line. */
  invite(entry: CallEntry, sdp: string): void {
    const { route, callId } = entry
    if (!route || entry.call) return
    const { trunk, addresses, peer, isTelephone } = route
    const way = isTelephone
      ? { credentials: null, transport: peer.transport, via: peer }
      : { credentials: trunk.credentials, transport: trunk.transport }
    const listener = this.#placedListenerOf(entry, route)
    entry.call = this.#parts.agent.place({ callId, ...addresses, sdp, ...way, listener })
  }

  #describe(entry: CallEntry, { trunk, peer, inPlain }: CallRoute): void {
    const terms = termsFor(trunk, this.#parts.addressTowards(peer))
    const wanted = inPlain ? { ...terms, srtp: 'off' as const } : terms
    this.#parts.post({ type: 'describe', call: entry.key, terms: wanted })
  }

  #placedListenerOf(entry: CallEntry, route: CallRoute): OutgoingListener {
    const { post } = this.#parts
    const listener = this.#parts.listenerOf(entry)
    return {
      ...listener,
      onProvisional: (status, sdp) => post({ type: 'provisional', call: entry.key, status, sdp }),
      onAnswered: (sdp) => {
        entry.route = null
        post({ type: 'answered', call: entry.key, sdp })
      },
      onEnded: (cause) => {
        // A far end that cannot read the keys in an offer refuses it with 488, and takes one without keys (RFC 8643).
        const retries = entry.route === route && cause.status === 488 && !route.inPlain
        if (!retries || route.trunk.srtp !== 'optional') return listener.onEnded(cause)
        entry.call = null
        entry.route = { ...route, inPlain: true }
        this.#describe(entry, entry.route)
      },
    }
  }
}
