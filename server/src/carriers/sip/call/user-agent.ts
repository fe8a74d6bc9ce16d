// The SIP user agent: sockets, transactions and the calls of one process. It knows no media and no database.
import type { CallRoom } from '../../../ports/arrival.ts'
import { ClientAuth } from '../auth/client-auth.ts'
import type { DigestCredentials } from '../auth/digest.ts'
import { answerTo } from '../message/answer.ts'
import { tagOf } from '../message/headers.ts'
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts'
import { printHost } from '../message/uri.ts'
import { Endpoint, type IncomingRequest, supportedExtensions } from '../transactions/endpoint.ts'
import { KeepAlives } from '../transport/keep-alives.ts'
import { ServerOrder } from '../transport/resolve.ts'
import type { After } from '../transport/timers.ts'
import type { Destination, Flow, TransportName, Transports } from '../transport/transport.ts'
import { Call, findReplaced, type OwnedCall } from './call.ts'
import { allowedMethods, type CallListener, type CallOrder, type SipCallParts } from './call-parts.ts'
import { keyOf, keyOfRequest } from './dialog.ts'
import { EstablishedCall, type EstablishedParts } from './established-call.ts'
import { IncomingCall } from './incoming-call.ts'
import { OutgoingCall } from './outgoing-call.ts'
import { type CallState, takenOver } from './saved-call.ts'
import { nextHop } from './send-request.ts'

export interface UserAgentParts {
  readonly transports: Transports
  readonly after: After
  readonly random: (bytes: number) => string
  /** `peer` is the far end that has named the address; null: it comes from our settings. */
  readonly resolve: (
    address: string,
    transport: TransportName | null,
    peer: Destination | null,
  ) => Promise<Destination[]>
  /** Whether a request that belongs to no call of ours is accepted. */
  readonly isWelcome: (request: SipRequest, flow: Flow) => boolean
  /** The challenge that a request gets which is not welcome. null, or left out: none. */
  readonly challenge?: (request: SipRequest, flow: Flow) => SipResponse | null
  /** Handles the REGISTER of a telephone. Left out: it is answered 405. */
  readonly onRegister?: (incoming: IncomingRequest) => void
  /** Called for a new call, which has been answered with 100. */
  readonly onInvite: (call: IncomingCall) => void
  /** How many more calls are taken: OPTIONS is answered with 200 and this number, or 503 when it is 0. */
  readonly room: () => CallRoom
  readonly onTrace: (direction: 'in' | 'out', message: SipMessage, peer: Destination) => void
  /** Called if a message could not be processed: a fault of ours must not end all calls of the process. */
  readonly onFault?: (error: unknown) => void
}

export interface RestoreCall {
  readonly credentials: DigestCredentials | null
  readonly transport: TransportName | null
  readonly listener: CallListener
}

/** How long an ended call is known, for requests that cross its end: they get 481. */
const lingerMs = 32_000

export class UserAgent {
  readonly #parts: UserAgentParts
  readonly #endpoint: Endpoint
  readonly #keepAlives: KeepAlives
  readonly #servers: ServerOrder
  readonly #early = new Map<string, { receive(incoming: IncomingRequest): void }>()
  readonly #answered = new Map<string, OwnedCall>()

  constructor(parts: UserAgentParts) {
    this.#parts = parts
    this.#keepAlives = new KeepAlives(parts.after, parts.transports)
    this.#servers = new ServerOrder(parts.after)
    this.#endpoint = new Endpoint({
      transports: parts.transports,
      after: parts.after,
      random: parts.random,
      isWelcome: (request, flow) => this.#belongsToCall(request) || parts.isWelcome(request, flow),
      ...(parts.challenge && { challenge: parts.challenge }),
      onRequest: (incoming) => this.#receive(incoming),
      onAck: (request) => this.#answered.get(keyOfRequest(request))?.established.offers.receiveAck(request),
      onTrace: parts.onTrace,
    })
  }

  get calls(): number {
    return this.#early.size + this.#answered.size
  }

  /** Transactions that are not over. */
  get transactions(): number {
    return this.#endpoint.size
  }

  /** Counts of what was not answered, by reason. */
  get counts(): Readonly<Endpoint['counts']> {
    return this.#endpoint.counts
  }

  receive(bytes: Uint8Array, flow: Flow): void {
    if (!this.#parts.onFault) return void this.#endpoint.receive(bytes, flow)
    try {
      this.#endpoint.receive(bytes, flow)
    } catch (error) {
      this.#parts.onFault(error)
    }
  }

  /** The parts of a call, also for registrations and for pings of trunks. */
  callParts(transport: TransportName | null): SipCallParts {
    return {
      endpoint: this.#endpoint.outgoing,
      after: this.#parts.after,
      random: this.#parts.random,
      contact: (peer) => this.#contact(peer),
      route: async (request, peer, hop = nextHop(request)) => {
        const preferred = peer?.transport ?? transport
        // A failed lookup is the same as a name without addresses.
        const servers = await this.#parts.resolve(hop, preferred, peer).catch(() => [])
        return servers.length === 0 && peer ? [peer] : this.#servers.order(servers)
      },
      avoid: (to, seconds) => this.#servers.avoid(to, seconds),
      keepAlive: (to) => this.#keepAlives.hold(to),
      watch: (to, onLost) => this.#parts.transports.watch(to, onLost),
    }
  }

  place(order: CallOrder): Call {
    const { via } = order
    const outgoing = new OutgoingCall({
      ...this.callParts(order.transport),
      ...(via && { route: async () => [via] }),
      order,
      auth: new ClientAuth(order.credentials, this.#parts.random),
      onEarly: (early) => this.#early.set(early.key, early),
      onLeft: (key) => this.#early.delete(key),
      establish: (parts, call) => this.#establish(parts, call),
    })
    void outgoing.start()
    return outgoing.call
  }

  /** Continues the call of another process. An offer with our own address moves its sound here. */
  restore(state: CallState, { credentials, transport, listener }: RestoreCall): Call {
    const { peer, weCalled, localSdp, remoteSdp, session, peerAllowsUpdate } = state
    const { serverName, ...place } = peer
    const call = new Call(state.dialog.callId, () => {})
    this.#establish(
      {
        ...this.callParts(transport),
        dialog: takenOver(state),
        auth: new ClientAuth(credentials, this.#parts.random),
        peer: serverName === undefined ? place : { ...place, serverName },
        weCalled,
        localSdp,
        remoteSdp,
        interval: session,
        peerAllowsUpdate,
        listener,
      },
      call,
    )
    return call
  }

  async close(): Promise<void> {
    this.#endpoint.close()
    for (const { established } of this.#answered.values()) established.abandon(() => {})
    this.#keepAlives.close()
    this.#servers.close()
    await this.#parts.transports.close()
  }

  #belongsToCall(request: SipRequest): boolean {
    const key = keyOfRequest(request)
    return this.#answered.has(key) || this.#early.has(key)
  }

  #receive(incoming: IncomingRequest): void {
    const { request, tag } = incoming
    if (tagOf(request, 'To') !== null) {
      const key = keyOfRequest(request)
      const call = this.#answered.get(key)?.established ?? this.#early.get(key)
      if (call) call.receive(incoming)
      else incoming.respond(answerTo(request, 481))
    } else if (request.method === 'INVITE') this.#receiveInvite(incoming)
    else if (request.method === 'OPTIONS') this.#answerOptions(incoming)
    else if (request.method === 'REGISTER' && this.#parts.onRegister) this.#parts.onRegister(incoming)
    // A REFER outside of a call would make us pay for somebody else's call.
    else if (request.method === 'REFER') incoming.respond(answerTo(request, 603, { tag }))
    else if (inDialogOnly.has(request.method)) incoming.respond(answerTo(request, 481, { tag }))
    else
      incoming.respond(answerTo(request, 405, { tag, headers: [{ name: 'Allow', value: allowedMethods }] }))
  }

  #answerOptions({ request, tag, respond }: IncomingRequest): void {
    const { free, capacity } = this.#parts.room()
    const room = { name: 'X-Parley-Capacity', value: `free=${free};of=${capacity}` }
    if (free === 0)
      return void respond(
        answerTo(request, 503, { tag, headers: [{ name: 'Retry-After', value: '10' }, room] }),
      )
    const headers = [
      { name: 'Allow', value: allowedMethods },
      { name: 'Accept', value: 'application/sdp' },
      { name: 'Accept-Encoding', value: 'identity' },
      { name: 'Accept-Language', value: 'en' },
      { name: 'Supported', value: supportedExtensions.join(', ') },
      room,
    ]
    respond(answerTo(request, 200, { tag, headers }))
  }

  #receiveInvite(incoming: IncomingRequest): void {
    const replacement = findReplaced(incoming.request, (key) => this.#answered.get(key))
    if (replacement?.is === 'refused')
      return void incoming.respond(answerTo(incoming.request, replacement.status, { tag: incoming.tag }))
    const incomingCall = new IncomingCall({
      ...this.callParts(incoming.flow.peer.transport),
      incoming,
      onEarly: (key, call) => this.#early.set(key, call),
      onLeft: (key) => this.#early.delete(key),
      establish: (parts, call) => this.#establish(parts, call),
    })
    if (!incomingCall.begin()) return
    if (!replacement) return void this.#parts.onInvite(incomingCall)
    const { call, listener } = replacement.replaced
    incomingCall.replace(call, listener)
  }

  #establish(parts: Omit<EstablishedParts, 'onOver'>, call: Call): EstablishedCall {
    const key = keyOf(parts.dialog)
    const { listener } = parts
    const onOver = () => this.#parts.after(lingerMs, () => this.#answered.delete(key))
    const established = new EstablishedCall({ ...parts, onOver })
    call.established = established
    this.#answered.set(key, { established, call, listener })
    listener.onState?.(established.state)
    return established
  }

  #contact(peer: Destination): string {
    const { host, port } = this.#parts.transports.localAddress(peer)
    const transport = peer.transport === 'udp' ? '' : `;transport=${peer.transport}`
    return `sip:parley@${printHost(host)}:${port}${transport}`
  }
}

const inDialogOnly = new Set(['BYE', 'UPDATE', 'INFO', 'PRACK', 'NOTIFY'])
