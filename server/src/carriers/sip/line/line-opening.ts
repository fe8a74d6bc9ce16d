// How a line comes about: we call, we are called, or another process had the call.
import type { SipCause } from '../call/call-parts.ts'
import { causeOfStatus } from '../call/causes.ts'
import type { LineAgreement } from './line-agreement.ts'
import type { LineMedia } from './line-media.ts'
import type { MediaTerms, RequestResult, ToSignalling } from './link.ts'

export interface LineOpeningParts {
  readonly call: string
  readonly media: LineMedia
  readonly agreement: LineAgreement
  readonly isOver: () => boolean
  readonly post: (message: ToSignalling) => void
  /** Asks the far end for something else in the middle of a call. */
  readonly offer: (sdp: string) => Promise<RequestResult>
  readonly fail: (cause: SipCause) => void
}

export class LineOpening {
  readonly #parts: LineOpeningParts
  /** Our side's SDP for a call that came in, until it is accepted. */
  #description: string | null = null
  #isWanted = false

  constructor(parts: LineOpeningParts) {
    this.#parts = parts
  }

  /** We call: the offer goes out as soon as the trunk is known. */
  async describe(terms: MediaTerms): Promise<void> {
    const { call, media, post } = this.#parts
    if (await this.#open(terms)) post({ type: 'described', call, sdp: media.offer() })
  }

  /** We are called. It rings until it is picked up. */
  async answer(terms: MediaTerms, offer: string | null): Promise<void> {
    const { media, fail } = this.#parts
    if (!(await this.#open(terms))) return
    if (offer === null) this.#description = media.offer()
    else {
      const negotiated = media.answer(offer)
      if (negotiated.is === 'refused') return fail(causeOfStatus(488, negotiated.reason))
      this.#description = negotiated.sdp
    }
    this.#accept()
  }

  /** Another process had this call: the far end is asked to send its sound to us. */
  async resume(terms: MediaTerms): Promise<void> {
    const { media, agreement, offer, fail, isOver } = this.#parts
    if (!(await this.#open(terms))) return
    const result = await offer(media.offer())
    if (isOver()) return
    if (result.is === 'refused') return fail(result.cause)
    if (agreement.agree(result.sdp ?? '')) agreement.answered()
  }

  pickUp(): void {
    this.#isWanted = true
    this.#accept()
  }

  /** False: the call has ended, or ends for want of a port. */
  async #open(terms: MediaTerms): Promise<boolean> {
    const opened = await this.#parts.media.open(terms)
    if (typeof opened !== 'string') this.#parts.fail(opened)
    return opened === 'ready' && !this.#parts.isOver()
  }

  /** When both the agent and the port are ready. */
  #accept(): void {
    const { call, agreement, isOver, post } = this.#parts
    if (!this.#isWanted || this.#description === null || isOver()) return
    post({ type: 'accept', call, sdp: this.#description })
    this.#description = null
    agreement.answered()
  }
}
