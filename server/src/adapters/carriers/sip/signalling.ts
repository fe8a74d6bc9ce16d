// The calls of this process between the user agent and their lines in the media thread: what one says, the other hears.
import type { Log } from '../../../platform/log.ts'
import type { Admission, Admit, Arrival, CalledNumber } from '../../../ports/arrival.ts'
import type { KeepCallState } from '../../../ports/call-state.ts'
import type { KeepSignalling } from '../../../ports/signalling.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { EstablishedListener, FarOffer, SipCause } from './call-parts.ts'
import { causeOfStatus } from './causes.ts'
import { printKept, readKept, sdpOrigin } from './kept-call.ts'
import type { Order, SipArrival, ToMedia, ToSignalling } from './link.ts'
import { termsFor } from './media-terms.ts'
import type { Header } from './message.ts'
import { addressesOf, type OutgoingAddresses } from './outgoing.ts'
import { referTarget, resultOfRefer } from './refer.ts'
import type { After } from './timers.ts'
import type { Trace } from './trace.ts'
import type { Destination, TransportName } from './transport.ts'
import type { TrunkBook } from './trunk-book.ts'
import type { Arriving, Call, PlacedListener, UserAgent } from './user-agent.ts'

export interface SignallingParts {
  readonly agent: Pick<UserAgent, 'place' | 'restore'>
  readonly book: Pick<TrunkBook, 'byId' | 'routesOf'>
  readonly trace: Pick<Trace, 'take'>
  readonly post: (message: ToMedia) => void
  readonly admit: Admit
  readonly resolve: (address: string, transport: TransportName | null) => Promise<Destination[]>
  /** Our address, as this peer reaches us. */
  readonly addressTowards: (peer: Destination) => string
  readonly keepSignalling: KeepSignalling
  readonly keepState: KeepCallState
  readonly after: After
  readonly random: (bytes: number) => string
  readonly log: Pick<Log, 'warn'>
}

/** Somebody who calls, found out from the INVITE. */
export type Caller = Omit<CalledNumber, 'by' | 'provider'> & { readonly trunk: Trunk | null }

interface Placing {
  readonly trunk: Trunk
  readonly addresses: OutgoingAddresses
  readonly peer: Destination
  /** Encryption was offered, refused, and is not offered again. */
  readonly inPlain: boolean
}

interface HeldCall {
  readonly key: string
  readonly callId: string
  trunkId: string | null
  sessionId: string | null
  /** An INVITE that waits for its answer. */
  arriving: Arriving | null
  placing: Placing | null
  call: Call | null
  /** Offers of the far end that its line has not decided about. */
  readonly offers: Map<number, FarOffer>
  lastOffer: number
}

/** Answers to our BYE and CANCEL belong to the record; who has not answered by then does not answer. */
const lastWordsMs = 2_000
const retryAfter = (seconds: number): Header => ({ name: 'Retry-After', value: String(seconds) })

export class Signalling {
  readonly #parts: SignallingParts
  readonly #calls = new Map<string, HeldCall>()
  /** Ended, and waiting for the last messages. */
  readonly #ended = new Set<HeldCall>()
  #isDraining = false
  #wasFull = false

  constructor(parts: SignallingParts) {
    this.#parts = parts
  }

  /** False: OPTIONS is answered with 503, so that trunks call elsewhere. */
  get hasRoom(): boolean {
    return !this.#isDraining && !this.#wasFull
  }

  drain(): void {
    this.#isDraining = true
  }

  /** The media thread has died, and every line with it. */
  lose(): void {
    const cause = causeOfStatus(500, 'The call was lost.')
    for (const held of [...this.#calls.values()]) this.#hangUp(held, cause)
  }

  close(): void {
    this.lose()
    for (const held of [...this.#ended]) this.#keep(held)
  }

  /** Goes on with the call of another process; null: it cannot be understood. */
  resume(sessionId: string, kept: string): Arrival | null {
    const found = readKept(kept)
    if (!found || this.#isDraining) return null
    const { state, trunkId } = found
    const { transport, address, port } = state.peer
    const trunk = this.#parts.book.byId(trunkId)
    const held = this.#hold(this.#parts.random(16), state.dialog.callId, trunkId)
    held.sessionId = sessionId
    held.call = this.#parts.agent.restore(state, {
      credentials: trunk?.credentials ?? null,
      transport,
      listener: this.#listenerOf(held),
    })
    const terms = termsFor(trunk, this.#parts.addressTowards({ transport, address, port }))
    return this.#arrivalOf(held, { offer: null, terms, resumed: sdpOrigin(state.localSdp) })
  }

  /** Another process goes on with it. */
  abandon(sessionId: string): void {
    const held = [...this.#calls.values()].find((one) => one.sessionId === sessionId)
    if (!held?.call) return
    held.call.abandon()
    this.#calls.delete(held.key)
    this.#parts.post({
      type: 'ended',
      call: held.key,
      cause: causeOfStatus(500, 'Another process has the call.'),
    })
  }

  async arrive(arriving: Arriving, callId: string, { trunk, ...caller }: Caller): Promise<void> {
    if (this.#isDraining) return arriving.reject(503, [retryAfter(5)])
    const held = this.#hold(this.#parts.random(16), callId, trunk?.id ?? null)
    held.arriving = arriving
    arriving.onCancelled = (cause) => {
      held.arriving = null
      // Before it is admitted there is no line that could be told.
      if (held.sessionId !== null) this.#parts.post({ type: 'ended', call: held.key, cause })
      this.#end(held)
    }
    const terms = termsFor(trunk, this.#parts.addressTowards(arriving.peer))
    const arrival = this.#arrivalOf(held, { offer: arriving.offer, terms, resumed: null })
    const admission = await this.#parts
      .admit({ by: 'number', provider: 'sip', ...caller }, arrival)
      .catch((err: unknown) => {
        this.#parts.log.warn({ err }, 'a telephone call could not be admitted')
        return { is: 'broken' } as const
      })
    this.#admitted(held, admission)
  }

  receive(message: ToSignalling): void {
    if (message.type === 'place') return void this.#place(message.call, message)
    const held = this.#calls.get(message.call)
    if (!held) return
    switch (message.type) {
      case 'described':
        return void this.#invite(held, message.sdp)
      case 'accept':
        return void this.#accept(held, message.sdp)
      case 'answer-offer':
        return void this.#settleOffer(held, message.offer)?.accept(message.sdp)
      case 'refuse-offer':
        return void this.#settleOffer(held, message.offer)?.refuse(488)
      case 'offer':
        return void this.#offer(held, message.request, message.sdp)
      case 'refer':
        return void this.#refer(held, message.request, message.to)
      case 'hang-up':
        return void this.#hangUp(held, message.cause)
    }
  }

  #hold(key: string, callId: string, trunkId: string | null): HeldCall {
    const held: HeldCall = {
      ...{ key, callId, trunkId, sessionId: null, arriving: null, placing: null, call: null },
      ...{ offers: new Map(), lastOffer: 0 },
    }
    this.#calls.set(key, held)
    return held
  }

  #arrivalOf(held: HeldCall, media: Pick<SipArrival, 'offer' | 'terms' | 'resumed'>): Arrival {
    const { key: call, callId, trunkId } = held
    return {
      carrier: 'sip',
      handover: { payload: { call, callId, trunkId, ...media } satisfies SipArrival, transfer: [] },
      refuse: () => this.#hangUp(held, causeOfStatus(480)),
    }
  }

  #admitted(held: HeldCall, admission: Admission | { readonly is: 'broken' }): void {
    this.#wasFull = admission.is === 'full'
    if (admission.is === 'in') {
      held.sessionId = admission.sessionId
      if (held.arriving) return void held.arriving.ring()
      if (held.call) return
      // It was cancelled while it was being admitted.
      this.#parts.post({ type: 'ended', call: held.key, cause: causeOfStatus(487, 'The caller hung up.') })
      return void this.#end(held)
    }
    const { arriving } = held
    this.#end(held)
    if (admission.is === 'unknown') arriving?.reject(404)
    else if (admission.is === 'full') arriving?.reject(503, [retryAfter(10)])
    else arriving?.reject(500)
  }

  #accept(held: HeldCall, sdp: string): void {
    const { arriving } = held
    if (!arriving) return
    held.arriving = null
    held.call = arriving.accept(sdp, this.#listenerOf(held))
    if (!held.call) this.#farEnd(held, causeOfStatus(487))
  }

  async #place(key: string, order: Order): Promise<void> {
    const held = this.#hold(key, key, order.trunkId)
    held.sessionId = order.sessionId
    const trunk = this.#parts.book.byId(order.trunkId)
    const addresses = trunk && addressesOf(trunk, order.to, order.from)
    if (this.#isDraining) return this.#farEnd(held, causeOfStatus(503, 'The service is stopping.'))
    if (!trunk)
      return this.#farEnd(
        held,
        causeOfStatus(503, 'The telephone number of this call has no trunk any more.'),
      )
    if (!addresses) return this.#farEnd(held, causeOfStatus(484, 'The address cannot be called.'))
    const routes = [...this.#parts.book.routesOf(trunk), ...addresses.routes]
    const next = routes[0]?.replace(/^<|>.*$/g, '') ?? addresses.to
    const [peer] = await this.#parts.resolve(next, trunk.transport)
    if (!peer)
      return this.#farEnd(
        held,
        causeOfStatus(503, `The host of the trunk, ${trunk.host}, cannot be resolved.`),
      )
    // It may have been hung up meanwhile.
    if (!this.#calls.has(key)) return
    held.placing = { trunk, addresses: { ...addresses, routes }, peer, inPlain: false }
    this.#describe(held, held.placing)
  }

  #describe(held: HeldCall, { trunk, peer, inPlain }: Placing): void {
    const terms = termsFor(trunk, this.#parts.addressTowards(peer))
    this.#parts.post({ type: 'describe', call: held.key, terms: inPlain ? { ...terms, srtp: 'off' } : terms })
  }

  #invite(held: HeldCall, sdp: string): void {
    const { placing, callId } = held
    if (!placing || held.call) return
    const { trunk, addresses } = placing
    const { credentials, transport } = trunk
    const listener = this.#placedListenerOf(held, placing)
    held.call = this.#parts.agent.place({ callId, ...addresses, sdp, credentials, transport, listener })
  }

  #placedListenerOf(held: HeldCall, placing: Placing): PlacedListener {
    const { post } = this.#parts
    const listener = this.#listenerOf(held)
    return {
      ...listener,
      onProvisional: (status, sdp) => post({ type: 'provisional', call: held.key, status, sdp }),
      onAnswered: (sdp) => {
        held.placing = null
        post({ type: 'answered', call: held.key, sdp })
      },
      onEnded: (cause) => {
        // RFC 8643: who cannot read the keys in an offer refuses it, and takes one without.
        const retries = held.placing === placing && cause.status === 488 && !placing.inPlain
        if (!retries || placing.trunk.srtp !== 'optional') return listener.onEnded(cause)
        held.call = null
        held.placing = { ...placing, inPlain: true }
        this.#describe(held, held.placing)
      },
    }
  }

  #listenerOf(held: HeldCall): EstablishedListener {
    const { post } = this.#parts
    const call = held.key
    return {
      onOffer: (offer) => {
        const number = ++held.lastOffer
        held.offers.set(number, offer)
        post({ type: 'offered', call, offer: number, sdp: offer.sdp })
      },
      onLateAnswer: (sdp) => post({ type: 'late-answer', call, sdp }),
      onInfo: (contentType, body) => post({ type: 'info', call, contentType, body }),
      onTransferProgress: (status) => post({ type: 'transfer-progress', call, status }),
      onState: (state) => {
        const { sessionId, trunkId } = held
        if (sessionId !== null && this.#calls.has(call))
          this.#parts.keepState(sessionId, printKept({ trunkId, state }))
      },
      onEnded: (cause) => this.#farEnd(held, cause),
    }
  }

  #settleOffer(held: HeldCall, number: number): FarOffer | undefined {
    const offer = held.offers.get(number)
    held.offers.delete(number)
    return offer
  }

  async #offer(held: HeldCall, request: number, sdp: string): Promise<void> {
    const answer = await held.call?.offer(sdp).catch(() => undefined)
    const result =
      answer && 'sdp' in answer
        ? ({ is: 'accepted', sdp: answer.sdp } as const)
        : ({ is: 'refused', cause: answer?.refused ?? causeOfStatus(481) } as const)
    this.#parts.post({ type: 'result', call: held.key, request, result })
  }

  async #refer(held: HeldCall, request: number, to: string): Promise<void> {
    const target = held.call?.dialog && referTarget(held.call.dialog.remoteTarget, to)
    const answer = target ? await held.call?.refer(target).catch(() => undefined) : undefined
    const result = resultOfRefer(answer)
    this.#parts.post({ type: 'result', call: held.key, request, result })
  }

  #hangUp(held: HeldCall, cause: SipCause): void {
    // Not 487: that is the answer to a CANCEL. Not 603: some carriers try again elsewhere.
    const status = cause.status < 400 || cause.status === 487 ? 480 : cause.status
    held.arriving?.reject(status, status === 503 ? [retryAfter(10)] : [])
    held.call?.hangUp(cause)
    this.#end(held)
  }

  /** The far end, or the network, ended it. */
  #farEnd(held: HeldCall, cause: SipCause): void {
    // After our own hang-up nobody is left to be told.
    if (!this.#calls.has(held.key)) return
    this.#parts.post({ type: 'ended', call: held.key, cause })
    this.#end(held)
  }

  #end(held: HeldCall): void {
    held.arriving = held.placing = held.call = null
    if (!this.#calls.delete(held.key)) return
    if (held.sessionId !== null) this.#parts.keepState(held.sessionId, null)
    this.#ended.add(held)
    this.#parts.after(lastWordsMs, () => this.#keep(held))
  }

  #keep(held: HeldCall): void {
    if (!this.#ended.delete(held)) return
    const signalling = this.#parts.trace.take(held.callId)
    if (held.sessionId !== null && signalling.messages.length > 0)
      this.#parts.keepSignalling(held.sessionId, signalling)
  }
}
