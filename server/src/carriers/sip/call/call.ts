// A call as its owner holds it, from INVITE to BYE. The dialog beneath it changes when the call is answered, and when a
// transfer at the far end replaces it.
import { headersOf, type SipRequest } from '../message/message.ts'
import type { CallListener } from './call-parts.ts'
import type { SipCause } from './causes.ts'
import { type Dialog, parseReplaces } from './dialog.ts'
import type { EstablishedCall, EstablishedParts } from './established-call.ts'
import type { OfferResult } from './offers.ts'
import type { CallState } from './saved-call.ts'
import type { FinalAnswer } from './send-request.ts'

/** Makes the answered call that `call` consists of from now on. */
export type Establish = (parts: Omit<EstablishedParts, 'onOver'>, call: Call) => EstablishedCall

export class Call {
  readonly callId: string
  readonly #beforeAnswer: (cause: SipCause) => void
  established: EstablishedCall | null = null

  /** `beforeAnswer` hangs up a call that is not answered yet. */
  constructor(callId: string, beforeAnswer: (cause: SipCause) => void) {
    this.callId = callId
    this.#beforeAnswer = beforeAnswer
  }

  /** null before the answer. */
  get dialog(): Dialog | null {
    return this.established?.dialog ?? null
  }

  /** What another process needs to continue the call; null before the answer. */
  get state(): CallState | null {
    return this.established?.state ?? null
  }

  /** Cancels, refuses or hangs up, depending on the state. The listener hears nothing afterwards but the end. */
  hangUp(cause: SipCause): void {
    if (this.established) this.established.bye(cause)
    else this.#beforeAnswer(cause)
  }

  /** Leaves an answered call to another process. The far end is not told, and may still hang up here. */
  abandon(onHungUp: () => void): void {
    this.established?.abandon(onHungUp)
  }

  /** Hangs up after `lastWords`, because another call has taken its place. The listener is not told. */
  yieldTo(lastWords: () => void): void {
    this.established?.replaced(lastWords)
  }

  /** Offers the far end a change: hold, another codec, another address. Resolves with its SDP, or why it refused. */
  offer(sdp: string): Promise<OfferResult> {
    return this.#answered().offers.offer(sdp)
  }

  info(contentType: string, body: string): Promise<FinalAnswer> {
    return this.#answered().info(contentType, body)
  }

  /** Asks the far end to call somebody else. The result of that call is reported as progress (RFC 3515). */
  refer(to: string): Promise<FinalAnswer> {
    return this.#answered().transfers.refer(to)
  }

  #answered(): EstablishedCall {
    if (!this.established) throw new Error('The call is not answered.')
    return this.established
  }
}

/** An answered call with its owner. */
export interface OwnedCall {
  readonly established: EstablishedCall
  readonly call: Call
  readonly listener: CallListener
}

export type Replacement =
  | { readonly is: 'found'; readonly replaced: OwnedCall }
  | { readonly is: 'refused'; readonly status: 400 | 481 | 486 | 603 }

/** Which call an INVITE with Replaces is to take the place of (RFC 3891 §3). null: it replaces nothing. */
export function findReplaced(
  request: SipRequest,
  find: (key: string) => OwnedCall | undefined,
): Replacement | null {
  const values = headersOf(request, 'Replaces')
  if (values.length === 0) return null
  const named = values.length === 1 ? parseReplaces(values[0] as string) : null
  if (!named) return { is: 'refused', status: 400 }
  const replaced = find(named.key)
  if (!replaced) return { is: 'refused', status: 481 }
  if (replaced.established.isOver) return { is: 'refused', status: 603 }
  if (named.earlyOnly) return { is: 'refused', status: 486 }
  return { is: 'found', replaced }
}
