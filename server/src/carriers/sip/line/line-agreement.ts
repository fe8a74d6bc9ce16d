// What the two ends of a line have agreed on, from the first ring to the last re-INVITE, and what the engine is told of it.
import type { Codec, LineEvent } from '../../../ports/line.ts'
import type { SipCause } from '../call/call-parts.ts'
import { causeOfStatus } from '../call/causes.ts'
import { type CodecName, codecs } from '../sound/codecs.ts'
import type { Agreement } from '../sound/negotiate.ts'
import type { LineMedia } from './line-media.ts'
import type { ToSignalling } from './link.ts'

export interface LineAgreementParts {
  readonly call: string
  readonly media: LineMedia
  readonly post: (message: ToSignalling) => void
  readonly tell: (event: LineEvent) => void
  /** Nothing can be agreed on: the call ends. */
  readonly fail: (cause: SipCause) => void
}

export class LineAgreement {
  readonly #parts: LineAgreementParts
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

  provisional(status: number, sdp: string | null): void {
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

  answer(sdp: string): void {
    const { media } = this.#parts
    if (!media.isOpen) return
    // The answer may have come with a provisional one, and be missing here (RFC 3261 §13.2.1).
    const isKnown = sdp === '' && media.agreement !== null
    if (isKnown || this.agree(sdp)) this.answered()
  }

  lateAnswer(sdp: string | null): void {
    if (this.#parts.media.isOpen && this.agree(sdp ?? '') && !this.#isAnswered) this.answered()
  }

  /** The far end offers something else: a hold, another codec, another address. */
  offer(offer: number, sdp: string | null): void {
    const { media, post, call } = this.#parts
    if (!media.isOpen) return
    if (sdp === null) {
      post({ type: 'answer-offer', call, offer, sdp: media.offer() })
      return
    }
    const before = media.agreement
    const negotiated = media.answer(sdp)
    if (negotiated.is === 'refused') {
      post({ type: 'refuse-offer', call, offer })
      return
    }
    this.#tellChange(before)
    post({ type: 'answer-offer', call, offer, sdp: negotiated.sdp })
  }

  /** The answer to a hold of ours. What it refuses stays as it was. */
  changed(answer: string): void {
    const { media } = this.#parts
    const before = media.agreement
    if (media.read(answer).is === 'agreed') this.#tellChange(before)
  }

  /** False: nothing was agreed, and the call has ended for it. */
  agree(answer: string): boolean {
    const { media, fail } = this.#parts
    const before = media.agreement
    const negotiated = media.read(answer)
    if (negotiated.is === 'refused') fail(causeOfStatus(488, negotiated.reason))
    else this.#tellChange(before)
    return negotiated.is === 'agreed'
  }

  /** Without an offer of the far end its ACK says what is agreed, and this is said then. */
  answered(): void {
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
