// A call that comes to us (RFC 3261 §13.3): rings, is answered, refused or cancelled.
import { answerTo } from './answer.ts'
import { type CallParts, capabilities, type SipCause, sdpBody, sdpType } from './call-parts.ts'
import { causeOfStatus } from './causes.ts'
import { type Dialog, dialogOfCallee, keyOf } from './dialog.ts'
import type { IncomingRequest } from './endpoint.ts'
import { cseqOf, optionTags } from './headers.ts'
import { bodyText, type Header, headerOf, type SipRequest, type SipResponse } from './message.ts'
import { type SessionInterval, type TimerAnswer, timerAnswer } from './session-timer.ts'
import { giveUpAfter, repeat } from './timers.ts'

export interface InboundListener {
  /** The caller gave up, or the answer could not be brought to it. */
  onCancelled(cause: SipCause): void
}

export interface InboundParts extends Pick<CallParts, 'after' | 'random' | 'contact'> {
  readonly incoming: IncomingRequest
  readonly listener: InboundListener
}

export interface Accepted {
  readonly dialog: Dialog
  /** The 2xx, which is repeated until its ACK comes. */
  readonly response: SipResponse
  readonly interval: SessionInterval | null
  readonly peerAllowsUpdate: boolean
}

/** A provisional answer that waits for its PRACK. */
interface Reliable {
  readonly number: number
  readonly stop: () => void
}

export class InboundCall {
  readonly #parts: InboundParts
  readonly #timer: TimerAnswer
  readonly tag: string
  readonly dialog: Dialog | null
  #isOver = false
  #number = 0
  #reliable: Reliable | null = null
  /** Provisional answers that wait until the one before is acknowledged. */
  readonly #waiting: (() => void)[] = []

  constructor(parts: InboundParts) {
    this.#parts = parts
    this.tag = parts.random(8)
    this.dialog = dialogOfCallee(parts.incoming.request, this.tag)
    this.#timer = timerAnswer(parts.incoming.request)
    parts.incoming.onCancel = () => {
      if (this.#isOver) return
      this.#respond(487)
      this.#end()
      parts.listener.onCancelled(causeOfStatus(487, 'The caller hung up before the answer.'))
    }
  }

  get request(): SipRequest {
    return this.#parts.incoming.request
  }

  /** null: the caller wants our offer. */
  get offer(): string | null {
    return this.request.body.length > 0 ? bodyText(this.request) : null
  }

  get key(): string {
    return this.dialog ? keyOf(this.dialog) : ''
  }

  /** What no agent can mend. The call is refused with it at once. */
  get refusal(): { readonly status: number; readonly headers?: readonly Header[] } | null {
    if (!this.dialog) return { status: 400 }
    if (this.#timer.is === 'too-small') return { status: 422, headers: this.#timer.headers }
    const type = headerOf(this.request, 'Content-Type')
    if (this.request.body.length > 0 && type && !/^application\/sdp\b/i.test(type))
      return { status: 415, headers: [{ name: 'Accept', value: 'application/sdp' }] }
    return null
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

  reject(status: number, headers: readonly Header[] = []): void {
    if (this.#isOver) return
    this.#respond(status, headers)
    this.#end()
  }

  accept(sdp: string): Accepted | null {
    if (this.#isOver || !this.dialog) return null
    const headers = [...this.#capabilities(), ...this.#timer.headers, sdpType]
    const response = answerTo(this.request, 200, { tag: this.tag, headers, body: sdpBody(sdp) })
    this.#parts.incoming.respond(response)
    this.#end()
    return {
      dialog: this.dialog,
      response,
      interval: this.#timer.is === 'agreed' ? this.#timer.interval : null,
      peerAllowsUpdate: /\bUPDATE\b/i.test(headerOf(this.request, 'Allow') ?? ''),
    }
  }

  /** Requests in the early dialog: PRACK; a BYE of the caller ends it (§15). */
  receive(incoming: IncomingRequest): void {
    const { request } = incoming
    if (request.method === 'PRACK') return this.#receivePrack(incoming)
    if (request.method === 'BYE') {
      incoming.respond(answerTo(request, 200))
      if (this.#isOver) return
      this.#respond(487)
      this.#end()
      this.#parts.listener.onCancelled(causeOfStatus(487, 'The caller hung up before the answer.'))
      return
    }
    // Nothing else makes sense before the answer; UPDATE would need a reliable answer with SDP first (RFC 3311 §5.2).
    incoming.respond(answerTo(request, request.method === 'UPDATE' ? 491 : 481))
  }

  #provisional(status: number, sdp: string | null): void {
    if (this.#isOver) return
    if (this.#reliable) {
      this.#waiting.push(() => this.#provisional(status, sdp))
      return
    }
    const isReliable = optionTags(this.request, 'Require').includes('100rel')
    const headers: Header[] = [...this.#capabilities(), ...(sdp === null ? [] : [sdpType])]
    if (isReliable) headers.push({ name: 'Require', value: '100rel' }, { name: 'RSeq', value: String(++this.#number) })
    const body = sdp === null ? {} : { body: sdpBody(sdp) }
    const response = answerTo(this.request, status, { tag: this.tag, headers, ...body })
    this.#parts.incoming.respond(response)
    if (isReliable) this.#repeatUntilPrack(response)
  }

  /** RFC 3262 §3: repeated until PRACK; without one the call is refused. */
  #repeatUntilPrack(response: SipResponse): void {
    const { after, incoming } = this.#parts
    const stopRepeating = repeat(after, () => incoming.repeat(response))
    const stopWaiting = after(giveUpAfter, () => {
      stopRepeating()
      this.reject(504)
      this.#parts.listener.onCancelled(causeOfStatus(504, 'A provisional answer was never acknowledged.'))
    })
    this.#reliable = {
      number: this.#number,
      stop: () => {
        stopRepeating()
        stopWaiting()
      },
    }
  }

  #receivePrack(incoming: IncomingRequest): void {
    const [number, sequence] = (headerOf(incoming.request, 'RAck') ?? '').split(/\s+/).map(Number)
    const reliable = this.#reliable
    if (!reliable || reliable.number !== number || sequence !== cseqOf(this.request)?.number)
      return incoming.respond(answerTo(incoming.request, 481))
    incoming.respond(answerTo(incoming.request, 200))
    reliable.stop()
    this.#reliable = null
    this.#waiting.shift()?.()
  }

  #respond(status: number, headers: readonly Header[] = []): void {
    this.#parts.incoming.respond(answerTo(this.request, status, { tag: this.tag, headers }))
  }

  #capabilities(): Header[] {
    return capabilities(this.#parts.contact(this.#parts.incoming.flow.peer))
  }

  #end(): void {
    this.#isOver = true
    this.#reliable?.stop()
    this.#waiting.length = 0
  }
}
