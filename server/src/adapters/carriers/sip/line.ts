// A telephone call over SIP as the engine sees it, in the media thread.
import { randomBytes } from 'node:crypto'
import { DtmfPlayer } from '../../../media/dtmf.ts'
import { type Frame, makeFrame, type RateHz } from '../../../media/frame.ts'
import { digitOfInfo } from '../../../media/rtp-digits.ts'
import type { Subscription, Ticker } from '../../../platform/clock/ticker.ts'
import type {
  Codec,
  Consultation,
  Line,
  LineAbilities,
  LineListener,
  LineQuality,
  TransferRequest,
  TransferResult,
} from '../../../ports/line.ts'
import type { SipCause } from './call-parts.ts'
import { carrierCauseOf, causeOfStatus, lineEndOf } from './causes.ts'
import { type CodecName, type Coders, codecs, openCoders } from './codecs.ts'
import type { MediaTerms, RequestResult, SipArrival, ToMedia, ToSignalling } from './link.ts'
import {
  type Agreement,
  answerOffer,
  makeOffer,
  type OwnMedia,
  readAnswer,
  SdpVersions,
} from './negotiate.ts'
import type { RtpPort } from './rtp-ports.ts'
import { RtpSession } from './rtp-session.ts'
import type { Direction } from './sdp.ts'
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

/** Without a packet for so long the far end is not there any more. */
const deadAfterMs = 20_000

type Waiting = (result: RequestResult) => void

export class SipLine implements Line, FirstCall {
  readonly rateHz: RateHz = 16_000
  readonly callSid: string
  readonly can: LineAbilities
  readonly consult: Line['consult']
  readonly #parts: SipLineParts
  readonly #call: string
  #sessionId = String(randomBytes(4).readUInt32BE())
  readonly #key = randomBytes(30).toString('base64')
  readonly #requests = new Map<number, Waiting>()
  #own: OwnMedia | null = null
  #port: RtpPort | null = null
  #rtp: RtpSession | null = null
  #ticking: Subscription | null = null
  #agreement: Agreement | null = null
  #versions = new SdpVersions()
  #coders: Coders | null = null
  #request = 0
  /** Of a call that came in: our side of it, until it is accepted. */
  #description: string | null = null
  #isWanted = false
  #isAnswered = false
  #isOver = false
  #isRinging = false
  #isEarly = false
  #weHold = false
  #heldByThem = false
  /** Of a call that is joined with another one. */
  #take: ((frame: Frame) => void) | null = null
  #second: SipLine | null = null
  #tones: { player: DtmfPlayer; frame: Frame; done: () => void } | null = null
  #transfer: { resolve: (result: TransferResult) => void; isAccepted: boolean } | null = null

  constructor(parts: SipLineParts) {
    this.#parts = parts
    this.#call = parts.call
    this.callSid = parts.callSid
    const { placeSecond } = parts
    this.can = placeSecond ? sipAbilities : { ...sipAbilities, transfers: ['blind'] }
    this.consult = placeSecond
      ? (to, listener) => this.#consult((heard) => placeSecond(to, heard), listener)
      : undefined
  }

  get quality(): LineQuality | null {
    return this.#isAnswered ? (this.#rtp?.stats ?? null) : null
  }

  /** We call: the offer goes out as soon as the trunk is known. */
  async describe(terms: MediaTerms): Promise<void> {
    if (!(await this.#open(terms)) || !this.#own) return
    this.#post({ type: 'described', call: this.#call, sdp: this.#offer(this.#own) })
  }

  /** We are called. It rings until it is picked up. */
  async answer(terms: MediaTerms, offer: string | null): Promise<void> {
    if (!(await this.#open(terms)) || !this.#own) return
    if (offer === null) this.#description = this.#offer(this.#own)
    else {
      const negotiated = this.#answerTo(offer, this.#own)
      if (negotiated.is === 'refused') return this.#fail(causeOfStatus(488, negotiated.reason))
      this.#use(negotiated.agreement)
      this.#description = negotiated.sdp
    }
    this.#accept()
  }

  /** Another process had this call: the far end is asked to send its sound to us. */
  async resume(terms: MediaTerms, { sessionId, version }: NonNullable<SipArrival['resumed']>): Promise<void> {
    this.#sessionId = sessionId
    this.#versions = new SdpVersions(version)
    if (!(await this.#open(terms)) || !this.#own) return
    const own = this.#own
    const sdp = this.#offer(own)
    const result = await this.#ask((request) => ({ type: 'offer', call: this.#call, request, sdp }))
    if (this.#isOver) return
    if (result.is === 'refused') return this.#fail(result.cause)
    const negotiated = readAnswer(result.sdp ?? '', own)
    if (negotiated.is === 'refused') return this.#fail(causeOfStatus(488, negotiated.reason))
    this.#use(negotiated.agreement)
    this.#answered()
  }

  pickUp(): void {
    this.#isWanted = true
    this.#accept()
  }

  /** When both the agent and the port are ready. Without an offer of the far end its ACK says what is agreed. */
  #accept(): void {
    if (!this.#isWanted || this.#description === null || this.#isOver) return
    this.#post({ type: 'accept', call: this.#call, sdp: this.#description })
    this.#description = null
    this.#answered()
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
      case 'info': {
        const digit = digitOfInfo(message.contentType, message.body)
        if (digit === null) return
        this.#rtp?.ignoreTones()
        return void this.#parts.listener.onEvent({ type: 'digit', digit })
      }
      case 'transfer-progress':
        return void this.#receiveTransferProgress(message.status)
      case 'ended':
        return void this.#end(message.cause)
    }
  }

  send(frame: Frame): void {
    if (this.#isOver || !this.#isAnswered || this.#take) return
    const tones = this.#tones
    if (!tones) return void this.#rtp?.send(frame)
    // The far end takes no events: keys are heard instead of the agent.
    tones.player.fill(tones.frame.samples)
    this.#rtp?.send(tones.frame)
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
    if (on === this.#weHold || !this.#own) return
    this.#weHold = on
    const direction = on ? 'sendonly' : 'sendrecv'
    const sdp = this.#offer(this.#own, direction)
    const result = await this.#ask((request) => ({ type: 'offer', call: this.#call, request, sdp }))
    if (result.is === 'refused') throw new Error(`The far end refused the hold: ${result.cause.text}.`)
    const negotiated = readAnswer(result.sdp ?? '', this.#own, direction)
    if (negotiated.is === 'agreed') this.#use(negotiated.agreement)
  }

  async transfer({ to, mode }: TransferRequest): Promise<TransferResult> {
    this.#mustTalk()
    if (this.#transfer || this.#second) throw new Error('This call is being transferred already.')
    if (mode === 'bridged') return this.#bridge(to)
    const { promise, resolve } = Promise.withResolvers<TransferResult>()
    const transfer = { resolve, isAccepted: false }
    this.#transfer = transfer
    const result = await this.#ask((request) => ({ type: 'refer', call: this.#call, request, to }))
    if (result.is === 'refused') this.#transferred(failed(result.cause))
    else {
      transfer.isAccepted = true
      this.#parts.listener.onEvent({ type: 'transfer-progress', is: 'trying' })
    }
    return promise
  }

  #bridge(to: string): Promise<TransferResult> {
    const { consult } = this
    if (!consult) throw new Error('This line cannot place a second call: it came without a trunk.')
    return bridgedTransfer(
      (heard) => consult(to, heard),
      (event) => {
        if (!this.#isOver) this.#parts.listener.onEvent(event)
      },
    )
  }

  #consult(place: (heard: LineListener) => SipLine, listener: LineListener): Consultation {
    this.#mustTalk()
    const placed = (heard: LineListener) => {
      this.#second = place(heard)
      return this.#second
    }
    return placeSecondCall(this, placed, listener)
  }

  divert(take: (frame: Frame) => void): void {
    this.#take = take
  }

  relay(frame: Frame): void {
    if (!this.#isOver) this.#rtp?.send(frame)
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

  /** False: the call has ended meanwhile, or there is no port. */
  async #open({ address, codecs: offered, srtp }: MediaTerms): Promise<boolean> {
    // Described again, on other terms: an offer with keys was refused.
    if (this.#own) {
      this.#own = { ...this.#own, srtp }
      return true
    }
    const coders = await openCoders(offered)
    const port = await this.#openPort()
    if (this.#isOver || !port) {
      port?.close()
      coders.close()
      return false
    }
    this.#port = port
    this.#coders = coders
    this.#own = {
      sessionId: this.#sessionId,
      address,
      port: port.port,
      codecs: offered,
      srtp,
      key: this.#key,
    }
    this.#rtp = new RtpSession({
      rtp: port.rtp,
      rtcp: port.rtcp,
      rateHz: this.rateHz,
      coders,
      random32: () => randomBytes(4).readUInt32BE(),
      now: this.#parts.now ?? (() => performance.now()),
      deadAfterMs,
      listener: {
        onFrame: (frame) => (this.#take ? this.#take(frame) : this.#parts.listener.onFrame(frame)),
        onDigit: (digit) => this.#parts.listener.onEvent({ type: 'digit', digit }),
        onDead: () => this.#fail(causeOfStatus(408, 'No sound has come from the far end for 20 s.')),
      },
    })
    this.#ticking = this.#parts.ticker.add((nowMs) => this.#rtp?.tick(nowMs))
    return true
  }

  /** null: there is none, and the call has ended for it. */
  async #openPort(): Promise<RtpPort | null> {
    try {
      const port = await this.#parts.openPort()
      if (!port) this.#fail(causeOfStatus(503, 'All ports for sound are in use; widen PARLEY_RTP_PORTS.'))
      return port
    } catch (error) {
      const { code = 'error' } = error as NodeJS.ErrnoException
      this.#fail(
        causeOfStatus(503, `No port for sound can be opened (${code}): is the address one of this machine?`),
      )
      return null
    }
  }

  #offer(own: OwnMedia, direction: Direction = 'sendrecv'): string {
    return this.#versions.print(
      (version) => makeOffer(own, version, direction),
      (sdp) => sdp,
    )
  }

  #answerTo(offer: string, own: OwnMedia): ReturnType<typeof answerOffer> {
    return this.#versions.print(
      (version) => answerOffer(offer, own, version, this.#weHold),
      (made) => (made.is === 'agreed' ? made.sdp : null),
    )
  }

  #receiveProvisional(status: number, sdp: string | null): void {
    if (sdp !== null && this.#own) {
      const negotiated = readAnswer(sdp, this.#own)
      if (negotiated.is === 'agreed') this.#use(negotiated.agreement)
    }
    if (!this.#isRinging && (status === 180 || sdp === null)) {
      this.#isRinging = true
      this.#parts.listener.onEvent({ type: 'ringing' })
    }
    if (sdp === null || this.#isEarly) return
    this.#isEarly = true
    this.#parts.listener.onEvent({ type: 'early-media' })
  }

  #receiveAnswer(sdp: string): void {
    if (!this.#own) return
    // The answer may have come with a provisional one, and be missing here (RFC 3261 §13.2.1).
    if (sdp !== '' || !this.#agreement) {
      const negotiated = readAnswer(sdp, this.#own)
      if (negotiated.is === 'refused') return void this.#fail(causeOfStatus(488, negotiated.reason))
      this.#use(negotiated.agreement)
    }
    this.#answered()
  }

  #receiveLateAnswer(sdp: string | null): void {
    if (!this.#own) return
    const negotiated = readAnswer(sdp ?? '', this.#own)
    if (negotiated.is === 'refused') return void this.#fail(causeOfStatus(488, negotiated.reason))
    this.#use(negotiated.agreement)
    if (!this.#isAnswered) this.#answered()
  }

  #receiveOffer(offer: number, sdp: string | null): void {
    if (!this.#own) return
    if (sdp === null) {
      const direction = this.#weHold ? 'sendonly' : 'sendrecv'
      return void this.#post({
        type: 'answer-offer',
        call: this.#call,
        offer,
        sdp: this.#offer(this.#own, direction),
      })
    }
    const negotiated = this.#answerTo(sdp, this.#own)
    if (negotiated.is === 'refused') return void this.#post({ type: 'refuse-offer', call: this.#call, offer })
    this.#use(negotiated.agreement)
    this.#post({ type: 'answer-offer', call: this.#call, offer, sdp: negotiated.sdp })
  }

  #use(agreement: Agreement): void {
    const before = this.#agreement
    this.#agreement = agreement
    this.#rtp?.use(agreement)
    if (!this.#isAnswered) return
    if (before && before.codec !== agreement.codec)
      this.#parts.listener.onEvent({ type: 'codec-changed', codec: codecOf(agreement.codec) })
    const held = agreement.direction === 'recvonly' || agreement.direction === 'inactive'
    if (held === this.#heldByThem) return
    this.#heldByThem = held
    this.#parts.listener.onEvent({ type: held ? 'held' : 'resumed' })
  }

  #answered(): void {
    if (!this.#agreement) return
    this.#isAnswered = true
    this.#rtp?.answered()
    this.#parts.listener.onEvent({ type: 'answered', codec: codecOf(this.#agreement.codec) })
  }

  /** 1xx: it goes on. 2xx: they talk. Anything else: they do not, and the call goes on with us. */
  #receiveTransferProgress(status: number): void {
    if (!this.#transfer) return
    if (status >= 200) this.#transferred(status < 300 ? { is: 'completed' } : failed(causeOfStatus(status)))
    else if (status >= 180) this.#parts.listener.onEvent({ type: 'transfer-progress', is: 'ringing' })
  }

  #transferred(result: TransferResult): void {
    this.#transfer?.resolve(result)
    this.#transfer = null
  }

  #ask(make: (request: number) => ToSignalling): Promise<RequestResult> {
    const request = ++this.#request
    return new Promise((resolve) => {
      this.#requests.set(request, resolve)
      this.#post(make(request))
    })
  }

  #mustTalk(): RtpSession {
    if (!this.#isAnswered || this.#isOver || !this.#rtp) throw new Error('The call is not answered, or over.')
    return this.#rtp
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
    this.#ticking?.end()
    this.#rtp?.close()
    this.#port?.close()
    this.#coders?.close()
    this.#tones?.done()
    // A transferred call is hung up by the far end: that is its success, if it had accepted.
    if (this.#transfer)
      this.#transferred(
        this.#transfer.isAccepted ? { is: 'completed' } : failed(causeOfStatus(487, 'The call ended first')),
      )
    const over: RequestResult = { is: 'refused', cause: causeOfStatus(481, 'The call ended first') }
    for (const resolve of this.#requests.values()) resolve(over)
    this.#requests.clear()
    this.#parts.onClosed()
  }

  #post(message: ToSignalling): void {
    this.#parts.post(message)
  }
}

const codecOf = (name: CodecName): Codec => ({ name, rateHz: codecs[name].rateHz })

const failed = (cause: SipCause): TransferResult => ({
  is: 'failed',
  reason: cause.text,
  cause: lineEndOf(cause),
  carrierCause: carrierCauseOf(cause),
})
