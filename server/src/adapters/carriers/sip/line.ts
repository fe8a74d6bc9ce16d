// A telephone call over SIP as the engine sees it, in the media thread.
import { DtmfPlayer } from '../../../media/dtmf.ts'
import { type Frame, makeFrame, type RateHz } from '../../../media/frame.ts'
import { digitOfInfo } from '../../../media/rtp-digits.ts'
import type { Ticker } from '../../../platform/clock/ticker.ts'
import type {
  Codec,
  Consultation,
  Line,
  LineAbilities,
  LineEvent,
  LineListener,
  LineQuality,
  TransferRequest,
  TransferResult,
} from '../../../ports/line.ts'
import { BlindTransfer } from './blind-transfer.ts'
import type { SipCause } from './call-parts.ts'
import { carrierCauseOf, causeOfStatus, lineEndOf } from './causes.ts'
import { type CodecName, codecs } from './codecs.ts'
import { LineMedia } from './line-media.ts'
import type { MediaTerms, RequestResult, SipArrival, ToMedia, ToSignalling } from './link.ts'
import type { Agreement } from './negotiate.ts'
import type { RtpPort } from './rtp-ports.ts'
import type { RtpSession } from './rtp-session.ts'
import { bridgedTransfer, type FirstCall, placeSecondCall } from './second-call.ts'

export interface SipLineParts {
  /** Names it to the main thread. */
  readonly call: string
  readonly callSid: string
  readonly post: (message: ToSignalling) => void
  readonly ticker: Pick<Ticker, 'add'>
  readonly openPort: () => Promise<RtpPort | null>
  /** The clock of the ticks, if it is not this thread's. */
  readonly now?: () => number
  readonly listener: LineListener
  /** The call of another process that we go on with. */
  readonly resumed: SipArrival['resumed']
  /** Places another call over the same trunk; null: it came without one. */
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

type Waiting = (result: RequestResult) => void

export class SipLine implements Line, FirstCall {
  readonly rateHz: RateHz = 16_000
  readonly callSid: string
  readonly can: LineAbilities
  readonly consult: Line['consult']
  readonly #parts: SipLineParts
  readonly #call: string
  readonly #media: LineMedia
  readonly #requests = new Map<number, Waiting>()
  #request = 0
  /** Of a call that came in: our side of it, until it is accepted. */
  #description: string | null = null
  #isWanted = false
  #isAnswered = false
  #isOver = false
  #isRinging = false
  #isEarly = false
  #heldByThem = false
  /** Of a call that is joined with another one. */
  #take: ((frame: Frame) => void) | null = null
  #second: SipLine | null = null
  #tones: { player: DtmfPlayer; frame: Frame; done: () => void } | null = null
  #transfer: BlindTransfer | null = null

  constructor(parts: SipLineParts) {
    this.#parts = parts
    this.#call = parts.call
    this.callSid = parts.callSid
    const { placeSecond, ticker, openPort, now = () => performance.now() } = parts
    this.can = placeSecond ? sipAbilities : { ...sipAbilities, transfers: ['blind'] }
    this.consult = placeSecond
      ? (to, listener) => this.#consult((heard) => placeSecond(to, heard), listener)
      : undefined
    const listener = {
      onFrame: (frame: Frame) => (this.#take ? this.#take(frame) : parts.listener.onFrame(frame)),
      onDigit: (digit: string) => this.#tell({ type: 'digit', digit }),
      onDead: () => this.#fail(causeOfStatus(408, 'No sound has come from the far end for 20 s.')),
    }
    this.#media = new LineMedia({ rateHz: this.rateHz, ticker, openPort, now, listener }, parts.resumed)
  }

  get quality(): LineQuality | null {
    return this.#isAnswered ? (this.#media.rtp?.stats ?? null) : null
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** We call: the offer goes out as soon as the trunk is known. */
  async describe(terms: MediaTerms): Promise<void> {
    if (!(await this.#open(terms))) return
    this.#post({ type: 'described', call: this.#call, sdp: this.#media.offer() })
  }

  /** We are called. It rings until it is picked up. */
  async answer(terms: MediaTerms, offer: string | null): Promise<void> {
    if (!(await this.#open(terms))) return
    if (offer === null) this.#description = this.#media.offer()
    else {
      const negotiated = this.#media.answer(offer)
      if (negotiated.is === 'refused') return this.#fail(causeOfStatus(488, negotiated.reason))
      this.#description = negotiated.sdp
    }
    this.#accept()
  }

  /** Another process had this call: the far end is asked to send its sound to us. */
  async resume(terms: MediaTerms): Promise<void> {
    if (!(await this.#open(terms))) return
    const sdp = this.#media.offer()
    const result = await this.#ask((request) => ({ type: 'offer', call: this.#call, request, sdp }))
    if (this.#isOver) return
    if (result.is === 'refused') return this.#fail(result.cause)
    if (this.#agree(result.sdp ?? '')) this.#answered()
  }

  pickUp(): void {
    this.#isWanted = true
    this.#accept()
  }

  receive(message: ToMedia): void {
    if (this.#isOver) return
    switch (message.type) {
      case 'describe':
        return void this.describe(message.terms)
      case 'provisional':
        return void this.#receiveProvisional(message.status, message.sdp)
      case 'answered':
        return void this.#receiveAnswer(message.sdp)
      case 'late-answer':
        return void this.#receiveLateAnswer(message.sdp)
      case 'offered':
        return void this.#receiveOffer(message.offer, message.sdp)
      case 'result':
        this.#requests.get(message.request)?.(message.result)
        this.#requests.delete(message.request)
        return
      case 'info':
        return void this.#receiveInfo(message.contentType, message.body)
      case 'transfer-progress':
        return void this.#transfer?.progress(message.status)
      case 'ended':
        return void this.#end(message.cause)
    }
  }

  send(frame: Frame): void {
    if (this.#isOver || !this.#isAnswered || this.#take) return
    const tones = this.#tones
    if (!tones) {
      this.#media.rtp?.send(frame)
      return
    }
    // The far end takes no events: keys are heard instead of the agent.
    tones.player.fill(tones.frame.samples)
    this.#media.rtp?.send(tones.frame)
    if (!tones.player.done) return
    this.#tones = null
    tones.done()
  }

  async sendDigits(digits: string): Promise<void> {
    const rtp = this.#mustTalk()
    if (rtp.canSendEvents) return rtp.sendDigits(digits)
    const player = new DtmfPlayer(digits, this.rateHz)
    return new Promise((done) => {
      this.#tones = { player, frame: makeFrame(this.rateHz), done }
    })
  }

  async hold(on: boolean): Promise<void> {
    this.#mustTalk()
    if (on === this.#media.weHold) return
    this.#media.weHold = on
    const sdp = this.#media.offer()
    const result = await this.#ask((request) => ({ type: 'offer', call: this.#call, request, sdp }))
    if (result.is === 'refused') throw new Error(`The far end refused the hold: ${result.cause.text}.`)
    const before = this.#media.agreement
    if (this.#media.read(result.sdp ?? '').is === 'agreed') this.#tellChange(before)
  }

  async transfer({ to, mode }: TransferRequest): Promise<TransferResult> {
    this.#mustTalk()
    if (this.#transfer || this.#isConsulting) throw new Error('This call is being transferred already.')
    if (mode === 'bridged') return this.#bridge(to)
    const transfer = new BlindTransfer((is) => this.#tell({ type: 'transfer-progress', is }))
    this.#transfer = transfer
    transfer.asked(await this.#ask((request) => ({ type: 'refer', call: this.#call, request, to })))
    const result = await transfer.result
    this.#transfer = null
    return result
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
    const cause = causeOfStatus(this.#isAnswered ? 200 : 487, reason ?? 'Hung up')
    this.#post({ type: 'hang-up', call: this.#call, cause })
    this.#close()
  }

  get #isConsulting(): boolean {
    return this.#second !== null && !this.#second.isOver
  }

  #bridge(to: string): Promise<TransferResult> {
    const { consult } = this
    if (!consult) throw new Error('This line cannot place a second call: it came without a trunk.')
    return bridgedTransfer(
      (heard) => consult(to, heard),
      (event) => this.#tell(event),
    )
  }

  #consult(place: (heard: LineListener) => SipLine, listener: LineListener): Consultation {
    this.#mustTalk()
    if (this.#isConsulting) throw new Error('This call has a second one already.')
    const placed = (heard: LineListener) => {
      this.#second = place(heard)
      return this.#second
    }
    return placeSecondCall(this, placed, listener)
  }

  /** False: the call has ended, or ends for want of a port. */
  async #open(terms: MediaTerms): Promise<boolean> {
    const opened = await this.#media.open(terms)
    if (typeof opened !== 'string') this.#fail(opened)
    return opened === 'ready' && !this.#isOver
  }

  /** When both the agent and the port are ready. Without an offer of the far end its ACK says what is agreed. */
  #accept(): void {
    if (!this.#isWanted || this.#description === null || this.#isOver) return
    this.#post({ type: 'accept', call: this.#call, sdp: this.#description })
    this.#description = null
    this.#answered()
  }

  #receiveProvisional(status: number, sdp: string | null): void {
    if (sdp !== null && this.#media.isOpen) this.#media.read(sdp)
    if (!this.#isRinging && (status === 180 || sdp === null)) {
      this.#isRinging = true
      this.#tell({ type: 'ringing' })
    }
    if (sdp === null || this.#isEarly) return
    this.#isEarly = true
    this.#tell({ type: 'early-media' })
  }

  #receiveAnswer(sdp: string): void {
    if (!this.#media.isOpen) return
    // The answer may have come with a provisional one, and be missing here (RFC 3261 §13.2.1).
    const isKnown = sdp === '' && this.#media.agreement !== null
    if (isKnown || this.#agree(sdp)) this.#answered()
  }

  #receiveLateAnswer(sdp: string | null): void {
    if (this.#media.isOpen && this.#agree(sdp ?? '') && !this.#isAnswered) this.#answered()
  }

  #receiveOffer(offer: number, sdp: string | null): void {
    if (!this.#media.isOpen) return
    const { call } = this.#parts
    if (sdp === null) {
      this.#post({ type: 'answer-offer', call, offer, sdp: this.#media.offer() })
      return
    }
    const before = this.#media.agreement
    const negotiated = this.#media.answer(sdp)
    if (negotiated.is === 'refused') {
      this.#post({ type: 'refuse-offer', call, offer })
      return
    }
    this.#tellChange(before)
    this.#post({ type: 'answer-offer', call, offer, sdp: negotiated.sdp })
  }

  #receiveInfo(contentType: string, body: string): void {
    const digit = digitOfInfo(contentType, body)
    if (digit === null) return
    this.#media.rtp?.ignoreTones()
    this.#tell({ type: 'digit', digit })
  }

  /** False: nothing was agreed, and the call has ended for it. */
  #agree(answer: string): boolean {
    const before = this.#media.agreement
    const negotiated = this.#media.read(answer)
    if (negotiated.is === 'refused') this.#fail(causeOfStatus(488, negotiated.reason))
    else this.#tellChange(before)
    return negotiated.is === 'agreed'
  }

  #tellChange(before: Agreement | null): void {
    const { agreement } = this.#media
    if (!this.#isAnswered || !agreement) return
    if (before && before.codec !== agreement.codec)
      this.#tell({ type: 'codec-changed', codec: codecOf(agreement.codec) })
    const held = agreement.direction === 'recvonly' || agreement.direction === 'inactive'
    if (held === this.#heldByThem) return
    this.#heldByThem = held
    this.#tell({ type: held ? 'held' : 'resumed' })
  }

  #answered(): void {
    const { agreement } = this.#media
    if (!agreement) return
    this.#isAnswered = true
    this.#media.rtp?.answered()
    this.#tell({ type: 'answered', codec: codecOf(agreement.codec) })
  }

  #ask(make: (request: number) => ToSignalling): Promise<RequestResult> {
    const request = ++this.#request
    return new Promise((resolve) => {
      this.#requests.set(request, resolve)
      this.#post(make(request))
    })
  }

  #mustTalk(): RtpSession {
    const { rtp } = this.#media
    if (!this.#isAnswered || this.#isOver || !rtp) throw new Error('The call is not answered, or over.')
    return rtp
  }

  /** We end it because of a fault; the far end is told the same. */
  #fail(cause: SipCause): void {
    if (this.#isOver) return
    this.#post({ type: 'hang-up', call: this.#call, cause })
    this.#end(cause)
  }

  #end(cause: SipCause): void {
    if (this.#isOver) return
    const isHangup = this.#isAnswered && cause.status === 200
    const end = isHangup ? 'hangup' : this.#isAnswered ? 'failed' : lineEndOf(cause)
    this.#close()
    this.#parts.listener.onEvent({
      type: 'ended',
      cause: end,
      ...(end === 'failed' && { reason: cause.text }),
      carrierCause: carrierCauseOf(cause),
    })
  }

  #close(): void {
    this.#isOver = true
    this.#second?.hangUp('The caller has left.')
    this.#media.close()
    this.#tones?.done()
    this.#transfer?.ended()
    const over: RequestResult = { is: 'refused', cause: causeOfStatus(481, 'The call ended first') }
    for (const resolve of this.#requests.values()) resolve(over)
    this.#requests.clear()
    this.#parts.onClosed()
  }

  #tell(event: LineEvent): void {
    if (!this.#isOver) this.#parts.listener.onEvent(event)
  }

  #post(message: ToSignalling): void {
    this.#parts.post(message)
  }
}

const codecOf = (name: CodecName): Codec => ({ name, rateHz: codecs[name].rateHz })
