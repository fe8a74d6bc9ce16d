// The SIP user agent: sockets, transactions and the calls of one process. It knows no media and no database.
import { answerTo } from './answer.ts'
import { allowedMethods, type CallParts, type EstablishedListener, type SipCause } from './call-parts.ts'
import { ClientAuth } from './client-auth.ts'
import type { Dialog } from './dialog.ts'
import { keyOf, keyOfRequest, nextHop } from './dialog.ts'
import type { DigestCredentials } from './digest.ts'
import { Endpoint, type IncomingRequest, supportedExtensions } from './endpoint.ts'
import { EstablishedCall } from './established-call.ts'
import { tagOf } from './headers.ts'
import { type Accepted, InboundCall } from './inbound-call.ts'
import type { Header, SipMessage, SipRequest } from './message.ts'
import { OutboundCall } from './outbound-call.ts'
import type { After } from './timers.ts'
import type { Destination, Flow, TransportName, Transports } from './transport.ts'
import { printHost } from './uri.ts'

export interface UserAgentParts {
  readonly transports: Transports
  readonly after: After
  readonly random: (bytes: number) => string
  readonly resolve: (address: string, transport: TransportName | null) => Promise<Destination[]>
  /** Whether a request of a stranger is looked at at all. */
  readonly isWelcome: (request: SipRequest, flow: Flow) => boolean
  /** A new call; it has been answered with 100. */
  readonly onInvite: (call: Arriving) => void
  /** OPTIONS: 200, or 503 when there is no room. */
  readonly hasRoom: () => boolean
  readonly onTrace: (direction: 'in' | 'out', message: SipMessage, peer: Destination) => void
}

export interface PlaceCall {
  /** Left out: a fresh one. */
  readonly callId?: string
  readonly to: string
  readonly from: string
  readonly sdp: string
  readonly credentials: DigestCredentials | null
  readonly headers: readonly Header[]
  readonly routes: readonly string[]
  readonly transport: TransportName | null
  readonly listener: PlacedListener
}

export interface PlacedListener extends EstablishedListener {
  onProvisional(status: number, sdp: string | null): void
  onAnswered(sdp: string): void
}

export interface Call {
  readonly callId: string
  /** Cancels, refuses or hangs up, whichever the state asks for. Nothing is reported afterwards. */
  hangUp(cause: SipCause): void
  offer: EstablishedCall['offer']
  info: EstablishedCall['info']
  refer: EstablishedCall['refer']
  /** null before the answer. */
  readonly dialog: Dialog | null
}

export interface Arriving {
  readonly request: SipRequest
  readonly peer: Destination
  readonly offer: string | null
  ring(): void
  early(sdp: string): void
  reject(status: number, headers?: readonly Header[]): void
  /** The caller gave up before we decided. */
  onCancelled: (cause: SipCause) => void
  accept(sdp: string, listener: EstablishedListener): Call | null
}

const notAnswered = () => Promise.reject(new Error('The call is not answered.'))

export class UserAgent {
  readonly #parts: UserAgentParts
  readonly #endpoint: Endpoint
  readonly #early = new Map<string, InboundCall>()
  readonly #established = new Map<string, EstablishedCall>()

  constructor(parts: UserAgentParts) {
    this.#parts = parts
    this.#endpoint = new Endpoint({
      transports: parts.transports,
      after: parts.after,
      random: parts.random,
      isWelcome: (request, flow) => this.#belongsToCall(request) || parts.isWelcome(request, flow),
      onRequest: (incoming) => this.#receive(incoming),
      onAck: (request) => this.#established.get(keyOfRequest(request))?.receiveAck(request),
      onTrace: parts.onTrace,
    })
  }

  get calls(): number {
    return this.#early.size + this.#established.size
  }

  receive(bytes: Uint8Array, flow: Flow): void {
    this.#endpoint.receive(bytes, flow)
  }

  /** For registrations, and for pings of trunks. */
  callParts(transport: TransportName | null): CallParts {
    return {
      endpoint: this.#endpoint,
      after: this.#parts.after,
      random: this.#parts.random,
      contact: (peer) => this.#contact(peer),
      route: async (request, peer) => {
        // The way its messages came: a far end behind NAT is reachable nowhere else, a connection is there already.
        if (peer && request.headers.every(({ name }) => name !== 'Route') && tagOf(request, 'To') !== null) return [peer]
        return this.#parts.resolve(nextHop(request), transport)
      },
    }
  }

  place(asked: PlaceCall): Call {
    const parts = this.callParts(asked.transport)
    const auth = new ClientAuth(asked.credentials, this.#parts.random)
    let established: EstablishedCall | null = null
    let isOver = false
    const outbound = new OutboundCall({
      ...parts,
      ...asked,
      auth,
      listener: {
        onProvisional: (status, sdp) => isOver || asked.listener.onProvisional(status, sdp),
        onFailed: (cause) => isOver || asked.listener.onEnded(cause),
        onAnswered: ({ sdp, ...answered }) => {
          established = this.#establish({
            ...parts,
            ...answered,
            auth,
            weCalled: true,
            localSdp: asked.sdp,
            listener: asked.listener,
          })
          asked.listener.onAnswered(sdp)
        },
      },
    })
    void outbound.start()
    return {
      callId: outbound.callId,
      get dialog() {
        return established?.dialog ?? null
      },
      hangUp: (cause) => {
        isOver = true
        if (established) established.bye(cause)
        else outbound.cancel(cause)
      },
      offer: (sdp) => established?.offer(sdp) ?? notAnswered(),
      info: (type, body) => established?.info(type, body) ?? notAnswered(),
      refer: (to, headers) => established?.refer(to, headers) ?? notAnswered(),
    }
  }

  async close(): Promise<void> {
    this.#endpoint.close()
    for (const call of this.#established.values()) call.abandon()
    await this.#parts.transports.close()
  }

  #belongsToCall(request: SipRequest): boolean {
    const key = keyOfRequest(request)
    return this.#established.has(key) || this.#early.has(key)
  }

  #receive(incoming: IncomingRequest): void {
    const { request } = incoming
    if (tagOf(request, 'To') !== null) {
      const key = keyOfRequest(request)
      const call = this.#established.get(key) ?? this.#early.get(key)
      if (call) call.receive(incoming)
      else incoming.respond(answerTo(request, 481))
    } else if (request.method === 'INVITE') this.#receiveInvite(incoming)
    else if (request.method === 'OPTIONS') this.#answerOptions(incoming)
    else
      incoming.respond(
        answerTo(request, 405, { tag: this.#parts.random(8), headers: [{ name: 'Allow', value: allowedMethods }] }),
      )
  }

  #answerOptions({ request, respond }: IncomingRequest): void {
    const tag = this.#parts.random(8)
    if (!this.#parts.hasRoom())
      return respond(answerTo(request, 503, { tag, headers: [{ name: 'Retry-After', value: '10' }] }))
    const headers = [
      { name: 'Allow', value: allowedMethods },
      { name: 'Accept', value: 'application/sdp' },
      { name: 'Supported', value: supportedExtensions.join(', ') },
    ]
    respond(answerTo(request, 200, { tag, headers }))
  }

  #receiveInvite(incoming: IncomingRequest): void {
    const parts = this.callParts(incoming.flow.peer.transport)
    const listener = { onCancelled: (cause: SipCause) => leave(() => arriving.onCancelled(cause)) }
    const call = new InboundCall({ ...parts, incoming, listener })
    const { refusal } = call
    if (refusal) return call.reject(refusal.status, refusal.headers)
    const leave = (report: () => void) => {
      this.#early.delete(call.key)
      report()
    }
    const arriving: Arriving = {
      request: incoming.request,
      peer: incoming.flow.peer,
      offer: call.offer,
      ring: () => call.ring(),
      early: (sdp) => call.early(sdp),
      reject: (status, headers) => leave(() => call.reject(status, headers)),
      onCancelled: () => {},
      accept: (sdp, established) => {
        const accepted = call.accept(sdp)
        this.#early.delete(call.key)
        return accepted && this.#answered(incoming, accepted, sdp, parts, established)
      },
    }
    this.#early.set(call.key, call)
    call.trying()
    this.#parts.onInvite(arriving)
  }

  #answered(
    incoming: IncomingRequest,
    { dialog, response, interval, peerAllowsUpdate }: Accepted,
    localSdp: string,
    parts: CallParts,
    listener: EstablishedListener,
  ): Call {
    const auth = new ClientAuth(null, this.#parts.random)
    const peer = incoming.flow.peer
    const call = this.#establish({
      ...parts,
      dialog,
      auth,
      peer,
      weCalled: false,
      localSdp,
      interval,
      peerAllowsUpdate,
      listener,
    })
    call.answeredWith(incoming, response)
    return {
      callId: dialog.callId,
      get dialog() {
        return call.dialog
      },
      hangUp: (cause) => call.bye(cause),
      offer: (sdp) => call.offer(sdp),
      info: (type, body) => call.info(type, body),
      refer: (to, headers) => call.refer(to, headers),
    }
  }

  #establish(parts: Omit<ConstructorParameters<typeof EstablishedCall>[0], 'onDialog'>): EstablishedCall {
    const key = keyOf(parts.dialog)
    const { listener } = parts
    const call = new EstablishedCall({
      ...parts,
      onDialog: () => {},
      listener: {
        onOffer: (offer) => listener.onOffer(offer),
        onLateAnswer: (sdp) => listener.onLateAnswer(sdp),
        onInfo: (type, body) => listener.onInfo(type, body),
        onTransferProgress: (status) => listener.onTransferProgress(status),
        onEnded: (cause) => {
          // Requests that cross the end still find their dialog, and get their 481.
          this.#parts.after(32_000, () => this.#established.delete(key))
          listener.onEnded(cause)
        },
      },
    })
    this.#established.set(key, call)
    return call
  }

  #contact(peer: Destination): string {
    const { host, port } = this.#parts.transports.localAddress(peer)
    const transport = peer.transport === 'udp' ? '' : `;transport=${peer.transport}`
    return `sip:parley@${printHost(host)}:${port}${transport}`
  }
}
