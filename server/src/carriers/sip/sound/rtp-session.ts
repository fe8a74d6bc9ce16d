// The sound of one call: two sockets, the streams of both sides, keys, reports, and the detection of a dead line.
import { type Frame, frameMs, type RateHz } from '../../../media/frame.ts'
import { opinionScore } from '../../../media/opinion-score.ts'
import { isRtcp, makeRtpHeader, readRtp } from '../../../media/rtp.ts'
import type { LineQuality } from '../../../ports/line.ts'
import { type Coders, codecs } from './codecs.ts'
import type { Datagrams } from './datagrams.ts'
import type { Agreement } from './negotiate.ts'
import { RtcpReports } from './rtcp-reports.ts'
import { RtpReceiver } from './rtp-receiver.ts'
import { RtpSender } from './rtp-sender.ts'
import { type RtpSource, SourceLock } from './source-lock.ts'
import { openSrtpReceiver, openSrtpSender, type SrtpReceiver, type SrtpSender } from './srtp.ts'

export interface RtpListener {
  /** `arrivedMs`: see ports/line.ts. */
  onFrame(frame: Frame, arrivedMs: number | undefined): void
  onDigit(digit: string): void
  /** No packet has come for `deadAfterMs`, although the far end should send. */
  onDead(): void
}

export interface RtpParts {
  readonly rtp: Datagrams
  /** The socket for reports, where they do not share the port of the sound. */
  readonly rtcp: Datagrams
  readonly rateHz: RateHz
  readonly coders: Coders
  readonly listener: RtpListener
  readonly random32: () => number
  readonly deadAfterMs: number
  /** false: the far end is where SDP says. Left out: true. */
  readonly symmetricRtp?: boolean
  /** The clock of the ticks. */
  readonly now: () => number
}

export interface RtpStats extends LineQuality {
  /** Packets that arrived too late to be played. */
  readonly packetsLate: number
  readonly farJitterMs: number | null
}

/** What the jitter buffer holds at most. */
const mostMissedFrames = 1_000 / frameMs
/** The age of the sound in a packet when it is sent. */
const packetMs = 20

export class RtpSession {
  readonly #parts: RtpParts
  readonly #header = makeRtpHeader()
  readonly #lock: SourceLock
  readonly #sender: RtpSender
  readonly #receiver: RtpReceiver
  readonly #reports: RtcpReports
  #agreement: Agreement | null = null
  #protector: SrtpSender | null = null
  #unprotector: SrtpReceiver | null = null
  #sends = false
  #receives = false
  /** Whether the call is answered: only then is missing sound a fault. */
  #isAnswered = false
  #hasHeard = false
  #lastHeardMs = 0
  #tickedMs = 0
  /** The source of the far end's reports, if it is not the address in SDP. */
  #reportSource: RtpSource | null = null

  constructor(parts: RtpParts) {
    this.#parts = parts
    this.#lock = new SourceLock(parts.symmetricRtp)
    this.#sender = new RtpSender(parts.rateHz, parts.random32, (packet) => this.#sendPacket(packet))
    this.#receiver = new RtpReceiver(parts.rateHz, (digit) => parts.listener.onDigit(digit))
    this.#reports = new RtcpReports(parts.random32, (report) => this.#sendReport(report))
    parts.rtp.listen((bytes, address, port) =>
      isRtcp(bytes) ? this.#receiveReport(bytes, address, port) : this.#receive(bytes, address, port),
    )
    parts.rtcp.listen((bytes, address, port) => this.#receiveReport(bytes, address, port))
  }

  get stats(): RtpStats {
    const { reception, codec, late, bufferMs, concealedMs } = this.#receiver
    const { packets, lost, jitterMs } = reception
    const { roundTripMs, farLossShare, farJitter } = this.#reports
    const { clockHz, quality } = codecs[codec ?? 'PCMU']
    return {
      packetsReceived: packets,
      packetsSent: this.#sender.packets,
      packetsLost: lost,
      packetsLate: late,
      jitterMs,
      roundTripMs,
      farLossShare,
      farJitterMs: farJitter === null ? null : (farJitter / clockHz) * 1_000,
      concealedMs,
      opinionScore: opinionScore({
        lossShare: packets + lost > 0 ? Math.min(1, (lost + late) / (packets + lost)) : 0,
        delayMs: (roundTripMs ?? 0) / 2 + bufferMs + packetMs,
        codec: quality,
      }),
    }
  }

  /** After the first answer, and after every change. */
  use(agreement: Agreement): void {
    const before = this.#agreement
    this.#agreement = agreement
    this.#sends = agreement.direction === 'sendrecv' || agreement.direction === 'sendonly'
    this.#receives = agreement.direction === 'sendrecv' || agreement.direction === 'recvonly'
    this.#useKeys(before?.crypto ?? null, agreement.crypto)
    this.#lock.announce(agreement.remote)
    this.#reportSource = null
    this.#sender.use(agreement, this.#parts.coders.of(agreement.codec))
    this.#receiver.use(agreement, this.#parts.coders)
    this.#lastHeardMs = this.#parts.now()
    if (!before) this.#tickedMs = this.#parts.now()
  }

  /** The call is answered: missing packets are a fault from now on. */
  answered(): void {
    this.#isAnswered = true
    this.#lastHeardMs = this.#parts.now()
  }

  get canSendEvents(): boolean {
    return this.#agreement?.digits != null
  }

  /** Resolves when the last one has been sent. */
  sendDigits(digits: string): Promise<void> {
    return this.#sender.sendDigits(digits)
  }

  /** Stops detecting tones, because keys come by INFO. */
  ignoreTones(): void {
    this.#receiver.ignoreTones()
  }

  /** Sends one frame of the agent; called every 20 ms. */
  send(frame: Frame): void {
    if (this.#sends) this.#sender.send(frame, this.#parts.now())
    else this.#sender.pause()
  }

  /**
   * Called every 20 ms: reports one frame of the far end, and sends RTCP reports that are due. After a stall it reports the
   * frames of the ticks that were dropped as well, so that no word is lost.
   */
  tick(nowMs: number): void {
    if (!this.#agreement) return
    this.#reports.tick(nowMs, this.#sender, this.#receiver.reception)
    const missed = Math.round((nowMs - this.#tickedMs) / frameMs) - 1
    for (let left = Math.min(missed, mostMissedFrames); left > 0; left--) this.#hear(nowMs - left * frameMs)
    this.#hear(nowMs)
    this.#tickedMs = nowMs
    this.#watch(nowMs)
  }

  close(): void {
    this.#reports.close(this.#parts.now(), this.#sender.state, this.#receiver.reception)
    this.#parts.rtp.listen(null)
    this.#parts.rtcp.listen(null)
    this.#sender.close()
  }

  #hear(dueMs: number): void {
    this.#receiver.take(dueMs)
    // Before the answer there is sound only if the far end sends some.
    if (this.#hasHeard || this.#isAnswered)
      this.#parts.listener.onFrame(this.#receiver.frame, this.#receiver.arrivedMs)
  }

  /** An unchanged key keeps its state, see openSrtpSender. */
  #useKeys(before: Agreement['crypto'], keys: Agreement['crypto']): void {
    if (!keys) this.#protector = null
    else if (!this.#protector || before?.ours !== keys.ours || before.suite !== keys.suite)
      this.#protector = openSrtpSender(keys)
    if (!keys) this.#unprotector = null
    else if (!this.#unprotector || before?.theirs !== keys.theirs || before.suite !== keys.suite)
      this.#unprotector = openSrtpReceiver(keys)
  }

  #receive(bytes: Uint8Array, address: string, port: number): void {
    if (!this.#agreement) return
    const plain = this.#unprotector ? this.#unprotector.unprotect(bytes) : bytes
    const header = this.#header
    if (!plain || !readRtp(plain, header) || !this.#receiver.knows(header.payloadType)) return
    const nowMs = this.#parts.now()
    const { source, sequence } = header
    if (!this.#lock.accepts(address, port, source, sequence, nowMs, this.#unprotector !== null)) return
    this.#lastHeardMs = nowMs
    // Packets during a hold are dropped: some far ends still send for a moment.
    if (!this.#receives) return
    this.#hasHeard = true
    this.#receiver.receive(plain, header, nowMs)
  }

  #receiveReport(bytes: Uint8Array, address: string, port: number): void {
    const isExpected = this.#unprotector !== null || this.#lock.acceptsReport(address)
    if (!this.#agreement || !isRtcp(bytes) || !isExpected) return
    const plain = this.#unprotector ? this.#unprotector.unprotectRtcp(bytes) : bytes
    if (!plain) return
    const nowMs = this.#parts.now()
    this.#lastHeardMs = nowMs
    if (this.#reportSource?.address !== address || this.#reportSource.port !== port)
      this.#reportSource = { address, port }
    this.#reports.receive(plain, this.#sender.source, nowMs)
    const { farLossShare } = this.#reports
    if (farLossShare !== null) this.#parts.coders.of(this.#agreement.codec).expectLoss?.(farLossShare)
  }

  #sendPacket(packet: Uint8Array): void {
    const to = this.#lock.target
    if (!to) return
    this.#parts.rtp.send(this.#protector ? this.#protector.protect(packet) : packet, to.address, to.port)
  }

  #sendReport(report: Uint8Array): void {
    const agreement = this.#agreement
    const target = this.#lock.target
    if (!agreement || !target) return
    const { remote, remoteRtcp } = agreement
    const isMuxed = remoteRtcp.port === remote.port && remoteRtcp.address === remote.address
    const to = isMuxed ? target : (this.#reportSource ?? remoteRtcp)
    // During a hold by address there is nowhere to send to.
    if (to.address === '0.0.0.0' || to.address === '::') return
    const bytes = this.#protector ? this.#protector.protectRtcp(report) : report
    const socket = isMuxed ? this.#parts.rtp : this.#parts.rtcp
    socket.send(bytes, to.address, to.port)
  }

  #watch(nowMs: number): void {
    if (!this.#isAnswered || !this.#sends || !this.#receives) {
      this.#lastHeardMs = nowMs
      return
    }
    if (nowMs - this.#lastHeardMs < this.#parts.deadAfterMs) return
    this.#lastHeardMs = nowMs
    this.#parts.listener.onDead()
  }
}
