// Changes of the sound of an established call: re-INVITE and UPDATE of both sides (RFC 3261 §14, RFC 3311), the ACK of our
// answers, and the session timer that these requests refresh (RFC 4028).
import { answerTo } from '../message/answer.ts'
import { bodyRefusal, sdpOf } from '../message/body.ts'
import { cseqOf } from '../message/headers.ts'
import type { Header, SipRequest, SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { After } from '../transport/timers.ts'
import { type CallListener, sdpBody, sdpType } from './call-parts.ts'
import { causeOfStatus, type SipCause } from './causes.ts'
import type { InDialogRequest } from './dialog.ts'
import { type UntilAck, untilAck } from './reliable-answers.ts'
import { type FinalAnswer, retryAfter } from './send-request.ts'
import {
  agreedByAnswer,
  leastOf,
  type SessionInterval,
  SessionTimer,
  timerAnswer,
  timerRequest,
} from './session-timer.ts'

export interface OffersParts {
  readonly after: After
  readonly random: (bytes: number) => string
  readonly listener: CallListener
  /** Sends a request in the dialog. */
  readonly ask: (asked: InDialogRequest) => Promise<FinalAnswer>
  readonly capabilities: () => Header[]
  /** Ends the call with BYE. */
  readonly hangUp: (cause: SipCause) => void
  readonly onChanged: () => void
  /** Whether the Call-ID is ours, which decides who waits longer after both sides made an offer at once. */
  readonly weCalled: boolean
  readonly localSdp: string
  readonly remoteSdp: string | null
  readonly interval: SessionInterval | null
  readonly peerAllowsUpdate: boolean
}

export type OfferResult = { readonly sdp: string } | { readonly refused: SipCause }

/** The most attempts at a re-INVITE that is refused because the other side is busy with one. */
const maxTries = 5

export class Offers {
  readonly #parts: OffersParts
  readonly #timer: SessionTimer
  localSdp: string
  remoteSdp: string | null
  #isOver = false
  /** Whether an offer of ours is not answered yet. */
  #offering = false
  /** An offer of the far end that the listener has not decided about. */
  #deciding: IncomingRequest | null = null
  #untilAck: (UntilAck & { readonly isFirst: boolean; readonly isLate: boolean }) | null = null
  /** Continues our offers that wait until no other exchange is open. */
  #waiting: (() => void)[] = []

  constructor(parts: OffersParts) {
    this.#parts = parts
    this.localSdp = parts.localSdp
    this.remoteSdp = parts.remoteSdp
    this.#timer = new SessionTimer({
      after: parts.after,
      onRefresh: () => void this.#refresh(),
      onExpired: () => parts.hangUp({ status: 408, text: 'The session was not refreshed.', q850: null }),
    })
    this.#timer.start(parts.interval)
  }

  get interval(): SessionInterval | null {
    return this.#timer.interval
  }

  /** Whether the answer that made the call has not been acknowledged; a callee sends no BYE before (§15). */
  get awaitsFirstAck(): boolean {
    return this.#untilAck?.isFirst ?? false
  }

  /** Takes the ACK of our 2xx, which carries the answer if the far end had asked for our offer. */
  receiveAck(request: SipRequest): void {
    const waiting = this.#untilAck
    if (!waiting || waiting.sequence !== cseqOf(request)?.number) return
    this.#untilAck = null
    waiting.acknowledge()
    if (waiting.isLate && !this.#isOver) {
      this.remoteSdp = sdpOf(request)
      this.#parts.listener.onLateAnswer(this.remoteSdp)
      this.#parts.onChanged()
    }
    this.#wake()
  }

  /** Repeats a 2xx of ours until its ACK comes. `onSettled` is called then, or when the wait has ended. */
  answeredWith(
    incoming: IncomingRequest,
    response: SipResponse,
    isFirst: boolean,
    onSettled: () => void,
  ): void {
    const waiting = untilAck({
      after: this.#parts.after,
      sequence: cseqOf(incoming.request)?.number ?? 0,
      send: () => incoming.repeat(response),
      onAck: onSettled,
      onTimeout: () => {
        this.#untilAck = null
        onSettled()
        this.#parts.hangUp({ status: 408, text: 'The answer was never acknowledged.', q850: null })
      },
    })
    this.#untilAck = Object.assign(waiting, { isFirst, isLate: sdpOf(incoming.request) === null })
  }

  /** Handles a re-INVITE or UPDATE of the far end. */
  receive(incoming: IncomingRequest): void {
    const { request } = incoming
    const timer = timerAnswer(request)
    if (timer.is === 'too-small')
      return void incoming.respond(answerTo(request, 422, { headers: timer.headers }))
    const refusal = bodyRefusal(request)
    if (refusal) return void incoming.respond(answerTo(request, refusal.status, { headers: refusal.headers }))
    const sdp = sdpOf(request)
    const accept = (answer: string | null) => {
      if (sdp !== null || request.method === 'INVITE') this.#deciding = null
      this.#timer.start(timer.interval)
      if (answer !== null) this.localSdp = answer
      if (sdp !== null) this.remoteSdp = sdp
      this.#accept(incoming, answer, timer.headers)
    }
    // An UPDATE without SDP only refreshes the session, and conflicts with nothing.
    if (sdp === null && request.method === 'UPDATE') return void accept(null)
    if (this.#offering) return void incoming.respond(answerTo(request, 491))
    if (this.#deciding || this.#untilAck)
      return void incoming.respond(answerTo(request, 500, { headers: [this.#tryLater()] }))
    this.#hand(incoming, sdp, accept)
  }

  /** Offers the far end a change: hold, another codec, another address. Resolves with its SDP, or why it refused. */
  async offer(sdp: string): Promise<OfferResult> {
    for (let tries = 1; ; tries++) {
      // The condition is checked again after every wait, and nothing is awaited between the check and the request.
      while (this.#isBusy) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
      if (this.#isOver) return { refused: causeOfStatus(481, 'The call is over.') }
      const response = await this.#reinvite(sdp)
      if (response === 'no-answer') return { refused: causeOfStatus(408) }
      if (response.status < 300) return { sdp: sdpOf(response) ?? '' }
      const pauseMs = this.#pauseAfter(response)
      if (pauseMs === null || tries >= maxTries || this.#isOver)
        return { refused: causeOfStatus(response.status, response.reason, response) }
      await new Promise<void>((resolve) => void this.#parts.after(pauseMs, resolve))
    }
  }

  /** `isGoingOn`: the call is over for its listener, but its answer still waits for the ACK. */
  end(isGoingOn: boolean): void {
    this.#isOver = true
    this.#timer.stop()
    // An open offer of the far end has no call any more (§15.1.2).
    this.#deciding?.respond(answerTo(this.#deciding.request, 487))
    this.#deciding = null
    this.#wake()
    if (isGoingOn) return
    this.#untilAck?.cancel()
    this.#untilAck = null
  }

  #hand(incoming: IncomingRequest, sdp: string | null, accept: (answer: string) => void): void {
    const isOpen = () => this.#deciding === incoming
    const refuse = (status: number) => {
      if (!isOpen()) return
      this.#deciding = null
      incoming.respond(answerTo(incoming.request, status))
      this.#wake()
    }
    this.#deciding = incoming
    incoming.onCancel = () => refuse(487)
    this.#parts.listener.onOffer({ sdp, accept: (answer) => isOpen() && accept(answer), refuse })
  }

  #accept(incoming: IncomingRequest, answer: string | null, timer: readonly Header[]): void {
    const { request } = incoming
    const response = answerTo(request, 200, {
      headers: [...this.#parts.capabilities(), ...timer, ...(answer === null ? [] : [sdpType])],
      ...(answer !== null && { body: sdpBody(answer) }),
    })
    incoming.respond(response)
    if (request.method === 'INVITE') this.answeredWith(incoming, response, false, () => {})
    this.#parts.onChanged()
    this.#wake()
  }

  async #reinvite(sdp: string): Promise<FinalAnswer> {
    this.#offering = true
    try {
      const response = await this.#askInTime('INVITE', sdp)
      if (response === 'no-answer' || response.status >= 300) return response
      this.localSdp = sdp
      this.remoteSdp = sdpOf(response) ?? this.remoteSdp
      this.#parts.onChanged()
      return response
    } finally {
      this.#offering = false
      this.#wake()
    }
  }

  /** Sends a request with the session interval, and once more if the far end finds it too small (§7.4). */
  async #askInTime(method: 'INVITE' | 'UPDATE', sdp: string | null): Promise<FinalAnswer> {
    const { interval } = this
    const type = sdp === null ? [] : [sdpType]
    const send = (seconds: number | undefined) =>
      this.#parts.ask({
        method,
        headers: [...this.#parts.capabilities(), ...timerRequest(seconds, interval?.weRefresh), ...type],
        ...(sdp !== null && { body: sdpBody(sdp) }),
      })
    let response = await send(interval?.seconds)
    if (response !== 'no-answer' && response.status === 422) response = await send(leastOf(response))
    if (response !== 'no-answer' && response.status < 300 && !this.#isOver)
      this.#timer.start(agreedByAnswer(response))
    return response
  }

  /** Refreshes the session by UPDATE where the far end allows it, else by the same offer again (§7.4). */
  async #refresh(): Promise<void> {
    if (this.#parts.peerAllowsUpdate) {
      const response = await this.#askInTime('UPDATE', null)
      if (response === 'no-answer' || response.status < 300 || this.#isOver) return
    }
    await this.offer(this.localSdp)
  }

  /** Whether an INVITE is open in either direction: another one has to wait (§14.1). */
  get #isBusy(): boolean {
    return !this.#isOver && (this.#offering || this.#deciding !== null || this.#untilAck !== null)
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go()
  }

  /**
   * The pause after a refusal; after 491, 2.1 to 4 s for the side that owns the Call-ID and up to 2 s for the other
   * (§14.1). null: the offer is not repeated.
   */
  #pauseAfter(response: SipResponse): number | null {
    if (response.status === 491)
      return this.#parts.weCalled ? 2_100 + this.#share() * 1_900 : this.#share() * 2_000
    const seconds = response.status === 500 ? retryAfter(response) : undefined
    return seconds === undefined || seconds > 10 ? null : seconds * 1_000
  }

  /** The Retry-After for a second offer before the first was answered (§14.2). */
  #tryLater(): Header {
    return { name: 'Retry-After', value: String(Math.round(this.#share() * 10)) }
  }

  #share(): number {
    return Number.parseInt(this.#parts.random(2), 16) / 0xffff
  }
}
