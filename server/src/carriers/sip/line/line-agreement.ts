// What the two ends of a line have agreed on, from the first description to the last re-INVITE, and what the engine is told
// of it. A line begins in one of three ways: we call, we are called, or another process had the call.
import type { Codec, LineEvent } from '../../../ports/line.ts'
import { causeOfStatus, type SipCause } from '../call/causes.ts'
import { type CodecName, codecs } from '../sound/codecs.ts'
import type { Agreement } from '../sound/negotiate.ts'
import type { LineMedia } from './line-media.ts'
import type { MediaTerms, RequestResult, ToSignalling } from './link.ts'

export interface LineAgreementParts {
  readonly call: string
  readonly media: LineMedia
  readonly isOver: () => boolean
  readonly post: (message: ToSignalling) => void
  readonly tell: (event: LineEvent) => void
  /** Offers the far end a change of an established call. */
  readonly offer: (sdp: string) => Promise<RequestResult>
  /** Ends the call: nothing can be agreed on, or there is no port. */
  readonly fail: (cause: SipCause) => void
}

export class LineAgreement {
  readonly #parts: LineAgreementParts
  /** Our SDP for a call that came in, until it is accepted. */
  #description: string | null = null
  #isPickedUp = false
  #isAnswered = false
  #isRinging = false
  #isEarly = false
  #heldByThem = false

  constructor(parts: LineAgreementParts) {
    this.#parts = parts
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** We call: the offer goes out as soon as the trunk is known. */
  async describe(terms: MediaTerms): Promise<void> {
    const { call, media, post } = this.#parts
    if (await this.#open(terms)) post({ type: 'described', call, sdp: media.offer() })
  }

  /** We are called. It rings until it is picked up. `offer` is null if the caller wants ours. */
  async receiveCall(terms: MediaTerms, offer: string | null): Promise<void> {
    const { media, fail } = this.#parts
    if (!(await this.#open(terms))) return
    if (offer === null) this.#description = media.offer()
    else {
      const negotiation = media.answer(offer)
      if (negotiation.is === 'refused') return fail(causeOfStatus(488, negotiation.reason))
      this.#description = negotiation.sdp
    }
    this.#accept()
  }

  /** Another process had this call: the far end is asked to send its sound to us. */
  async resume(terms: MediaTerms): Promise<void> {
    const { media, offer, fail, isOver } = this.#parts
    if (!(await this.#open(terms))) return
    const result = await offer(media.offer())
    if (isOver()) return
    if (result.is === 'refused') return fail(result.cause)
    if (this.#agree(result.sdp ?? '')) this.#answered()
  }

  pickUp(): void {
    this.#isPickedUp = true
    this.#accept()
  }

  receiveProvisional(status: number, sdp: string | null): void {
    const { media, tell } = this.#parts
    if (sdp !== null && media.isOpen) media.read(sdp)
    if (!this.#isRinging && (status === 180 || sdp === null)) {
      this.#isRinging = true
      tell({ type: 'ringing' })
    }
    if (sdp === null || this.#isEarly) return
    this.#isEarly = true
    tell({ type: 'early-media' })
  }

  receiveAnswer(sdp: string): void {
    const { media } = this.#parts
    if (!media.isOpen) return
    // The answer may have come with a provisional one, and be missing here (RFC 3261 §13.2.1).
    const isKnown = sdp === '' && media.agreement !== null
    if (isKnown || this.#agree(sdp)) this.#answered()
  }

  receiveLateAnswer(sdp: string | null): void {
    if (this.#parts.media.isOpen && this.#agree(sdp ?? '') && !this.#isAnswered) this.#answered()
  }

  /** The far end offers a change: a hold, another codec, another address. */
  receiveOffer(offer: number, sdp: string | null): void {
    const { media, post, call } = this.#parts
    if (!media.isOpen) return
    if (sdp === null) return void post({ type: 'answer-offer', call, offer, sdp: media.offer() })
    const before = media.agreement
    const negotiation = media.answer(sdp)
    if (negotiation.is === 'refused') return void post({ type: 'refuse-offer', call, offer })
    this.#tellChange(before)
    post({ type: 'answer-offer', call, offer, sdp: negotiation.sdp })
  }

  /** The answer to a hold of ours. What it refuses stays as it was. */
  changed(answer: string): void {
    const { media } = this.#parts
    const before = media.agreement
    if (media.read(answer).is === 'agreed') this.#tellChange(before)
  }

  /** False: the call has ended, or ends because there is no port. */
  async #open(terms: MediaTerms): Promise<boolean> {
    const { media, fail, isOver } = this.#parts
    const opened = await media.open(terms)
    if (typeof opened !== 'string') fail(opened)
    return opened === 'ready' && !isOver()
  }

  /** As soon as both the agent and the port are ready. */
  #accept(): void {
    const { call, isOver, post } = this.#parts
    if (!this.#isPickedUp || this.#description === null || isOver()) return
    post({ type: 'accept', call, sdp: this.#description })
    this.#description = null
    this.#answered()
  }

  /** False: nothing was agreed, and the call ends because of it. */
  #agree(answer: string): boolean {
    const { media, fail } = this.#parts
    const before = media.agreement
    const negotiation = media.read(answer)
    if (negotiation.is === 'refused') fail(causeOfStatus(488, negotiation.reason))
    else this.#tellChange(before)
    return negotiation.is === 'agreed'
  }

  /** Does nothing before anything is agreed: an INVITE without an offer is answered by its ACK. */
  #answered(): void {
    const { media, tell } = this.#parts
    if (!media.agreement) return
    this.#isAnswered = true
    media.rtp?.answered()
    tell({ type: 'answered', codec: codecOf(media.agreement.codec) })
  }

  #tellChange(before: Agreement | null): void {
    const { media, tell } = this.#parts
    const { agreement } = media
    if (!this.#isAnswered || !agreement) return
    if (before && before.codec !== agreement.codec)
      tell({ type: 'codec-changed', codec: codecOf(agreement.codec) })
    const held = agreement.direction === 'recvonly' || agreement.direction === 'inactive'
    if (held === this.#heldByThem) return
    this.#heldByThem = held
    tell({ type: held ? 'held' : 'resumed' })
  }
}

const codecOf = (name: CodecName): Codec => ({ name, rateHz: codecs[name].rateHz })
