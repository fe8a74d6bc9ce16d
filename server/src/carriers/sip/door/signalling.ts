// The calls of this process between the user agent and their lines in the media thread: what one says, the other hears.
import type { Log } from '../../../platform/log.ts'
import type { Admission, Admit, Arrival, CallRoom } from '../../../ports/arrival.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { SipCaller } from '../auth/identity.ts'
import type { VerifyCaller } from '../auth/verify-caller.ts'
import type { CallListener, FarOffer, SipCause } from '../call/call-parts.ts'
import { causeOfStatus } from '../call/causes.ts'
import { readKept, sdpOrigin } from '../call/saved-call.ts'
import type { Arriving, UserAgent } from '../call/user-agent.ts'
import { type Order, type SipArrival, type ToSignalling, termsFor } from '../line/link.ts'
import type { Header, SipRequest } from '../message/message.ts'
import type { TrunkBook } from '../trunk/trunk-book.ts'
import { type CallEntry, CallTable, type CallTableParts } from './call-table.ts'
import { OrderPlacer, type OrderPlacerParts } from './order-placer.ts'
import { referTarget, resultOfRefer } from './refer.ts'
import { Referrals, type ReferralsParts } from './referrals.ts'

export interface CallSignallingParts extends CallTableParts, OrderPlacerParts, ReferralsParts {
  readonly agent: Pick<UserAgent, 'place' | 'restore'>
  readonly book: Pick<TrunkBook, 'byId' | 'routesOf' | 'at' | 'usersNamed'>
  readonly admit: Admit
  readonly verify: VerifyCaller
  readonly room: () => CallRoom
  readonly log: Pick<Log, 'warn'>
}

/** The number does not take calls of callers that nobody has verified. */
interface VerificationRefusal {
  readonly is: 'unverified'
  readonly status: number
}

const retryAfter = (seconds: number): Header => ({ name: 'Retry-After', value: String(seconds) })

export class CallSignalling {
  readonly #parts: CallSignallingParts
  readonly #calls: CallTable
  readonly #placer: OrderPlacer
  readonly #referrals: Referrals
  #isDraining = false

  constructor(parts: CallSignallingParts) {
    this.#parts = parts
    this.#calls = new CallTable(parts)
    const listenerOf = (held: CallEntry) => this.#listenerOf(held)
    this.#placer = new OrderPlacer(parts, this.#calls, listenerOf)
    this.#referrals = new Referrals(parts, listenerOf, (held, cause) => this.#farEnd(held, cause))
  }

  /** None: OPTIONS is answered with 503, so that trunks and proxies call elsewhere. */
  get room(): CallRoom {
    const room = this.#parts.room()
    return this.#isDraining ? { ...room, free: 0 } : room
  }

  drain(): void {
    this.#isDraining = true
  }

  /** The media thread has died, and every line with it. */
  lose(): void {
    const cause = causeOfStatus(500, 'The call was lost.')
    for (const held of this.#calls.all) this.#hangUp(held, cause)
  }

  close(): void {
    this.lose()
    this.#calls.close()
  }

  /** Goes on with the call of another process; null: it cannot be understood. */
  resume(sessionId: string, kept: string): Arrival | null {
    const found = readKept(kept)
    if (!found || this.#isDraining) return null
    const { state, trunkId } = found
    const { transport, address, port } = state.peer
    const trunk = this.#parts.book.byId(trunkId)
    const held = this.#calls.hold(this.#parts.random(16), state.dialog.callId, trunkId, sessionId)
    held.call = this.#parts.agent.restore(state, {
      credentials: trunk?.credentials ?? null,
      transport,
      listener: this.#listenerOf(held),
    })
    const terms = termsFor(trunk, this.#parts.addressTowards({ transport, address, port }))
    return this.#arrivalOf(held, { offer: null, terms, resumed: sdpOrigin(state.localSdp) })
  }

  /** Another process goes on with it. False: it has ended here. */
  abandon(sessionId: string, onHungUp: () => void): boolean {
    const held = this.#calls.ofSession(sessionId)
    if (!held?.call) return false
    held.call.abandon(onHungUp)
    this.#calls.forget(held)
    this.#parts.post({
      type: 'ended',
      call: held.key,
      cause: causeOfStatus(500, 'Another process has the call.'),
    })
    return true
  }

  async arrive(arriving: Arriving, callId: string, caller: SipCaller): Promise<void> {
    if (this.#isDraining) return arriving.reject(503, [retryAfter(5)])
    const { trunk } = caller
    const held = this.#calls.hold(this.#parts.random(16), callId, trunk?.id ?? null)
    held.arriving = arriving
    arriving.onCancelled = (cause) => {
      held.arriving = null
      // Before it is admitted there is no line that could be told.
      if (held.sessionId !== null) this.#parts.post({ type: 'ended', call: held.key, cause })
      this.#calls.end(held)
    }
    const terms = termsFor(trunk, this.#parts.addressTowards(arriving.peer))
    const arrival = this.#arrivalOf(held, { offer: arriving.offer, terms, resumed: null })
    const admission = await this.#admit(held, arriving.request, caller, arrival).catch((err: unknown) => {
      this.#parts.log.warn({ err }, 'a telephone call could not be admitted')
      return { is: 'broken' } as const
    })
    this.#admitted(held, admission)
  }

  async #admit(
    held: CallEntry,
    request: SipRequest,
    caller: SipCaller,
    arrival: Arrival,
  ): Promise<Admission | VerificationRefusal> {
    const { trunkId, called, caller: number } = caller
    const { variables, refusal } = await this.#parts.verify(request, caller)
    if (refusal !== null) return { is: 'unverified', status: refusal }
    // The certificate of a signature takes its time: the caller may have hung up.
    if (!this.#calls.isLive(held)) return { is: 'unknown' }
    const from = { trunkId, called, caller: number, variables }
    return this.#parts.admit({ by: 'number', provider: 'sip', ...from }, arrival)
  }

  receive(message: ToSignalling): void {
    if (message.type === 'place') return void this.#place(message.call, message)
    const held = this.#calls.get(message.call)
    if (!held) return
    switch (message.type) {
      case 'described':
        return void this.#placer.invite(held, message.sdp)
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

  #arrivalOf(held: CallEntry, media: Pick<SipArrival, 'offer' | 'terms' | 'resumed'>): Arrival {
    const { key: call, callId, trunkId } = held
    return {
      carrier: 'sip',
      handover: { payload: { call, callId, trunkId, ...media } satisfies SipArrival, transfer: [] },
      refuse: () => this.#hangUp(held, causeOfStatus(480)),
    }
  }

  #admitted(held: CallEntry, admission: Admission | VerificationRefusal | { readonly is: 'broken' }): void {
    if (admission.is === 'in') {
      held.sessionId = admission.sessionId
      if (held.arriving) return void held.arriving.ring()
      if (held.call) return
      // It was cancelled while it was being admitted.
      this.#parts.post({ type: 'ended', call: held.key, cause: causeOfStatus(487, 'The caller hung up.') })
      return void this.#calls.end(held)
    }
    const { arriving } = held
    this.#calls.end(held)
    if (admission.is === 'unknown') arriving?.reject(404)
    else if (admission.is === 'unverified') arriving?.reject(admission.status)
    else if (admission.is === 'full') this.#reject(arriving, this.#trunkOf(held)?.fullStatus ?? 503)
    // Whatever the trunk wants to hear of a full line: another process has room.
    else if (admission.is === 'draining') this.#reject(arriving, 503)
    else arriving?.reject(500)
  }

  #accept(held: CallEntry, sdp: string): void {
    const { arriving } = held
    if (!arriving) return
    held.arriving = null
    held.call = arriving.accept(sdp, this.#listenerOf(held))
    if (!held.call) this.#farEnd(held, causeOfStatus(487))
  }

  async #place(key: string, order: Order): Promise<void> {
    const { trunkId, sessionId, legOf } = order
    const held =
      legOf === null
        ? this.#calls.hold(key, key, trunkId, sessionId)
        : this.#calls.holdLeg(key, trunkId, legOf)
    const fault = this.#isDraining
      ? causeOfStatus(503, 'The service is stopping.')
      : await this.#placer.place(held, order)
    if (fault) this.#farEnd(held, fault)
  }

  #listenerOf(held: CallEntry): CallListener {
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
      onRefer: (refer) => this.#referrals.receive(held, refer),
      onState: (state) => this.#calls.keepState(held, state),
      onEnded: (cause) => this.#farEnd(held, cause),
    }
  }

  #settleOffer(held: CallEntry, number: number): FarOffer | undefined {
    const offer = held.offers.get(number)
    held.offers.delete(number)
    return offer
  }

  async #offer(held: CallEntry, request: number, sdp: string): Promise<void> {
    const answer = await held.call?.offer(sdp).catch(() => undefined)
    const result =
      answer && 'sdp' in answer
        ? ({ is: 'accepted', sdp: answer.sdp } as const)
        : ({ is: 'refused', cause: answer?.refused ?? causeOfStatus(481) } as const)
    this.#parts.post({ type: 'result', call: held.key, request, result })
  }

  async #refer(held: CallEntry, request: number, to: string): Promise<void> {
    const target = held.call?.dialog && referTarget(held.call.dialog.remoteTarget, to)
    const answer = target ? await held.call?.refer(target).catch(() => undefined) : undefined
    const result = resultOfRefer(answer)
    this.#parts.post({ type: 'result', call: held.key, request, result })
  }

  #hangUp(held: CallEntry, cause: SipCause): void {
    // Not 487: that is the answer to a CANCEL. Not 603, unless the trunk wants it: some carriers try again elsewhere.
    const isUnanswered = cause.status < 400 || cause.status === 480 || cause.status === 487
    const status = isUnanswered ? (this.#trunkOf(held)?.unansweredStatus ?? 480) : cause.status
    this.#reject(held.arriving, status)
    held.call?.hangUp(cause)
    held.referral?.call?.hangUp(cause)
    this.#calls.end(held)
  }

  #trunkOf(held: CallEntry): Trunk | null {
    return this.#parts.book.byId(held.trunkId)
  }

  #reject(arriving: Arriving | null, status: number): void {
    arriving?.reject(status, status === 503 ? [retryAfter(10)] : [])
  }

  /** The far end, or the network, ended it. */
  #farEnd(held: CallEntry, cause: SipCause): void {
    // After our own hang-up nobody is left to be told.
    if (!this.#calls.isLive(held)) return
    if (held.referral && held.call) {
      // It need not wait to see what comes of its own transfer.
      held.referral.leftWith = cause
      held.call = null
      return
    }
    this.#parts.post({ type: 'ended', call: held.key, cause })
    this.#calls.end(held)
  }
}
