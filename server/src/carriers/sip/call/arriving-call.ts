// A call that waits for its decision, as the one who decides sees it.

import { ClientAuth } from '../auth/client-auth.ts'
import type { Header, SipRequest } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { Destination } from '../transport/transport.ts'
import type { CallListener, SipCallParts, SipCause } from './call-parts.ts'
import type { EstablishedCall, EstablishedParts } from './established-call.ts'
import { InboundCall } from './inbound-call.ts'
import { Call, type LiveCallInterface } from './live-call.ts'

export interface Arriving {
  readonly request: SipRequest
  readonly peer: Destination
  /** null: the caller wants our offer. */
  readonly offer: string | null
  ring(): void
  early(sdp: string): void
  reject(status: number, headers?: readonly Header[]): void
  /** The caller gave up before we decided. */
  onCancelled: (cause: SipCause) => void
  /** null: it was too late. */
  accept(sdp: string, listener: CallListener): LiveCallInterface | null
}

export interface ArrivingParts extends SipCallParts {
  readonly incoming: IncomingRequest
  /** Requests of this dialog are for the call from now on. */
  readonly onEarly: (key: string, call: InboundCall) => void
  readonly onLeft: (key: string) => void
  readonly establish: (parts: Omit<EstablishedParts, 'onReplaced'>, live: Call) => EstablishedCall
}

export class ArrivingCall implements Arriving {
  readonly #parts: ArrivingParts
  readonly #call: InboundCall
  /** Accepted, but its answer still waits for a PRACK. */
  #unsent: EstablishedCall | null = null
  onCancelled: (cause: SipCause) => void = () => {}

  constructor(parts: ArrivingParts) {
    this.#parts = parts
    this.#call = new InboundCall({ ...parts, listener: { onCancelled: (cause) => this.#cancelled(cause) } })
  }

  get request(): SipRequest {
    return this.#call.request
  }

  get peer(): Destination {
    return this.#parts.incoming.flow.peer
  }

  get offer(): string | null {
    return this.#call.offer
  }

  /** False: it was refused for what it is. */
  begin(): boolean {
    const { refusal } = this.#call
    if (refusal) {
      this.#call.reject(refusal.status, refusal.headers, refusal.reason)
      return false
    }
    this.#parts.onEarly(this.#call.key, this.#call)
    this.#call.trying()
    return true
  }

  ring(): void {
    this.#call.ring()
  }

  early(sdp: string): void {
    this.#call.early(sdp)
  }

  reject(status: number, headers?: readonly Header[]): void {
    this.#parts.onLeft(this.#call.key)
    this.#call.reject(status, headers)
  }

  accept(sdp: string, listener: CallListener): LiveCallInterface | null {
    const live = new Call(this.#call.dialog?.callId ?? '', () => {})
    return this.#accept(sdp, listener, live, () => {}) ? live : null
  }

  /** It takes the place of a call that we have: to its owner that is an offer like any other (RFC 3891). */
  replace(live: Call, listener: CallListener): void {
    const old = live.established
    listener.onOffer({
      sdp: this.offer,
      accept: (sdp) => void this.#accept(sdp, listener, live, () => old?.replaced()),
      refuse: (status) => this.reject(status),
    })
  }

  #accept(sdp: string, listener: CallListener, live: Call, onSent: () => void): boolean {
    const accepted = this.#call.accept(sdp)
    if (!accepted) return false
    const { incoming, random } = this.#parts
    const { send, ...agreed } = accepted
    const established = this.#parts.establish(
      {
        ...this.#parts,
        ...agreed,
        auth: new ClientAuth(null, random),
        peer: this.peer,
        weCalled: false,
        localSdp: sdp,
        listener,
      },
      live,
    )
    this.#unsent = established
    established.onPrack = (prack) => this.#call.receive(prack)
    established.unsent = { refuse: () => this.reject(480) }
    send((response) => {
      this.#unsent = null
      established.unsent = null
      this.#parts.onLeft(this.#call.key)
      established.answeredWith(incoming, response)
      onSent()
    })
    return true
  }

  #cancelled(cause: SipCause): void {
    this.#parts.onLeft(this.#call.key)
    if (this.#unsent) this.#unsent.cancelled(cause)
    else this.onCancelled(cause)
  }
}
