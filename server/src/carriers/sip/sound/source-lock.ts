// Symmetric RTP: which of all who send to our port is the far end, and where it is to be answered.
//
// SDP announces an address, but behind NAT packets come from another one. The announced source is believed at once; any
// other only when several packets of it in a row look like one stream. Once a source is known, strangers are ignored,
// until the far end negotiates again, or falls silent and its own stream goes on from another address.
//
// Where a trunk has symmetric RTP off, the far end is at the announced address, and is answered at the announced port.

export interface RtpSource {
  readonly address: string
  readonly port: number
}

interface Candidate extends RtpSource {
  readonly ssrc: number
  sequence: number
  packets: number
}

/** As many as RFC 3550 A.1 wants of a new source, and one more, because the announced source may be just behind. */
const packetsToBelieve = 3
/** The most sources that are considered at the same time; a flood from many addresses only replaces itself. */
const mostCandidates = 8
/** The silence after which the stream may continue from another address, as when a NAT mapping has changed. */
const silentAfterMs = 1_000

const isSame = (one: RtpSource | null, address: string, port: number): boolean =>
  one?.port === port && one.address === address

export class SourceLock {
  readonly #isSymmetric: boolean
  #announced: RtpSource | null = null
  #locked: RtpSource | null = null
  #lockedSsrc = -1
  #lastMs = 0
  /** Set after a negotiation until the next packet of the known source. */
  #isReconsidering = false
  #candidates: Candidate[] = []

  constructor(isSymmetric = true) {
    this.#isSymmetric = isSymmetric
  }

  /** Where to send: to the known source, or to the address in SDP until there is one. */
  get target(): RtpSource | null {
    return this.#locked ?? this.#announced
  }

  /** Called after every negotiation. */
  announce(remote: RtpSource): void {
    if (!isSame(this.#announced, remote.address, remote.port)) this.#locked = null
    this.#announced = remote
    this.#isReconsidering = true
    this.#candidates = []
  }

  /** Whether a packet is the far end's. `isAuthentic`: SRTP has proved that. */
  accepts(
    address: string,
    port: number,
    ssrc: number,
    sequence: number,
    nowMs: number,
    isAuthentic: boolean,
  ): boolean {
    if (!this.#isSymmetric) return address === this.#announced?.address
    if (isSame(this.#locked, address, port)) {
      this.#isReconsidering = false
      if (this.#candidates.length > 0) this.#candidates = []
      this.#lockedSsrc = ssrc
      this.#lastMs = nowMs
      return true
    }
    const isFree = this.#locked === null
    const isAnnounced = isSame(this.#announced, address, port)
    if (isAuthentic || (isFree && isAnnounced)) return this.#lock(address, port, ssrc, nowMs)
    const isSilent = nowMs - this.#lastMs >= silentAfterMs
    const mayBe = isFree || this.#isReconsidering || (isSilent && (isAnnounced || ssrc === this.#lockedSsrc))
    return mayBe && this.#isBelieved(address, port, ssrc, sequence) && this.#lock(address, port, ssrc, nowMs)
  }

  /** Whether a report is the far end's. It has no stream to know it by, so its address must be right. */
  acceptsReport(address: string): boolean {
    return address === this.#locked?.address || address === this.#announced?.address
  }

  #lock(address: string, port: number, ssrc: number, nowMs: number): true {
    this.#locked = { address, port }
    this.#lockedSsrc = ssrc
    this.#lastMs = nowMs
    this.#isReconsidering = false
    this.#candidates = []
    return true
  }

  #isBelieved(address: string, port: number, ssrc: number, sequence: number): boolean {
    const known = this.#candidates.find((one) => one.ssrc === ssrc && isSame(one, address, port))
    if (!known) {
      if (this.#candidates.length >= mostCandidates) this.#forgetOne()
      this.#candidates.push({ address, port, ssrc, sequence, packets: 1 })
      return false
    }
    const ahead = ((sequence - known.sequence) << 16) >> 16
    if (ahead <= 0) return false
    known.packets = ahead < 10 ? known.packets + 1 : 1
    known.sequence = sequence
    return known.packets >= packetsToBelieve
  }

  /** Forgets the oldest candidate with one packet: a flood replaces itself, and not the stream among it. */
  #forgetOne(): void {
    const at = this.#candidates.findIndex(({ packets }) => packets === 1)
    this.#candidates.splice(Math.max(0, at), 1)
  }
}
