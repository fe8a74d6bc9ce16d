// A call after its answer: offers of both sides, BYE, INFO, REFER and the session timer, in one dialog.
import { answerTo } from './answer.ts'
import {
  allowedMethods,
  type CallParts,
  capabilities,
  type EstablishedListener,
  sdpBody,
  sdpType,
  type SipCause,
} from './call-parts.ts'
import { causeOfBye, causeOfStatus, reasonHeader } from './causes.ts'
import type { ClientAuth } from './client-auth.ts'
import { afterRequest, type Dialog, type InDialogRequest, nextRequest, sequenceOf, withTarget } from './dialog.ts'
import type { IncomingRequest } from './endpoint.ts'
import { cseqOf } from './headers.ts'
import { bodyText, type Header, headerOf, type SipRequest, type SipResponse } from './message.ts'
import { agreedByAnswer, type SessionInterval, SessionTimer, timerAnswer, timerRequest } from './session-timer.ts'
import type { Destination } from './transport.ts'
import { type UntilAck, untilAck } from './until-ack.ts'

export interface EstablishedParts extends CallParts {
  readonly dialog: Dialog
  readonly auth: ClientAuth
  readonly peer: Destination
  /** Whether the Call-ID is ours: decides who waits longer after both sides made an offer at once. */
  readonly weCalled: boolean
  readonly localSdp: string
  readonly interval: SessionInterval | null
  readonly peerAllowsUpdate: boolean
  readonly listener: EstablishedListener
  /** The dialog has changed, and is to be stored. */
  readonly onDialog: (dialog: Dialog) => void
}

export type AskResult = SipResponse | 'no-answer'

export class EstablishedCall {
  readonly #parts: EstablishedParts
  readonly #timer: SessionTimer
  #dialog: Dialog
  #localSdp: string
  #peer: Destination
  #isOver = false
  /** An offer of ours that is not answered yet. */
  #offering = false
  /** An offer of the far end that the listener has not decided about. */
  #deciding = false
  #untilAck: UntilAck | null = null

  constructor(parts: EstablishedParts) {
    this.#parts = parts
    this.#dialog = parts.dialog
    this.#localSdp = parts.localSdp
    this.#peer = parts.peer
    this.#timer = new SessionTimer({
      after: parts.after,
      onRefresh: () => void this.#refresh(),
      onExpired: () => this.bye({ status: 408, text: 'The far end did not refresh the session.', q850: null }),
    })
    this.#timer.start(parts.interval)
  }

  get dialog(): Dialog {
    return this.#dialog
  }

  /** Every request of the far end in this dialog, except ACK. */
  receive(incoming: IncomingRequest): void {
    const { request, flow } = incoming
    if (this.#isOver) return incoming.respond(answerTo(request, 481))
    if (sequenceOf(this.#dialog, request) === 'stale')
      return incoming.respond(answerTo(request, 500, { reason: 'Out Of Order' }))
    this.#peer = flow.peer
    this.#setDialog(afterRequest(this.#dialog, request))
    const handle = this.#handlers[request.method]
    if (handle) handle(incoming)
    else incoming.respond(answerTo(request, 405, { headers: [{ name: 'Allow', value: allowedMethods }] }))
  }

  /** ACK of our 2xx; it carries the answer if the far end had asked for our offer. */
  receiveAck(request: SipRequest): void {
    const waiting = this.#untilAck
    if (!waiting || waiting.sequence !== cseqOf(request)?.number) return
    this.#untilAck = null
    waiting.acknowledge()
    if (request.body.length > 0) this.#parts.listener.onLateAnswer(bodyText(request))
  }

  /** Repeats a 2xx of ours until its ACK comes. */
  answeredWith(incoming: IncomingRequest, response: SipResponse): void {
    this.#untilAck = untilAck({
      after: this.#parts.after,
      sequence: cseqOf(incoming.request)?.number ?? 0,
      send: () => incoming.repeat(response),
      onAck: () => {},
      onTimeout: () => this.bye({ status: 408, text: 'The answer was never acknowledged.', q850: null }),
    })
  }

  /** Offers the far end a change: hold, another codec, another address. Resolves with its SDP, or why it refused. */
  async offer(sdp: string): Promise<{ readonly sdp: string } | { readonly refused: SipCause }> {
    for (let tries = 0; ; tries++) {
      const response = await this.#reinvite(sdp)
      if (response === 'no-answer') return { refused: causeOfStatus(408) }
      if (response.status < 300) return { sdp: bodyText(response) }
      if (response.status !== 491 || tries >= 4 || this.#isOver)
        return { refused: causeOfStatus(response.status, response.reason, response) }
      await this.#waitAfterGlare()
    }
  }

  info(contentType: string, body: string): Promise<AskResult> {
    return this.ask({
      method: 'INFO',
      headers: [{ name: 'Content-Type', value: contentType }],
      body: sdpBody(body),
    })
  }

  /** Asks the far end to call somebody else. How that goes comes as progress (RFC 3515). */
  refer(to: string, headers: readonly Header[] = []): Promise<AskResult> {
    return this.ask({ method: 'REFER', headers: [{ name: 'Refer-To', value: to }, ...headers] })
  }

  /** Ends the call. The far end is told why; nobody waits for its answer. */
  bye(cause: SipCause): void {
    if (this.#isOver) return
    void this.ask({ method: 'BYE', headers: [reasonHeader(cause)] })
    this.#end(cause)
  }

  /** A request in the dialog, repeated with credentials if it is challenged. 408 and 481 end the call (RFC 5057). */
  async ask(asked: InDialogRequest): Promise<AskResult> {
    for (let tries = 0; ; tries++) {
      const { request, dialog } = nextRequest(this.#dialog, asked)
      this.#setDialog(dialog)
      const response = await this.#send(this.#parts.auth.sign(request))
      if (response === 'no-answer') {
        this.#end(causeOfStatus(408))
        return response
      }
      const isChallenge = response.status === 401 || response.status === 407
      if (isChallenge && this.#parts.auth.learn(response, tries)) continue
      if (response.status === 481 || response.status === 408) this.#end(causeOfStatus(response.status))
      return response
    }
  }

  /** Leaves the dialog as it is, for another process to go on with. */
  abandon(): void {
    this.#stop()
  }

  readonly #handlers: Readonly<Record<string, (incoming: IncomingRequest) => void>> = {
    BYE: (incoming) => {
      incoming.respond(answerTo(incoming.request, 200))
      this.#end(causeOfBye(incoming.request))
    },
    INVITE: (incoming) => this.#receiveOffer(incoming),
    UPDATE: (incoming) => this.#receiveOffer(incoming),
    INFO: (incoming) => {
      incoming.respond(answerTo(incoming.request, 200))
      const type = headerOf(incoming.request, 'Content-Type')
      if (type) this.#parts.listener.onInfo(type.toLowerCase(), bodyText(incoming.request))
    },
    NOTIFY: (incoming) => this.#receiveNotify(incoming),
    OPTIONS: (incoming) => incoming.respond(answerTo(incoming.request, 200, { headers: this.#capabilities() })),
    // Where our agent's call goes is decided here, not by the far end.
    REFER: (incoming) => incoming.respond(answerTo(incoming.request, 603)),
    PRACK: (incoming) => incoming.respond(answerTo(incoming.request, 481)),
  }

  #receiveOffer(incoming: IncomingRequest): void {
    const { request } = incoming
    // Both sides at once (§14.2). A second one while the first is open is the far end's own fault.
    if (this.#offering) return incoming.respond(answerTo(request, 491))
    if (this.#deciding || this.#untilAck)
      return incoming.respond(answerTo(request, 500, { headers: [{ name: 'Retry-After', value: '3' }] }))
    const timer = timerAnswer(request)
    if (timer.is === 'too-small') return incoming.respond(answerTo(request, 422, { headers: timer.headers }))
    const accept = (answer: string | null) => {
      this.#deciding = false
      this.#timer.start(timer.interval)
      this.#accept(incoming, answer, timer.headers)
    }
    const sdp = request.body.length > 0 ? bodyText(request) : null
    // UPDATE without SDP only refreshes the session.
    if (sdp === null && request.method === 'UPDATE') return accept(null)
    this.#deciding = true
    this.#parts.listener.onOffer({
      sdp,
      accept,
      refuse: (status) => {
        this.#deciding = false
        incoming.respond(answerTo(request, status))
      },
    })
  }

  #accept(incoming: IncomingRequest, answer: string | null, timer: readonly Header[]): void {
    const { request } = incoming
    if (this.#isOver) return incoming.respond(answerTo(request, 481))
    if (answer !== null) this.#localSdp = answer
    const response = answerTo(request, 200, {
      headers: [...this.#capabilities(), ...timer, ...(answer === null ? [] : [sdpType])],
      ...(answer !== null && { body: sdpBody(answer) }),
    })
    incoming.respond(response)
    if (request.method === 'INVITE') this.answeredWith(incoming, response)
  }

  /** The progress of a transfer that we asked for: the status line of the new call (RFC 3515 §2.4). */
  #receiveNotify(incoming: IncomingRequest): void {
    const { request } = incoming
    if (!/^refer\b/i.test(headerOf(request, 'Event') ?? '')) return incoming.respond(answerTo(request, 489))
    incoming.respond(answerTo(request, 200))
    const status = /^SIP\/2\.0 (\d{3})/.exec(bodyText(request).trim())?.[1]
    if (status !== undefined) this.#parts.listener.onTransferProgress(Number(status))
  }

  async #reinvite(sdp: string): Promise<AskResult> {
    this.#offering = true
    try {
      const headers = [...this.#capabilities(), ...timerRequest(), sdpType]
      const response = await this.ask({ method: 'INVITE', headers, body: sdpBody(sdp) })
      if (response === 'no-answer' || response.status >= 300) return response
      this.#localSdp = sdp
      this.#setDialog(withTarget(this.#dialog, response))
      this.#timer.start(agreedByAnswer(response))
      return response
    } finally {
      this.#offering = false
    }
  }

  /** RFC 4028 §7.4: UPDATE where the far end takes it, else the same offer again. */
  async #refresh(): Promise<void> {
    if (!this.#parts.peerAllowsUpdate) {
      await this.offer(this.#localSdp)
      return
    }
    const headers = [...this.#capabilities(), ...timerRequest()]
    const response = await this.ask({ method: 'UPDATE', headers })
    if (response === 'no-answer' || this.#isOver) return
    if (response.status < 300) this.#timer.start(agreedByAnswer(response))
    else await this.offer(this.#localSdp)
  }

  /** §14.1: 2.1 to 4 s for the side that owns the Call-ID, up to 2 s for the other. */
  #waitAfterGlare(): Promise<void> {
    const share = Number.parseInt(this.#parts.random(2), 16) / 0xffff
    const ms = this.#parts.weCalled ? 2_100 + share * 1_900 : share * 2_000
    return new Promise((resolve) => {
      this.#parts.after(ms, resolve)
    })
  }

  /** To the first place that answers. The ACK of a 2xx is sent here, again for every repetition of it. */
  async #send(request: SipRequest): Promise<AskResult> {
    const [to] = await this.#parts.route(request, this.#peer)
    if (!to) return 'no-answer'
    return new Promise((resolve) => {
      this.#parts.endpoint.request(request, to, {
        onResponse: (response) => {
          if (response.status < 200) return
          if (request.method === 'INVITE' && response.status < 300) this.#acknowledge(request, response, to)
          resolve(response)
        },
        onTimeout: () => resolve('no-answer'),
      })
    })
  }

  #acknowledge(invite: SipRequest, response: SipResponse, to: Destination): void {
    const sequence = cseqOf(invite)?.number ?? 0
    const { request } = nextRequest(withTarget(this.#dialog, response), { method: 'ACK' }, sequence)
    this.#parts.endpoint.sendOnce(request, to)
  }

  #capabilities(): Header[] {
    return capabilities(this.#parts.contact(this.#peer))
  }

  #setDialog(dialog: Dialog): void {
    this.#dialog = dialog
    this.#parts.onDialog(dialog)
  }

  #end(cause: SipCause): void {
    if (this.#isOver) return
    this.#stop()
    this.#parts.listener.onEnded(cause)
  }

  #stop(): void {
    this.#isOver = true
    this.#timer.stop()
    this.#untilAck?.cancel()
    this.#untilAck = null
  }
}
