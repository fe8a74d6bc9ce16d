// The calls of this process between the user agent and their lines in the media thread.
import type { Log } from '../../../platform/log.ts'
import type { Admission, Admit, Arrival, CallRoom } from '../../../ports/arrival.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { SipCaller } from '../auth/identity.ts'
import type { VerifyCaller } from '../auth/verify-caller.ts'
import type { CallListener, FarOffer } from '../call/call-parts.ts'
import { causeOfStatus, type SipCause } from '../call/causes.ts'
import type { IncomingCall } from '../call/incoming-call.ts'
import { readSavedCall, sdpOrigin } from '../call/saved-call.ts'
import type { FinalAnswer } from '../call/send-request.ts'
import { referTarget } from '../call/transfers.ts'
import type { UserAgent } from '../call/user-agent.ts'
import { type Order, type RequestResult, type SipArrival, type ToSignalling, termsFor } from '../line/link.ts'
import type { Header, SipRequest } from '../message/message.ts'
import type { TrunkBook } from '../trunk/trunk-book.ts'
import { type CallEntry, CallTable, type CallTableParts } from './call-table.ts'
import { OrderPlacer, type OrderPlacerParts } from './order-placer.ts'
import { Referrals, type ReferralsParts } from './referrals.ts'

type PlacerParts = Omit<OrderPlacerParts, 'calls' | 'listenerOf'>
type OwnReferralsParts = Omit<ReferralsParts, 'listenerOf' | 'onEnded'>

export interface CallSignallingParts extends CallTableParts, PlacerParts, OwnReferralsParts {
  readonly agent: Pick<UserAgent, 'place' | 'restore'>
  readonly book: Pick<TrunkBook, 'byId' | 'routesOf' | 'at' | 'usersNamed'>
  readonly admit: Admit
  readonly verify: VerifyCaller
  readonly room: () => CallRoom
  readonly log: Pick<Log, 'warn'>
}

/** The number refuses callers whose number is not verified. */
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
    const listenerOf = (entry: CallEntry) => this.#listenerOf(entry)
    this.#placer = new OrderPlacer({ ...parts, calls: this.#calls, listenerOf })
    const onEnded = (entry: CallEntry, cause: SipCause) => this.#farEnd(entry, cause)
    this.#referrals = new Referrals({ ...parts, listenerOf, onEnded })
  }

  /** The room for calls. While the process stops there is none, and OPTIONS is answered with 503. */
  get room(): CallRoom {
    const room = this.#parts.room()
    return this.#isDraining ? { ...room, free: 0 } : room
  }

  drain(): void {
    this.#isDraining = true
  }

  /** Hangs up all calls, because the media thread has died with their lines. */
  lose(): void {
    const cause = causeOfStatus(500, 'The call was lost.')
    for (const entry of this.#calls.all) this.#hangUp(entry, cause)
  }

  close(): void {
    this.lose()
    this.#calls.close()
  }

  /** Continues the call of another process; null: the saved call cannot be read, or this process stops. */
  resume(sessionId: string, kept: string): Arrival | null {
    const saved = readSavedCall(kept)
    if (!saved || this.#isDraining) return null
    const { state, trunkId } = saved
    const { transport, address, port } = state.peer
    const trunk = this.#parts.book.byId(trunkId)
    const entry = this.#calls.add(this.#parts.random(16), state.dialog.callId, trunkId, sessionId)
    entry.call = this.#parts.agent.restore(state, {
      credentials: trunk?.credentials ?? null,
      transport,
      listener: this.#listenerOf(entry),
    })
    const terms = termsFor(trunk, this.#parts.addressTowards({ transport, address, port }))
    return this.#arrivalOf(entry, { offer: null, terms, resumed: sdpOrigin(state.localSdp) })
  }

  /** Leaves a call to another process. False: it has ended here. */
  abandon(sessionId: string, onHungUp: () => void): boolean {
    const entry = this.#calls.ofSession(sessionId)
    if (!entry?.call) return false
    entry.call.abandon(onHungUp)
    this.#calls.forget(entry)
    const cause = causeOfStatus(500, 'Another process has the call.')
    this.#parts.post({ type: 'ended', call: entry.key, cause })
    return true
  }

  async arrive(incoming: IncomingCall, callId: string, caller: SipCaller): Promise<void> {
    if (this.#isDraining) return incoming.reject(503, [retryAfter(5)])
    const { trunk } = caller
    const entry = this.#calls.add(this.#parts.random(16), callId, trunk?.id ?? null)
    entry.incoming = incoming
    incoming.onCancelled = (cause) => {
      entry.incoming = null
      // A call has no line before it is admitted.
      if (entry.sessionId !== null) this.#parts.post({ type: 'ended', call: entry.key, cause })
      this.#calls.end(entry)
    }
    const terms = termsFor(trunk, this.#parts.addressTowards(incoming.peer))
    const arrival = this.#arrivalOf(entry, { offer: incoming.offer, terms, resumed: null })
    const admission = await this.#admit(entry, incoming.request, caller, arrival).catch((err: unknown) => {
      this.#parts.log.warn({ err }, 'a telephone call could not be admitted')
      return { is: 'broken' } as const
    })
    this.#admitted(entry, admission)
  }

  async #admit(
    entry: CallEntry,
    request: SipRequest,
    caller: SipCaller,
    arrival: Arrival,
  ): Promise<Admission | VerificationRefusal> {
    const { trunkId, called, caller: number } = caller
    const { variables, refusal } = await this.#parts.verify(request, caller)
    if (refusal !== null) return { is: 'unverified', status: refusal }
    // The caller may have hung up while the certificate was fetched.
    if (!this.#calls.isLive(entry)) return { is: 'unknown' }
    const from = { trunkId, called, caller: number, variables }
    return this.#parts.admit({ by: 'number', provider: 'sip', ...from }, arrival)
  }

  receive(message: ToSignalling): void {
    if (message.type === 'place') return void this.#place(message.call, message)
    const entry = this.#calls.get(message.call)
    if (!entry) return
    switch (message.type) {
      case 'described':
        return void this.#placer.invite(entry, message.sdp)
      case 'accept':
        return void this.#accept(entry, message.sdp)
      case 'answer-offer':
        return void this.#settleOffer(entry, message.offer)?.accept(message.sdp)
      case 'refuse-offer':
        return void this.#settleOffer(entry, message.offer)?.refuse(488)
      case 'offer':
        return void this.#offer(entry, message.request, message.sdp)
      case 'refer':
        return void this.#refer(entry, message.request, message.to)
      case 'hang-up':
        return void this.#hangUp(entry, message.cause)
    }
  }

  #arrivalOf(entry: CallEntry, media: Pick<SipArrival, 'offer' | 'terms' | 'resumed'>): Arrival {
    const { key: call, callId, trunkId } = entry
    return {
      carrier: 'sip',
      handover: { payload: { call, callId, trunkId, ...media } satisfies SipArrival, transfer: [] },
      refuse: () => this.#hangUp(entry, causeOfStatus(480)),
    }
  }

  #admitted(entry: CallEntry, admission: Admission | VerificationRefusal | { readonly is: 'broken' }): void {
    if (admission.is === 'in') {
      entry.sessionId = admission.sessionId
      if (entry.incoming) return void entry.incoming.ring()
      if (entry.call) return
      // The call was cancelled while it was being admitted.
      this.#parts.post({ type: 'ended', call: entry.key, cause: causeOfStatus(487, 'The caller hung up.') })
      return void this.#calls.end(entry)
    }
    const { incoming } = entry
    this.#calls.end(entry)
    if (admission.is === 'unknown') incoming?.reject(404)
    else if (admission.is === 'unverified') incoming?.reject(admission.status)
    else if (admission.is === 'full') this.#reject(incoming, this.#trunkOf(entry)?.fullStatus ?? 503)
    // Not the trunk's status for a full line, because another process has room.
    else if (admission.is === 'draining' || admission.is === 'overloaded') this.#reject(incoming, 503)
    else incoming?.reject(500)
  }

  #accept(entry: CallEntry, sdp: string): void {
    const { incoming } = entry
    if (!incoming) return
    entry.incoming = null
    entry.call = incoming.accept(sdp, this.#listenerOf(entry))
    if (!entry.call) this.#farEnd(entry, causeOfStatus(487))
  }

  async #place(key: string, order: Order): Promise<void> {
    const { trunkId, sessionId, legOf } = order
    const entry =
      legOf === null ? this.#calls.add(key, key, trunkId, sessionId) : this.#calls.addLeg(key, trunkId, legOf)
    const fault = this.#isDraining
      ? causeOfStatus(503, 'The service is stopping.')
      : await this.#placer.place(entry, order)
    if (fault) this.#farEnd(entry, fault)
  }

  #listenerOf(entry: CallEntry): CallListener {
    const { post } = this.#parts
    const call = entry.key
    return {
      onOffer: (offer) => {
        const number = ++entry.lastOffer
        entry.offers.set(number, offer)
        post({ type: 'offered', call, offer: number, sdp: offer.sdp })
      },
      onLateAnswer: (sdp) => post({ type: 'late-answer', call, sdp }),
      onInfo: (contentType, body) => post({ type: 'info', call, contentType, body }),
      onTransferProgress: (status) => post({ type: 'transfer-progress', call, status }),
      onRefer: (refer) => this.#referrals.receive(entry, refer),
      onState: (state) => this.#calls.keepState(entry, state),
      onEnded: (cause) => this.#farEnd(entry, cause),
    }
  }

  #settleOffer(entry: CallEntry, number: number): FarOffer | undefined {
    const offer = entry.offers.get(number)
    entry.offers.delete(number)
    return offer
  }

  async #offer(entry: CallEntry, request: number, sdp: string): Promise<void> {
    const answer = await entry.call?.offer(sdp).catch(() => undefined)
    const result =
      answer && 'sdp' in answer
        ? ({ is: 'accepted', sdp: answer.sdp } as const)
        : ({ is: 'refused', cause: answer?.refused ?? causeOfStatus(481) } as const)
    this.#parts.post({ type: 'result', call: entry.key, request, result })
  }

  async #refer(entry: CallEntry, request: number, to: string): Promise<void> {
    const target = entry.call?.dialog && referTarget(entry.call.dialog.remoteTarget, to)
    const answer = target ? await entry.call?.refer(target).catch(() => undefined) : undefined
    this.#parts.post({ type: 'result', call: entry.key, request, result: resultOfRefer(answer) })
  }

  #hangUp(entry: CallEntry, cause: SipCause): void {
    // Not 487, which answers a CANCEL, and 603 only if the trunk wants it: some carriers try again elsewhere.
    const isUnanswered = cause.status < 400 || cause.status === 480 || cause.status === 487
    const status = isUnanswered ? (this.#trunkOf(entry)?.unansweredStatus ?? 480) : cause.status
    this.#reject(entry.incoming, status)
    entry.call?.hangUp(cause)
    entry.referral?.call?.hangUp(cause)
    this.#calls.end(entry)
  }

  #trunkOf(entry: CallEntry): Trunk | null {
    return this.#parts.book.byId(entry.trunkId)
  }

  #reject(incoming: IncomingCall | null, status: number): void {
    incoming?.reject(status, status === 503 ? [retryAfter(10)] : [])
  }

  /** The far end or the network has ended a call. */
  #farEnd(entry: CallEntry, cause: SipCause): void {
    // After our own hang-up there is no line to be told.
    if (!this.#calls.isLive(entry)) return
    if (entry.referral && entry.call) {
      // The far end need not wait for the result of its own transfer.
      entry.referral.leftWith = cause
      entry.call = null
      return
    }
    this.#parts.post({ type: 'ended', call: entry.key, cause })
    this.#calls.end(entry)
  }
}

/** The result of a REFER; `answer` is undefined if the call was over. */
function resultOfRefer(answer: FinalAnswer | undefined): RequestResult {
  if (answer === undefined) return { is: 'refused', cause: causeOfStatus(481) }
  if (answer === 'no-answer') return { is: 'refused', cause: causeOfStatus(408) }
  if (answer.status < 300) return { is: 'accepted', sdp: null }
  return { is: 'refused', cause: causeOfStatus(answer.status, answer.reason, answer) }
}
