// The sound of one call: its port, its coders and its session of RTP, and what both sides have said about it in SDP.
import { randomBytes } from 'node:crypto'
import type { RateHz } from '../../../media/frame.ts'
import type { Ticker, TickSubscription } from '../../../platform/clock/ticker.ts'
import { causeOfStatus, type SipCause } from '../call/causes.ts'
import { type Coders, openCoders } from '../sound/codecs.ts'
import {
  type Agreement,
  answerOffer,
  makeOffer,
  type Negotiation,
  type OwnMedia,
  readAnswer,
  SdpVersions,
} from '../sound/negotiate.ts'
import type { RtpPort } from '../sound/rtp-ports.ts'
import { type RtpListener, RtpSession } from '../sound/rtp-session.ts'
import type { Direction } from '../sound/sdp.ts'
import type { MediaTerms, SipArrival } from './link.ts'

export interface LineMediaParts {
  readonly rateHz: RateHz
  readonly ticker: Pick<Ticker, 'add'>
  readonly openPort: () => Promise<RtpPort | null>
  /** The clock of the ticks. */
  readonly now: () => number
  readonly listener: RtpListener
}

/** After so long without a packet the far end is gone. */
const deadAfterMs = 20_000

export class LineMedia {
  readonly #parts: LineMediaParts
  readonly #key = randomBytes(30).toString('base64')
  readonly #sessionId: string
  readonly #versions: SdpVersions
  #own: OwnMedia | null = null
  #port: RtpPort | null = null
  #coders: Coders | null = null
  #rtp: RtpSession | null = null
  #ticking: TickSubscription | null = null
  #agreement: Agreement | null = null
  #isClosed = false
  /** Whether we hold the far end: it hears us, and sends nothing. */
  weHold = false

  /** `resumed` names the SDP that the far end has of a call of another process. */
  constructor(parts: LineMediaParts, resumed: SipArrival['resumed']) {
    this.#parts = parts
    this.#sessionId = resumed?.sessionId ?? String(randomBytes(4).readUInt32BE())
    this.#versions = new SdpVersions(resumed?.version)
  }

  get rtp(): RtpSession | null {
    return this.#rtp
  }

  get agreement(): Agreement | null {
    return this.#agreement
  }

  /** Resolves with `closed` if the line was closed meanwhile, and with a cause if there is no port. */
  async open({ address, codecs, srtp, symmetricRtp }: MediaTerms): Promise<'ready' | 'closed' | SipCause> {
    // A second description follows when an offer with keys was refused.
    if (this.#own) {
      this.#own = { ...this.#own, srtp }
      return 'ready'
    }
    const coders = await openCoders(codecs)
    const opened = await this.#parts.openPort().catch(noPort)
    const port = opened && 'rtp' in opened ? opened : null
    if (this.#isClosed || !port) {
      coders.close()
      port?.close()
      if (this.#isClosed) return 'closed'
      return opened && 'status' in opened ? opened : portsInUse
    }
    this.#port = port
    this.#coders = coders
    const { port: number } = port
    this.#own = { sessionId: this.#sessionId, address, port: number, codecs, srtp, key: this.#key }
    this.#rtp = this.#openSession(port, coders, symmetricRtp)
    this.#ticking = this.#parts.ticker.add((nowMs) => this.#rtp?.tick(nowMs))
    return 'ready'
  }

  /** Makes our offer; call it only after `open`. */
  offer(): string {
    const own = this.#mustBeOpen()
    return this.#versions.print(
      (version) => makeOffer(own, version, this.#direction),
      (sdp) => sdp,
    )
  }

  /** Makes our answer to the far end's offer. The agreement takes effect at once. */
  answer(offer: string): Negotiation {
    const own = this.#mustBeOpen()
    const negotiated = this.#versions.print(
      (version) => answerOffer(offer, own, version, this.weHold),
      (made) => (made.is === 'agreed' ? made.sdp : null),
    )
    return this.#use(negotiated)
  }

  /** Reads the far end's answer to our offer. The agreement takes effect at once. */
  read(answer: string): Negotiation {
    return this.#use(readAnswer(answer, this.#mustBeOpen(), this.#direction))
  }

  close(): void {
    this.#isClosed = true
    this.#ticking?.end()
    this.#rtp?.close()
    this.#port?.close()
    this.#coders?.close()
  }

  get isOpen(): boolean {
    return this.#own !== null
  }

  get #direction(): Direction {
    return this.weHold ? 'sendonly' : 'sendrecv'
  }

  #use(negotiated: Negotiation): Negotiation {
    if (negotiated.is === 'agreed') {
      this.#agreement = negotiated.agreement
      this.#rtp?.use(negotiated.agreement)
    }
    return negotiated
  }

  #openSession({ rtp, rtcp }: RtpPort, coders: Coders, symmetricRtp: boolean): RtpSession {
    const { rateHz, now, listener } = this.#parts
    const random32 = () => randomBytes(4).readUInt32BE()
    const parts = { rtp, rtcp, rateHz, coders, symmetricRtp, random32, now, deadAfterMs, listener }
    return new RtpSession(parts)
  }

  #mustBeOpen(): OwnMedia {
    if (!this.#own) throw new Error('The sound of this call is not open.')
    return this.#own
  }
}

const portsInUse = causeOfStatus(503, 'All ports for sound are in use; widen PARLEY_RTP_PORTS.')

const noPort = ({ code = 'error' }: NodeJS.ErrnoException): SipCause =>
  causeOfStatus(503, `No port for sound can be opened (${code}): is the address one of this machine?`)
