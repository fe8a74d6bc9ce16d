// A telephone call over SIP as the engine sees it, in the media thread.
import type { Frame, RateHz } from '../../../media/frame.ts'
import { digitOfInfo } from '../../../media/rtp-digits.ts'
import type { Ticker } from '../../../platform/clock/ticker.ts'
import type {
  Line,
  LineAbilities,
  LineEvent,
  LineListener,
  LineQuality,
  TransferRequest,
  TransferResult,
} from '../../../ports/line.ts'
import { carrierCauseOf, causeOfStatus, lineEndOf, type SipCause } from '../call/causes.ts'
import { codecs } from '../sound/codecs.ts'
import { KeyTones } from '../sound/key-tones.ts'
import type { RtpPort } from '../sound/rtp-ports.ts'
import type { RtpSession } from '../sound/rtp-session.ts'
import type { FirstLine } from './consultation.ts'
import { LineAgreement } from './line-agreement.ts'
import { LineMedia } from './line-media.ts'
import { LineTransfers } from './line-transfers.ts'
import { LineRequests, type MediaTerms, type SipArrival, type ToLine, type ToSignalling } from './link.ts'

export interface SipLineParts {
  /** The key of the call in the main thread. */
  readonly call: string
  readonly callSid: string
  readonly post: (message: ToSignalling) => void
  readonly ticker: Pick<Ticker, 'add'>
  readonly openPort: () => Promise<RtpPort | null>
  /** The clock of the ticks, if it is not this thread's. */
  readonly now?: () => number
  readonly listener: LineListener
  /** Set for the call of another process that we continue. */
  readonly resumed: SipArrival['resumed']
  /** Places another call over the same trunk; null: the line has no trunk. */
  readonly placeSecond: ((to: string, listener: LineListener) => SipLine) | null
  readonly onClosed: () => void
}

export const sipAbilities: LineAbilities = {
  digits: true,
  hold: true,
  transfers: ['blind', 'bridged'],
  earlyMedia: true,
  codecs: Object.entries(codecs).map(([name, { rateHz }]) => ({ name, rateHz })),
}

export class SipLine implements Line, FirstLine {
  readonly rateHz: RateHz = 16_000
  readonly callSid: string
  readonly can: LineAbilities
  readonly consult: Line['consult']
  readonly #parts: SipLineParts
  readonly #media: LineMedia
  readonly #agreement: LineAgreement
  readonly #requests: LineRequests
  readonly #transfers: LineTransfers
  readonly #tones = new KeyTones(this.rateHz)
  #isOver = false
  /** Takes the frames of a call that is joined with another one. */
  #take: ((frame: Frame) => void) | null = null

  constructor(parts: SipLineParts) {
    this.#parts = parts
    this.callSid = parts.callSid
    const { placeSecond, ticker, openPort, now = () => performance.now() } = parts
    this.can = placeSecond ? sipAbilities : { ...sipAbilities, transfers: ['blind'] }
    this.consult = placeSecond
      ? (to, heard) => {
          this.#mustTalk()
          return this.#transfers.consult(to, heard)
        }
      : undefined
    const listener = {
      onFrame: (frame: Frame, arrivedMs: number | undefined) =>
        this.#take ? this.#take(frame) : parts.listener.onFrame(frame, arrivedMs),
      onDigit: (digit: string) => this.#tell({ type: 'digit', digit }),
      onDead: () => this.#fail(causeOfStatus(408, 'No sound has come from the far end for 20 s.')),
    }
    this.#media = new LineMedia({ rateHz: this.rateHz, ticker, openPort, now, listener }, parts.resumed)
    this.#requests = new LineRequests(parts.post)
    this.#transfers = new LineTransfers({
      first: this,
      place: placeSecond,
      refer: (to) =>
        this.#requests.ask((request) => ({ type: 'refer', call: this.#parts.call, request, to })),
      tell: (event) => this.#tell(event),
    })
    this.#agreement = new LineAgreement({
      call: parts.call,
      media: this.#media,
      isOver: () => this.#isOver,
      post: parts.post,
      tell: (event) => this.#tell(event),
      offer: (sdp) => this.#offer(sdp),
      fail: (cause) => this.#fail(cause),
    })
  }

  get quality(): LineQuality | null {
    return this.#agreement.isAnswered ? (this.#media.rtp?.stats ?? null) : null
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Answers a call that came in. It rings until it is picked up. */
  answer(terms: MediaTerms, offer: string | null): Promise<void> {
    return this.#agreement.receiveCall(terms, offer)
  }

  /** Continues the call of another process. */
  resume(terms: MediaTerms): Promise<void> {
    return this.#agreement.resume(terms)
  }

  pickUp(): void {
    this.#agreement.pickUp()
  }

  receive(message: ToLine): void {
    if (this.#isOver) return
    switch (message.type) {
      case 'describe':
        return void this.#agreement.describe(message.terms)
      case 'reach':
        return void this.#tell({ type: message.isInReach ? 'in-reach' : 'out-of-reach' })
      case 'provisional':
        return void this.#agreement.receiveProvisional(message.status, message.sdp)
      case 'answered':
        return void this.#agreement.receiveAnswer(message.sdp)
      case 'late-answer':
        return void this.#agreement.receiveLateAnswer(message.sdp)
      case 'offered':
        return void this.#agreement.receiveOffer(message.offer, message.sdp)
      case 'result':
        return void this.#requests.settle(message.request, message.result)
      case 'info':
        return void this.#receiveInfo(message.contentType, message.body)
      case 'transfer-progress':
        return void this.#transfers.progress(message.status)
      case 'ended':
        return void this.#end(message.cause)
    }
  }

  send(frame: Frame): void {
    if (this.#isOver || !this.#agreement.isAnswered || this.#take) return
    this.#media.rtp?.send(this.#tones.next() ?? frame)
  }

  async sendDigits(digits: string): Promise<void> {
    const rtp = this.#mustTalk()
    if (rtp.canSendEvents) return rtp.sendDigits(digits)
    return this.#tones.play(digits)
  }

  async hold(on: boolean): Promise<void> {
    this.#mustTalk()
    if (on === this.#media.weHold) return
    this.#media.weHold = on
    const sdp = this.#media.offer()
    const result = await this.#offer(sdp)
    if (result.is === 'refused') throw new Error(`The far end refused the hold: ${result.cause.text}.`)
    this.#agreement.changed(result.sdp ?? '')
  }

  async transfer(request: TransferRequest): Promise<TransferResult> {
    this.#mustTalk()
    return this.#transfers.transfer(request)
  }

  divert(take: (frame: Frame) => void): void {
    this.#take = take
  }

  relay(frame: Frame): void {
    if (!this.#isOver) this.#media.rtp?.send(frame)
  }

  hear(frame: Frame): void {
    this.#parts.listener.onFrame(frame)
  }

  leave(): void {
    this.#fail(causeOfStatus(200, 'The other side of the transfer hung up.'))
  }

  hangUp(reason?: string): void {
    if (this.#isOver) return
    const cause = causeOfStatus(this.#agreement.isAnswered ? 200 : 487, reason ?? 'Hung up')
    this.#parts.post({ type: 'hang-up', call: this.#parts.call, cause })
    this.#close()
  }

  #receiveInfo(contentType: string, body: string): void {
    const digit = digitOfInfo(contentType, body)
    if (digit === null) return
    this.#media.rtp?.ignoreTones()
    this.#tell({ type: 'digit', digit })
  }

  #offer(sdp: string): ReturnType<LineRequests['ask']> {
    return this.#requests.ask((request) => ({ type: 'offer', call: this.#parts.call, request, sdp }))
  }

  #mustTalk(): RtpSession {
    const { rtp } = this.#media
    if (!this.#agreement.isAnswered || this.#isOver || !rtp)
      throw new Error('The call is not answered, or over.')
    return rtp
  }

  /** Ends the call because of a fault, which the far end is told. */
  #fail(cause: SipCause): void {
    if (this.#isOver) return
    this.#parts.post({ type: 'hang-up', call: this.#parts.call, cause })
    this.#end(cause)
  }

  #end(cause: SipCause): void {
    if (this.#isOver) return
    const { isAnswered } = this.#agreement
    // A far end that no longer knows the call of another process has hung up there.
    const hadLeft = !isAnswered && this.#parts.resumed !== null && cause.status === 481
    const hasHungUp = hadLeft || (isAnswered && cause.status === 200)
    const end = hasHungUp ? 'hangup' : isAnswered ? 'failed' : lineEndOf(cause)
    this.#close()
    this.#parts.listener.onEvent({
      type: 'ended',
      cause: end,
      ...((end === 'failed' || end === 'no-trunk') && { reason: cause.text }),
      carrierCause: carrierCauseOf(cause),
    })
  }

  #close(): void {
    this.#isOver = true
    this.#transfers.close()
    this.#media.close()
    this.#tones.close()
    this.#requests.close()
    this.#parts.onClosed()
  }

  #tell(event: LineEvent): void {
    if (!this.#isOver) this.#parts.listener.onEvent(event)
  }
}
