// A call that comes to us (RFC 3261 §13.3): rings, is answered, refused or cancelled.
import { answerTo } from '../message/answer.ts'
import { bodyRefusal, sdpOf } from '../message/body.ts'
import { optionTags } from '../message/headers.ts'
import { elementsOf, type Header, headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import { capabilities, type SipCallParts, type SipCause, sdpBody, sdpType } from './call-parts.ts'
import { causeOfCancel, causeOfStatus, reasonHeaders } from './causes.ts'
import { type Dialog, dialogOfCallee, keyOf } from './dialog.ts'
import { ReliableAnswers } from './reliable-answers.ts'
import { type SessionInterval, type TimerAnswer, timerAnswer } from './session-timer.ts'

export interface InboundListener {
  /** The caller gave up, or the answer could not be brought to it. */
  onCancelled(cause: SipCause): void
}

export interface InboundParts extends Pick<SipCallParts, 'after' | 'random' | 'contact'> {
  readonly incoming: IncomingRequest
  readonly listener: InboundListener
}

export interface Accepted {
  readonly dialog: Dialog
  readonly remoteSdp: string | null
  readonly interval: SessionInterval | null
  readonly peerAllowsUpdate: boolean
  /** Sends the 2xx, as soon as it may be sent; it is then repeated until its ACK comes. */
  send(onSent: (response: SipResponse) => void): void
}

/** §13.3.1.1: proxies forget a call that says nothing for three minutes. */
const reminderMs = 60_000

export class InboundCall {
  readonly #parts: InboundParts
  readonly #timer: TimerAnswer
  readonly #reliable: ReliableAnswers
  readonly dialog: Dialog | null
  #isOver = false
  #isAccepted = false
  #cancelReminder = () => {}
  #cancelExpiry = () => {}

  constructor(parts: InboundParts) {
    this.#parts = parts
    const { request, tag } = parts.incoming
    this.dialog = dialogOfCallee(request, tag)
    this.#timer = timerAnswer(request)
    this.#reliable = new ReliableAnswers({
      ...parts,
      onTimeout: () => this.#fail(504, causeOfStatus(504, 'A provisional answer was never acknowledged.')),
    })
    parts.incoming.onCancel = (cancel) => this.#fail(487, causeOfCancel(cancel))
    this.#expire()
  }

  get request(): SipRequest {
    return this.#parts.incoming.request
  }

  /** null: the caller wants our offer. */
  get offer(): string | null {
    return sdpOf(this.request)
  }

  get key(): string {
    return this.dialog ? keyOf(this.dialog) : ''
  }

  /** What no agent can mend. The call is refused with it at once. */
  get refusal(): {
    readonly status: number
    readonly headers?: readonly Header[]
    readonly reason?: string
  } | null {
    if (!this.dialog) return { status: 400, reason: 'Missing Contact' }
    if (this.#timer.is === 'too-small') return { status: 422, headers: this.#timer.headers }
    return bodyRefusal(this.request)
  }

  /** 100: we have it, do not repeat it. */
  trying(): void {
    this.#parts.incoming.respond(answerTo(this.request, 100))
  }

  ring(): void {
    this.#provisional(180, null)
  }

  /** Sound before the answer. */
  early(sdp: string): void {
    this.#provisional(183, sdp)
  }

  reject(status: number, headers: readonly Header[] = [], reason?: string): void {
    if (this.#isOver) return
    this.#end()
    const why =
      status >= 400 && headers.every(({ name }) => name !== 'Reason')
        ? reasonHeaders(causeOfStatus(status))
        : []
    const { tag } = this.#parts.incoming
    const answer = answerTo(this.request, status, {
      tag,
      headers: [...headers, ...why.slice(0, 1)],
      ...(reason && { reason }),
    })
    this.#parts.incoming.respond(answer)
  }

  accept(sdp: string): Accepted | null {
    if (this.#isOver || this.#isAccepted || !this.dialog) return null
    this.#isAccepted = true
    this.#cancelReminder()
    const headers = [...this.#capabilities(), ...this.#timer.headers, sdpType]
    const response = answerTo(this.request, 200, {
      tag: this.#parts.incoming.tag,
      headers,
      body: sdpBody(sdp),
    })
    return {
      dialog: this.dialog,
      remoteSdp: this.offer,
      interval: this.#timer.is === 'agreed' ? this.#timer.interval : null,
      peerAllowsUpdate: elementsOf(this.request, 'Allow').some((method) => /^UPDATE$/i.test(method)),
      send: (onSent) =>
        this.#reliable.whenSettled(() => {
          if (this.#isOver) return
          this.#end()
          this.#parts.incoming.respond(response)
          onSent(response)
        }),
    }
  }

  /** Requests in the early dialog: PRACK; a BYE of the caller ends it (§15). */
  receive(incoming: IncomingRequest): void {
    const { request } = incoming
    if (request.method === 'PRACK') return void this.#reliable.receivePrack(incoming)
    if (request.method === 'BYE') {
      incoming.respond(answerTo(request, 200))
      return void this.#fail(487, causeOfCancel(request))
    }
    if (request.method === 'UPDATE' && sdpOf(request) === null)
      return void incoming.respond(answerTo(request, 200, { headers: this.#capabilities() }))
    // Its first offer is not answered before the call is (RFC 3311 §5.2).
    if (request.method === 'UPDATE')
      return void incoming.respond(answerTo(request, 500, { headers: [{ name: 'Retry-After', value: '5' }] }))
    incoming.respond(answerTo(request, 481))
  }

  #provisional(status: number, sdp: string | null): void {
    if (this.#isOver || this.#isAccepted) return
    const isReliable = optionTags(this.request, 'Require').includes('100rel')
    // The first reliable answer to an INVITE without an offer would have to be one (RFC 3262 §5): only the 2xx is.
    if (isReliable && this.offer === null) return
    const headers: Header[] = [...this.#capabilities(), ...(sdp === null ? [] : [sdpType])]
    const body = sdp === null ? {} : { body: sdpBody(sdp) }
    const answer = answerTo(this.request, status, { tag: this.#parts.incoming.tag, headers, ...body })
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

  /** §13.3.1: the caller said how long it waits. */
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
    this.#parts.listener.onCancelled(cause)
  }

  #capabilities(): Header[] {
    return capabilities(this.#parts.contact(this.#parts.incoming.flow.peer))
  }

  #end(): void {
    this.#isOver = true
    this.#cancelReminder()
    this.#cancelExpiry()
    this.#reliable.stop()
  }
}
