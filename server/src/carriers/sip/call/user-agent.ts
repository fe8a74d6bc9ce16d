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
import { type Arriving, ArrivingCall } from './arriving-call.ts'
import { allowedMethods, type CallListener, type SipCallParts } from './call-parts.ts'
import { keyOf, keyOfRequest } from './dialog.ts'
import { EstablishedCall, type EstablishedParts } from './established-call.ts'
import { Call, type LiveCallInterface } from './live-call.ts'
import { nextHop } from './next-hop.ts'
import { type CallOrder, placeCall } from './placed-call.ts'
import { findReplaced } from './replaced-call.ts'
import { type CallState, takenOver } from './saved-call.ts'

export type { Arriving } from './arriving-call.ts'
export type { LiveCallInterface } from './live-call.ts'
export type { CallOrder, OutgoingListener } from './placed-call.ts'

export interface UserAgentParts {
  readonly transports: Transports
  readonly after: After
  readonly random: (bytes: number) => string
  /** `peer`: who has named the address; null: we did. */
  readonly resolve: (
    address: string,
    transport: TransportName | null,
    peer: Destination | null,
  ) => Promise<Destination[]>
  /** Whether a request that belongs to no call of ours is looked at at all. */
  readonly isWelcome: (request: SipRequest, flow: Flow) => boolean
  /** What one that is not welcome is answered nevertheless: a challenge. null, or left out: nothing. */
  readonly challenge?: (request: SipRequest, flow: Flow) => SipResponse | null
  /** A telephone that logs in. Left out: 405. */
  readonly onRegister?: (incoming: IncomingRequest) => void
  /** A new call; it has been answered with 100. */
  readonly onInvite: (call: Arriving) => void
  /** OPTIONS: 200 with how many more calls are taken, or 503 when there is no room. */
  readonly room: () => CallRoom
  readonly onTrace: (direction: 'in' | 'out', message: SipMessage, peer: Destination) => void
  /** A message that could not be worked on is a fault of ours: one of them must not end all calls of a process. */
  readonly onFault?: (error: unknown) => void
}

export interface RestoreCall {
  readonly credentials: DigestCredentials | null
  readonly transport: TransportName | null
  readonly listener: CallListener
}

/** Requests that cross the end of a call still find it, and get their 481. */
const lingerMs = 32_000

export class UserAgent {
  readonly #parts: UserAgentParts
  readonly #endpoint: Endpoint
  readonly #keepAlives: KeepAlives
  readonly #servers: ServerOrder
  readonly #early = new Map<string, { receive(incoming: IncomingRequest): void }>()
  readonly #established = new Map<
    string,
    { readonly call: EstablishedCall; readonly live: Call; readonly parts: NewCall }
  >()

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
      onAck: (request) => this.#established.get(keyOfRequest(request))?.call.receiveAck(request),
      onTrace: parts.onTrace,
    })
  }

  get calls(): number {
    return this.#early.size + this.#established.size
  }

  /** Transactions that are not over. */
  get transactions(): number {
    return this.#endpoint.size
  }

  /** What was not answered, and why. */
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

  /** For registrations, and for pings of trunks. */
  callParts(transport: TransportName | null): SipCallParts {
    return {
      endpoint: this.#endpoint.outgoing,
      after: this.#parts.after,
      random: this.#parts.random,
      contact: (peer) => this.#contact(peer),
      route: async (request, peer, hop = nextHop(request)) => {
        const preferred = peer?.transport ?? transport
        // A resolver that breaks is a name that is not found.
        const found = await this.#parts.resolve(hop, preferred, peer).catch(() => [])
        return found.length === 0 && peer ? [peer] : this.#servers.order(found)
      },
      avoid: (to, seconds) => this.#servers.avoid(to, seconds),
      keepAlive: (to) => this.#keepAlives.hold(to),
      watch: (to, onLost) => this.#parts.transports.watch(to, onLost),
    }
  }

  place(asked: CallOrder): LiveCallInterface {
    const { via } = asked
    return placeCall(asked, {
      ...this.callParts(asked.transport),
      ...(via && { route: async () => [via] }),
      auth: new ClientAuth(asked.credentials, this.#parts.random),
      onEarly: (early) => this.#early.set(early.key, early),
      onLeft: (key) => this.#early.delete(key),
      establish: (parts, live) => this.#establish(parts, live),
    })
  }

  /** Goes on with a call of another process. An offer with our own address moves its sound here. */
  restore(state: CallState, { credentials, transport, listener }: RestoreCall): LiveCallInterface {
    const { peer, weCalled, localSdp, remoteSdp, session, peerAllowsUpdate } = state
    const { serverName, ...place } = peer
    const live = new Call(state.dialog.callId, () => {})
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
      live,
    )
    return live
  }

  async close(): Promise<void> {
    this.#endpoint.close()
    for (const { call } of this.#established.values()) call.abandon(() => {})
    this.#keepAlives.close()
    this.#servers.close()
    await this.#parts.transports.close()
  }

  #belongsToCall(request: SipRequest): boolean {
    const key = keyOfRequest(request)
    return this.#established.has(key) || this.#early.has(key)
  }

  #receive(incoming: IncomingRequest): void {
    const { request, tag } = incoming
    if (tagOf(request, 'To') !== null) {
      const key = keyOfRequest(request)
      const call = this.#established.get(key)?.call ?? this.#early.get(key)
      if (call) call.receive(incoming)
      else incoming.respond(answerTo(request, 481))
    } else if (request.method === 'INVITE') this.#receiveInvite(incoming)
    else if (request.method === 'OPTIONS') this.#answerOptions(incoming)
    else if (request.method === 'REGISTER' && this.#parts.onRegister) this.#parts.onRegister(incoming)
    // A transfer of nothing is a call that somebody else wants us to pay for.
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
    const replaced = findReplaced(incoming.request, (key) => this.#established.get(key))
    if (replaced?.is === 'refused')
      return void incoming.respond(answerTo(incoming.request, replaced.status, { tag: incoming.tag }))
    const arriving = new ArrivingCall({
      ...this.callParts(incoming.flow.peer.transport),
      incoming,
      onEarly: (key, call) => this.#early.set(key, call),
      onLeft: (key) => this.#early.delete(key),
      establish: (parts, live) => this.#establish(parts, live),
    })
    if (!arriving.begin()) return
    if (replaced) arriving.replace(replaced.live, replaced.listener)
    else this.#parts.onInvite(arriving)
  }

  #establish(parts: NewCall, live: Call): EstablishedCall {
    const key = keyOf(parts.dialog)
    const { listener } = parts
    const call = new EstablishedCall({
      ...parts,
      listener: {
        onOffer: (offer) => listener.onOffer(offer),
        onLateAnswer: (sdp) => listener.onLateAnswer(sdp),
        onInfo: (type, body) => listener.onInfo(type, body),
        onTransferProgress: (status) => listener.onTransferProgress(status),
        ...(listener.onRefer && { onRefer: (refer) => listener.onRefer?.(refer) }),
        ...(listener.onState && { onState: (state) => listener.onState?.(state) }),
        onEnded: (cause) => {
          this.#forget(key)
          listener.onEnded(cause)
        },
      },
      onReplaced: () => this.#forget(key),
    })
    live.established = call
    this.#established.set(key, { call, live, parts })
    listener.onState?.(call.state)
    return call
  }

  #forget(key: string): void {
    this.#parts.after(lingerMs, () => this.#established.delete(key))
  }

  #contact(peer: Destination): string {
    const { host, port } = this.#parts.transports.localAddress(peer)
    const transport = peer.transport === 'udp' ? '' : `;transport=${peer.transport}`
    return `sip:parley@${printHost(host)}:${port}${transport}`
  }
}

type NewCall = Omit<EstablishedParts, 'onReplaced'>

const inDialogOnly = new Set(['BYE', 'UPDATE', 'INFO', 'PRACK', 'NOTIFY'])
