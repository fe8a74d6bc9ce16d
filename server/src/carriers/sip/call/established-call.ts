// A call after its answer: its dialog, what the far end asks of it, and its end.
import type { ClientAuth } from '../auth/client-auth.ts'
import { answerTo } from '../message/answer.ts'
import { bodyText, type Header, headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { Destination } from '../transport/transport.ts'
import { allowedMethods, type CallListener, capabilities, type SipCallParts, sdpBody } from './call-parts.ts'
import { causeOfBye, causeOfStatus, reasonHeaders, type SipCause } from './causes.ts'
import {
  afterRequest,
  type Dialog,
  type InDialogRequest,
  nextRequest,
  sequenceOf,
  withTarget,
} from './dialog.ts'
import { Offers } from './offers.ts'
import type { CallState } from './saved-call.ts'
import { acknowledgementOf, destinationsOf, type FinalAnswer, sendRequest } from './send-request.ts'
import type { SessionInterval } from './session-timer.ts'
import { SipTransfers } from './transfers.ts'

export interface EstablishedParts extends SipCallParts {
  readonly dialog: Dialog
  readonly auth: ClientAuth
  readonly peer: Destination
  readonly weCalled: boolean
  readonly localSdp: string
  readonly remoteSdp: string | null
  readonly interval: SessionInterval | null
  readonly peerAllowsUpdate: boolean
  readonly listener: CallListener
  /** Called at the end, also when another dialog has taken the place of this one. */
  readonly onOver: () => void
}

/** What an INFO may bring: keys, in the two forms that telephones write. */
const infoTypes = ['application/dtmf-relay', 'application/dtmf']

const mediaTypeOf = (request: SipRequest): string =>
  (headerOf(request, 'Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

interface Unsent {
  refuse(): void
}

export class EstablishedCall {
  readonly #parts: EstablishedParts
  readonly offers: Offers
  readonly transfers: SipTransfers
  #dialog: Dialog
  #peer: Destination
  #letGo: () => void
  #isOver = false
  /** Another dialog has taken its place: the state is not reported any more. */
  #isReplaced = false
  /** Set when another process continues the call; called if the far end hangs up here nevertheless. */
  #onHungUp: (() => void) | null = null
  /** The cause of a hang-up before the ACK of our answer; the BYE waits for that ACK. */
  #byeAfterAck: SipCause | null = null
  /** Set while our 2xx waits for the PRACK of an earlier answer (RFC 3262 §3). */
  unsent: Unsent | null = null
  /** Takes the PRACK of a provisional answer that the 2xx has overtaken. */
  onPrack: ((incoming: IncomingRequest) => void) | null = null

  constructor(parts: EstablishedParts) {
    this.#parts = parts
    this.#dialog = parts.dialog
    this.#peer = parts.peer
    this.#letGo = parts.keepAlive(parts.peer)
    const own = { ...parts, ask: (asked: InDialogRequest) => this.ask(asked) }
    this.offers = new Offers({
      ...own,
      capabilities: () => this.#capabilities(),
      hangUp: (cause) => this.bye(cause),
      onChanged: () => this.#stateChanged(),
    })
    const contact = () => ({ name: 'Contact', value: `<${parts.contact(this.#peer)}>` })
    this.transfers = new SipTransfers({ ...own, contact, local: () => this.#dialog.local })
  }

  get dialog(): Dialog {
    return this.#dialog
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Everything that another process needs to continue the call. */
  get state(): CallState {
    return {
      format: 1,
      dialog: { ...this.#dialog, routes: [...this.#dialog.routes] },
      peer: this.#peer,
      weCalled: this.#parts.weCalled,
      localSdp: this.offers.localSdp,
      remoteSdp: this.offers.remoteSdp,
      session: this.offers.interval,
      peerAllowsUpdate: this.#parts.peerAllowsUpdate,
    }
  }

  /** Handles every request of the far end in this dialog, except ACK. */
  receive(incoming: IncomingRequest): void {
    const { request, flow } = incoming
    if (this.#isOver) return void this.#receiveLate(incoming)
    if (sequenceOf(this.#dialog, request) === 'stale')
      return void incoming.respond(answerTo(request, 500, { reason: 'Out Of Order' }))
    this.#moveTo(flow.peer)
    this.#dialog = afterRequest(this.#dialog, request)
    const handle = this.#handlers[request.method]
    if (handle) handle(incoming)
    else incoming.respond(answerTo(request, 405, { headers: [{ name: 'Allow', value: allowedMethods }] }))
    this.#stateChanged()
  }

  /** Repeats the 2xx that made this call until its ACK comes. */
  answeredWith(incoming: IncomingRequest, response: SipResponse): void {
    this.offers.answeredWith(incoming, response, true, () => {
      if (this.#byeAfterAck) this.#sendBye(this.#byeAfterAck)
      this.#byeAfterAck = null
    })
  }

  info(contentType: string, body: string): Promise<FinalAnswer> {
    return this.ask({
      method: 'INFO',
      headers: [{ name: 'Content-Type', value: contentType }],
      body: sdpBody(body),
    })
  }

  /** Ends the call and tells the far end why, without waiting for its answer. */
  bye(cause: SipCause): void {
    if (this.#isOver) return
    if (this.unsent) this.unsent.refuse()
    else if (this.offers.awaitsFirstAck) this.#byeAfterAck = cause
    else this.#sendBye(cause)
    this.end(cause)
  }

  /** The call has ended without a BYE of ours. */
  end(cause: SipCause): void {
    if (this.#isOver) return
    this.#stop()
    this.#parts.onOver()
    this.#parts.listener.onEnded(cause)
  }

  /** Sends a request in the dialog. The answers 408 and 481 end the call (RFC 5057). */
  async ask(asked: InDialogRequest): Promise<FinalAnswer> {
    const next = () => {
      const { request, dialog } = nextRequest(this.#dialog, asked)
      this.#dialog = dialog
      this.#stateChanged()
      return { request, destinations: destinationsOf(this.#parts, dialog, this.#peer, request) }
    }
    const response = await sendRequest(this.#parts, next, this.#acknowledge())
    if (response === 'no-answer') this.end(causeOfStatus(408))
    else if (response.status === 481 || response.status === 408) this.end(causeOfStatus(response.status))
    return response
  }

  /** Leaves the dialog as it is, for another process to continue. */
  abandon(onHungUp: () => void): void {
    this.#onHungUp = onHungUp
    this.#stop()
  }

  /** Another dialog has taken the place of this one: the far end is told, the listener is not. */
  replaced(lastWords = () => {}): void {
    if (this.#isOver) return
    this.#isReplaced = true
    lastWords()
    this.#sendBye(causeOfStatus(200, 'Replaced'))
    this.#stop()
    this.#parts.onOver()
  }

  readonly #handlers: Readonly<Record<string, (incoming: IncomingRequest) => void>> = {
    BYE: (incoming) => {
      incoming.respond(answerTo(incoming.request, 200))
      this.end(causeOfBye(incoming.request))
    },
    INVITE: (incoming) => this.offers.receive(incoming),
    UPDATE: (incoming) => this.offers.receive(incoming),
    INFO: (incoming) => this.#receiveInfo(incoming),
    NOTIFY: (incoming) => this.transfers.receiveNotify(incoming),
    OPTIONS: (incoming) =>
      incoming.respond(answerTo(incoming.request, 200, { headers: this.#capabilities() })),
    REFER: (incoming) => this.transfers.receiveRefer(incoming),
    PRACK: (incoming) => {
      if (this.onPrack) this.onPrack(incoming)
      else incoming.respond(answerTo(incoming.request, 481))
    },
  }

  /** Takes keys. An INFO without a body says nothing, and asks only whether we are there. */
  #receiveInfo({ request, respond }: IncomingRequest): void {
    const type = mediaTypeOf(request)
    if (request.body.length > 0 && !infoTypes.includes(type)) {
      const accept = [{ name: 'Accept', value: infoTypes.join(', ') }]
      return void respond(answerTo(request, 415, { headers: accept }))
    }
    respond(answerTo(request, 200))
    if (request.body.length > 0) this.#parts.listener.onInfo(type, bodyText(request))
  }

  /** Answers a request after the end of the call. After a BYE of the far end, ours is not needed. */
  #receiveLate(incoming: IncomingRequest): void {
    const isBye = incoming.request.method === 'BYE'
    if (isBye) this.#byeAfterAck = null
    const later = [{ name: 'Retry-After', value: '2' }]
    if (isBye) incoming.respond(answerTo(incoming.request, 200))
    // A 481 would end the call for the process that continues it.
    else if (this.#onHungUp) incoming.respond(answerTo(incoming.request, 500, { headers: later }))
    else incoming.respond(answerTo(incoming.request, 481))
    if (isBye) this.#onHungUp?.()
  }

  /** Follows the far end to where its last request came from, and keeps that way open instead. */
  #moveTo(peer: Destination): void {
    if (
      peer.address !== this.#peer.address ||
      peer.port !== this.#peer.port ||
      peer.transport !== this.#peer.transport
    ) {
      this.#letGo()
      this.#letGo = this.#parts.keepAlive(peer)
      this.#peer = peer
    }
  }

  #sendBye(cause: SipCause): void {
    void this.ask({ method: 'BYE', headers: reasonHeaders(cause) })
  }

  /** Acknowledges the 2xx to a re-INVITE of ours, in the same way for each repetition. */
  #acknowledge() {
    let again: (() => void) | null = null
    return (request: SipRequest, response: SipResponse, to: Destination) => {
      if (request.method !== 'INVITE' && request.method !== 'UPDATE') return
      this.#dialog = withTarget(this.#dialog, response)
      if (request.method === 'UPDATE') return
      if (again) return again()
      const ack = acknowledgementOf(request, this.#dialog)
      again = () => {}
      void destinationsOf(this.#parts, this.#dialog, this.#peer, ack).then(([first = to]) => {
        again = this.#parts.endpoint.sendOnce(ack, first)
      })
    }
  }

  #capabilities(): Header[] {
    return capabilities(this.#parts.contact(this.#peer))
  }

  #stateChanged(): void {
    if (!this.#isOver && !this.#isReplaced) this.#parts.listener.onState?.(this.state)
  }

  #stop(): void {
    this.#isOver = true
    this.#letGo()
    this.offers.end(this.#byeAfterAck !== null)
    this.transfers.stop()
  }
}
