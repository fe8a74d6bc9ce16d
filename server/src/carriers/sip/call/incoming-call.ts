// A call that comes to us (RFC 3261 §13.3): it rings, and is answered, refused or cancelled.
import { ClientAuth } from '../auth/client-auth.ts'
import { answerTo } from '../message/answer.ts'
import { bodyRefusal, sdpOf } from '../message/body.ts'
import { optionTags } from '../message/headers.ts'
import { type Header, headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { Destination } from '../transport/transport.ts'
import { Call, type Establish } from './call.ts'
import {
  allowsUpdate,
  type CallListener,
  capabilities,
  type SipCallParts,
  sdpBody,
  sdpType,
} from './call-parts.ts'
import { causeOfCancel, causeOfStatus, reasonHeaders, type SipCause } from './causes.ts'
import { type Dialog, dialogOfCallee, keyOf } from './dialog.ts'
import type { EstablishedCall } from './established-call.ts'
import { ReliableAnswers } from './reliable-answers.ts'
import { type TimerAnswer, timerAnswer } from './session-timer.ts'

export interface IncomingCallParts extends SipCallParts {
  readonly incoming: IncomingRequest
  /** Requests of this dialog are for the call from now on, until `onLeft`. */
  readonly onEarly: (key: string, call: IncomingCall) => void
  readonly onLeft: (key: string) => void
  readonly establish: Establish
}

/** Proxies forget a call without a provisional answer for three minutes (§13.3.1.1). */
const reminderMs = 60_000

export class IncomingCall {
  readonly #parts: IncomingCallParts
  readonly #dialog: Dialog | null
  readonly #timer: TimerAnswer
  readonly #reliable: ReliableAnswers
  /** The accepted call, while its 2xx waits for a PRACK. */
  #unsent: EstablishedCall | null = null
  #isOver = false
  #isAccepted = false
  #cancelReminder = () => {}
  #cancelExpiry = () => {}
  /** The caller gave up before the decision, or the answer could not be delivered. */
  onCancelled: (cause: SipCause) => void = () => {}

  constructor(parts: IncomingCallParts) {
    this.#parts = parts
    const { incoming, after, random } = parts
    this.#dialog = dialogOfCallee(incoming.request, incoming.tag)
    this.#timer = timerAnswer(incoming.request)
    this.#reliable = new ReliableAnswers({
      after,
      random,
      incoming,
      onTimeout: () => this.#fail(504, causeOfStatus(504, 'A provisional answer was never acknowledged.')),
    })
    incoming.onCancel = (cancel) => this.#fail(487, causeOfCancel(cancel))
    this.#expire()
  }

  get request(): SipRequest {
    return this.#parts.incoming.request
  }

  get peer(): Destination {
    return this.#parts.incoming.flow.peer
  }

  /** null: the caller wants our offer. */
  get offer(): string | null {
    return sdpOf(this.request)
  }

  /** Answers 100, which stops repetitions. False: the request cannot become a call, and was refused. */
  begin(): boolean {
    const refusal = this.#refusal
    if (refusal) {
      this.reject(refusal.status, refusal.headers, refusal.reason)
      return false
    }
    this.#parts.onEarly(this.#key, this)
    this.#parts.incoming.respond(answerTo(this.request, 100))
    return true
  }

  ring(): void {
    this.#provisional(180, null)
  }

  /** Sound before the answer. */
  early(sdp: string): void {
    this.#provisional(183, sdp)
  }

  reject(status: number, headers: readonly Header[] = [], reason?: string): void {
    this.#parts.onLeft(this.#key)
    if (this.#isOver) return
    this.#end()
    const hasReason = status < 400 || headers.some(({ name }) => name === 'Reason')
    const why = hasReason ? [] : reasonHeaders(causeOfStatus(status)).slice(0, 1)
    const { incoming } = this.#parts
    const more = { headers: [...headers, ...why], ...(reason && { reason }) }
    incoming.respond(answerTo(this.request, status, { tag: incoming.tag, ...more }))
  }

  /** null: the call was cancelled or accepted before. */
  accept(sdp: string, listener: CallListener): Call | null {
    const call = new Call(this.#dialog?.callId ?? '', () => {})
    return this.#accept(sdp, listener, call, () => {}) ? call : null
  }

  /** Takes the place of a call that we have. The owner of that call gets an offer like any other (RFC 3891). */
  replace(call: Call, listener: CallListener): void {
    const before = call.established
    listener.onOffer({
      sdp: this.offer,
      accept: (sdp) => void this.#accept(sdp, listener, call, () => before?.replaced()),
      refuse: (status) => this.reject(status),
    })
  }

  /** Requests in the early dialog: PRACK, UPDATE, and a BYE of the caller, which ends it (§15). */
  receive(incoming: IncomingRequest): void {
    const { request } = incoming
    if (request.method === 'PRACK') return void this.#reliable.receivePrack(incoming)
    if (request.method === 'BYE') {
      incoming.respond(answerTo(request, 200))
      return void this.#fail(487, causeOfCancel(request))
    }
    if (request.method !== 'UPDATE') return void incoming.respond(answerTo(request, 481))
    // The offer in the INVITE is not answered before the call is (RFC 3311 §5.2).
    const headers = [{ name: 'Retry-After', value: '5' }]
    if (sdpOf(request) !== null) return void incoming.respond(answerTo(request, 500, { headers }))
    incoming.respond(answerTo(request, 200, { headers: this.#capabilities() }))
  }

  get #key(): string {
    return this.#dialog ? keyOf(this.#dialog) : ''
  }

  /** Faults of the INVITE that no decision about the call can change. */
  get #refusal(): {
    readonly status: number
    readonly headers?: readonly Header[]
    readonly reason?: string
  } | null {
    if (!this.#dialog) return { status: 400, reason: 'Missing Contact' }
    if (this.#timer.is === 'too-small') return { status: 422, headers: this.#timer.headers }
    return bodyRefusal(this.request)
  }

  #accept(sdp: string, listener: CallListener, call: Call, onSent: () => void): boolean {
    const dialog = this.#dialog
    if (this.#isOver || this.#isAccepted || !dialog) return false
    this.#isAccepted = true
    this.#cancelReminder()
    const { incoming, random } = this.#parts
    const headers = [...this.#capabilities(), ...this.#timer.headers, sdpType]
    const response = answerTo(this.request, 200, { tag: incoming.tag, headers, body: sdpBody(sdp) })
    const established = this.#parts.establish(
      {
        ...this.#parts,
        dialog,
        auth: new ClientAuth(null, random),
        peer: this.peer,
        weCalled: false,
        localSdp: sdp,
        remoteSdp: this.offer,
        interval: this.#timer.is === 'agreed' ? this.#timer.interval : null,
        peerAllowsUpdate: allowsUpdate(this.request),
        listener,
      },
      call,
    )
    this.#unsent = established
    established.onPrack = (prack) => this.receive(prack)
    established.unsent = { refuse: () => this.reject(480) }
    this.#reliable.whenSettled(() => {
      if (this.#isOver) return
      this.#end()
      incoming.respond(response)
      this.#unsent = null
      established.unsent = null
      this.#parts.onLeft(this.#key)
      established.answeredWith(incoming, response)
      onSent()
    })
    return true
  }

  #provisional(status: number, sdp: string | null): void {
    if (this.#isOver || this.#isAccepted) return
    const isReliable = optionTags(this.request, 'Require').includes('100rel')
    // The first reliable answer to an INVITE without an offer would have to be one (RFC 3262 §5): only the 2xx is.
    if (isReliable && this.offer === null) return
    const headers = [...this.#capabilities(), ...(sdp === null ? [] : [sdpType])]
    const { tag } = this.#parts.incoming
    const answer = answerTo(this.request, status, {
      tag,
      headers,
      ...(sdp !== null && { body: sdpBody(sdp) }),
    })
    if (isReliable) return void this.#reliable.send(answer)
    this.#parts.incoming.respond(answer)
    this.#remind(answer)
  }

  #remind(answer: SipResponse): void {
    this.#cancelReminder()
    this.#cancelReminder = this.#parts.after(reminderMs, () => {
      this.#parts.incoming.respond(answer)
      this.#remind(answer)
    })
  }

  /** Ends the call after the time that the caller has given in Expires (§13.3.1). */
  #expire(): void {
    const seconds = Number(headerOf(this.request, 'Expires'))
    if (!Number.isInteger(seconds) || seconds <= 0) return
    const act = () =>
      this.#fail(487, causeOfStatus(487, 'The call was not answered in the time that the caller gave.'))
    this.#cancelExpiry = this.#parts.after(Math.min(seconds, 3_600) * 1_000, act)
  }

  #fail(status: number, cause: SipCause): void {
    if (this.#isOver) return
    this.reject(status)
    if (this.#unsent) this.#unsent.end(cause)
    else this.onCancelled(cause)
  }

  #capabilities(): Header[] {
    return capabilities(this.#parts.contact(this.peer))
  }

  #end(): void {
    this.#isOver = true
    this.#cancelReminder()
    this.#cancelExpiry()
    this.#reliable.stop()
  }
}
