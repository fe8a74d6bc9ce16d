// Places the calls that the media thread orders, and once more without encryption where that is refused.
import type { Telephone, Telephones } from '../../../ports/telephones.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { Call } from '../call/call.ts'
import type { CallListener, OutgoingListener } from '../call/call-parts.ts'
import { causeOfStatus, outOfReach, type SipCause } from '../call/causes.ts'
import { ringAll } from '../call/ring-all.ts'
import type { UserAgent } from '../call/user-agent.ts'
import { type Order, type ToLine, termsFor } from '../line/link.ts'
import { parseUri, printHost, userOf } from '../message/uri.ts'
import type { SipEdge } from '../transport/edge.ts'
import type { Destination, TransportName } from '../transport/transport.ts'
import { addressesOf, type OutgoingAddresses } from '../trunk/outgoing-addresses.ts'
import { redirectedTo } from '../trunk/redirections.ts'
import type { TrunkBook } from '../trunk/trunk-book.ts'
import type { CallEntry, CallRoute, CallTable, DialledTarget } from './call-table.ts'

export interface OrderPlacerParts {
  readonly agent: Pick<UserAgent, 'place'>
  readonly book: Pick<TrunkBook, 'byId' | 'routesOf' | 'usersNamed' | 'at'>
  readonly edge: Pick<SipEdge, 'routes'>
  readonly telephones: Pick<Telephones, 'of'>
  readonly post: (message: ToLine) => void
  readonly resolve: (address: string, transport: TransportName | null) => Promise<Destination[]>
  /** The address that this peer reaches us at. */
  readonly addressTowards: (peer: Destination) => string
  /** Whether the workspace of a running call may call this number in E.164 form, or this SIP address. */
  readonly mayDial: (sessionId: string, to: string) => boolean
  readonly random: (bytes: number) => string
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
    if (!peer || !isReachable) return outOfReach(`The host of the trunk, ${trunk.host}, cannot be resolved.`)
    const targets = [{ addresses: { ...addresses, routes }, peer }] as const
    return { trunk, to: 'trunk', targets, sessionId: order.sessionId ?? order.legOf, inPlain: false }
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
      const telephones = await this.#parts.telephones.of(number.id, username)
      const [first, ...others] = telephones.map((one) => this.#targetOf(one, from ?? trunk.number))
      if (!first) continue
      // One description serves all of them, and it names one address of ours.
      const alike = others.filter(({ peer }) => this.#addressFor(peer) === this.#addressFor(first.peer))
      return { trunk, to: 'telephones', targets: [first, ...alike], sessionId: null, inPlain: false }
    }
    return causeOfStatus(480, `The telephone of ${user} is not logged in.`)
  }

  #targetOf({ contact, transport, address, port }: Telephone, caller: string): DialledTarget {
    const peer = { transport, address, port }
    const from = `<sip:${caller}@${printHost(this.#addressFor(peer))}>`
    return { addresses: { to: contact, from, headers: [], routes: [] }, peer }
  }

  #addressFor(peer: Destination): string {
    return this.#parts.addressTowards(peer)
  }

  /** Sends the INVITE, with the offer of the line. */
  invite(entry: CallEntry, sdp: string): void {
    const { route } = entry
    if (!route || entry.call) return
    entry.call = route.to === 'telephones' ? this.#ring(entry, route, sdp) : this.#dial(entry, route, sdp)
  }

  #dial(entry: CallEntry, route: CallRoute, sdp: string): Call {
    const { agent, book, mayDial } = this.#parts
    const { trunk, targets, sessionId } = route
    const { credentials, transport } = trunk
    return agent.place({
      callId: entry.callId,
      ...targets[0].addresses,
      sdp,
      credentials,
      transport,
      listener: this.#placedListenerOf(entry, route),
      redirectedTo: (address) =>
        redirectedTo(address, trunk, book, (to) => sessionId !== null && mayDial(sessionId, to)),
    })
  }

  /** Rings every telephone of the user. Each has a call of its own, whose messages belong to the record of this one. */
  #ring(entry: CallEntry, route: CallRoute, sdp: string): Call {
    const { agent, random } = this.#parts
    const orders = route.targets.map(({ addresses, peer }, place) => {
      const callId = place === 0 ? entry.callId : random(16)
      if (place > 0) entry.legs.push(callId)
      return { callId, ...addresses, sdp, credentials: null, transport: peer.transport, via: peer }
    })
    return ringAll({
      orders,
      place: (order) => agent.place(order),
      listener: this.#placedListenerOf(entry, route),
      onPicked: (call) => {
        entry.call = call
      },
    })
  }

  #describe(entry: CallEntry, { trunk, targets, inPlain }: CallRoute): void {
    const terms = termsFor(trunk, this.#addressFor(targets[0].peer))
    const wanted = inPlain ? { ...terms, srtp: 'off' as const } : terms
    this.#parts.post({ type: 'describe', call: entry.key, terms: wanted })
  }

  #placedListenerOf(entry: CallEntry, route: CallRoute): OutgoingListener {
    const { post } = this.#parts
    const listener = this.#parts.listenerOf(entry)
    return {
      ...listener,
      // A telephone that is silent is switched off; the trunk has nothing to do with it.
      onReach: (isInReach) => route.to === 'trunk' && post({ type: 'reach', call: entry.key, isInReach }),
      onProvisional: (status, sdp) => post({ type: 'provisional', call: entry.key, status, sdp }),
      onAnswered: (sdp) => {
        entry.route = null
        post({ type: 'answered', call: entry.key, sdp })
      },
      onEnded: (cause) => {
        // A far end that cannot read the keys in an offer refuses it with 488, and takes one without keys (RFC 8643).
        const retries = entry.route === route && cause.status === 488 && !route.inPlain
        if (!retries || route.trunk.srtp !== 'optional') return listener.onEnded(ofCallee(cause, route))
        entry.call = null
        entry.route = { ...route, inPlain: true }
        this.#describe(entry, entry.route)
      },
    }
  }
}

const ofCallee = (cause: SipCause, { to }: CallRoute): SipCause =>
  to === 'telephones' && cause.isOutOfReach ? causeOfStatus(408, 'The telephone does not answer.') : cause
