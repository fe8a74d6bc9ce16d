// A call as its owner holds it, from INVITE to BYE: the dialog beneath may change, by an answer or by a transfer at the far end.

import type { Header } from '../message/message.ts'
import type { SipCause } from './call-parts.ts'
import type { Dialog } from './dialog.ts'
import type { EstablishedCall } from './established-call.ts'
import type { OfferResult } from './offers.ts'
import type { CallState } from './saved-call.ts'
import type { FinalAnswer } from './send-request.ts'

export interface LiveCallInterface {
  readonly callId: string
  /** Cancels, refuses or hangs up, whichever the state asks for. Nothing is reported afterwards but the end. */
  hangUp(cause: SipCause): void
  /** Offers the far end a change: hold, another codec, another address. Resolves with its SDP, or why it refused. */
  offer(sdp: string): Promise<OfferResult>
  info(contentType: string, body: string): Promise<FinalAnswer>
  /** Asks the far end to call somebody else. How that goes comes as progress (RFC 3515). */
  refer(to: string, headers?: readonly Header[]): Promise<FinalAnswer>
  /** Forgets an answered call, for another process to go on with. The far end hears nothing of it, and may still hang up here. */
  abandon(onHungUp: () => void): void
  /** Another call has taken its place: hung up after these last words, and nothing is reported. */
  yieldTo(lastWords: () => void): void
  /** null before the answer. */
  readonly dialog: Dialog | null
  /** What another process needs to go on with it; null before the answer. */
  readonly state: CallState | null
}

export class Call implements LiveCallInterface {
  readonly callId: string
  readonly #beforeAnswer: (cause: SipCause) => void
  established: EstablishedCall | null = null

  /** `beforeAnswer` hangs up a call that is not answered yet. */
  constructor(callId: string, beforeAnswer: (cause: SipCause) => void) {
    this.callId = callId
    this.#beforeAnswer = beforeAnswer
  }

  get dialog(): Dialog | null {
    return this.established?.dialog ?? null
  }

  get state(): CallState | null {
    return this.established?.state ?? null
  }

  hangUp(cause: SipCause): void {
    if (this.established) this.established.bye(cause)
    else this.#beforeAnswer(cause)
  }

  abandon(onHungUp: () => void): void {
    this.established?.abandon(onHungUp)
  }

  yieldTo(lastWords: () => void): void {
    this.established?.replaced(lastWords)
  }

  offer(sdp: string): Promise<OfferResult> {
    return this.#answered().offer(sdp)
  }

  info(contentType: string, body: string): Promise<FinalAnswer> {
    return this.#answered().info(contentType, body)
  }

  refer(to: string, headers: readonly Header[] = []): Promise<FinalAnswer> {
    return this.#answered().refer(to, headers)
  }

  #answered(): EstablishedCall {
    if (!this.established) throw new Error('The call is not answered.')
    return this.established
  }
}
