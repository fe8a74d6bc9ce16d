// The sound of one call: a UDP socket, RTP both ways, the jitter buffer, keys, reports.
import type { Socket } from 'node:dgram'
import { DtmfDetector } from '../../../media/dtmf-detector.ts'
import { type Frame, frameMs, makeFrame, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { JitterBuffer } from '../../../media/jitter.ts'
import { Resampler } from '../../../media/resample.ts'
import { opinionScore, readRtcp, ReceptionMeter, writeReport } from '../../../media/rtcp.ts'
import { isRtcp, makeRtpHeader, readRtp, rtpHeaderBytes, writeRtp } from '../../../media/rtp.ts'
import { DigitReceiver, DigitSender, eventBytes, writeEvent } from '../../../media/rtp-digits.ts'
import { type Coder, codecs } from './codecs.ts'
import type { Agreement } from './negotiate.ts'
import type { SrtpPair } from './srtp.ts'

export interface RtpListener {
  onFrame(frame: Frame): void
  onDigit(digit: string): void
  /** Nothing has come for as long as `deadAfterMs`, though it should. */
  onDead(): void
}

export interface RtpParts {
  readonly socket: Pick<Socket, 'send' | 'on' | 'off'>
  readonly rateHz: RateHz
  readonly listener: RtpListener
  readonly random32: () => number
  readonly openSrtp: (keys: NonNullable<Agreement['crypto']>) => SrtpPair
  readonly deadAfterMs: number
}

export interface RtpStats {
  readonly packetsReceived: number
  readonly packetsSent: number
  readonly packetsLost: number
  readonly jitterMs: number
  readonly roundTripMs: number | null
  readonly farLossShare: number | null
  readonly concealedMs: number
  readonly opinionScore: number
}

const reportEveryMs = 5_000
/** A second source must send so many packets in a row before it is believed (symmetric RTP). */
const packetsToBelieve = 3

interface Source {
  readonly address: string
  readonly port: number
}

export class RtpSession {
  readonly #parts: RtpParts
  readonly #onMessage = (bytes: Buffer, from: { address: string; port: number }) => this.#receive(bytes, from)
  readonly #header = makeRtpHeader()
  readonly #packet = new Uint8Array(rtpHeaderBytes + 2_000)
  readonly #source: number
  readonly #digitsIn: DigitReceiver
  readonly #digitsOut = new DigitSender()
  readonly #out: Frame
  #agreement: Agreement | null = null
  #coder: Coder | null = null
  #jitter: JitterBuffer | null = null
  #decoded: Frame
  #upsampler: Resampler | null = null
  #downsampler: Resampler | null = null
  #coded = new Int16Array(0)
  #gathered = 0
  #detector: DtmfDetector | null = null
  #srtp: SrtpPair | null = null
  /** Where packets really come from; the far end may be behind NAT. */
  #latched: Source | null = null
  #candidate: { source: Source; packets: number } | null = null
  #farSource = -1
  #reception = new ReceptionMeter(8_000)
  #sequence: number
  #timestamp: number
  #talking = false
  #digitStart = 0
  #sentPackets = 0
  #sentBytes = 0
  #lastHeardMs: number | null = null
  #lastReportMs = 0
  #farReport: { sentAt: number; atMs: number } | null = null
  #roundTripMs: number | null = null
  #farLossShare: number | null = null
  #concealedSamples = 0

  constructor(parts: RtpParts) {
    this.#parts = parts
    this.#source = parts.random32()
    this.#sequence = parts.random32() & 0xffff
    this.#timestamp = parts.random32()
    this.#digitsIn = new DigitReceiver((digit) => parts.listener.onDigit(digit))
    this.#out = makeFrame(parts.rateHz)
    this.#decoded = makeFrame(parts.rateHz)
    parts.socket.on('message', this.#onMessage)
  }

  get stats(): RtpStats {
    const { packets, lost, jitterMs } = this.#reception
    const lossShare = packets + lost > 0 ? lost / (packets + lost) : 0
    return {
      packetsReceived: packets,
      packetsSent: this.#sentPackets,
      packetsLost: lost,
      jitterMs,
      roundTripMs: this.#roundTripMs,
      farLossShare: this.#farLossShare,
      concealedMs: Math.round((this.#concealedSamples + this.#concealedNow) / ((this.#coder?.rateHz ?? 8_000) / 1_000)),
      opinionScore: opinionScore({ lossShare, jitterMs, roundTripMs: this.#roundTripMs }),
    }
  }

  /** After the first answer, and after every change. */
  use(agreement: Agreement): void {
    const before = this.#agreement
    this.#agreement = agreement
    if (before?.codec !== agreement.codec || !this.#coder) this.#openCodec(agreement)
    const moved = before?.remote.address !== agreement.remote.address || before?.remote.port !== agreement.remote.port
    if (moved) {
      this.#latched = null
      this.#candidate = null
    }
    const keys = agreement.crypto
    if (!keys) this.#srtp = null
    else if (before?.crypto?.theirs !== keys.theirs || before?.crypto?.ours !== keys.ours)
      this.#srtp = this.#parts.openSrtp(keys)
    this.#detector = agreement.digits
      ? null
      : new DtmfDetector(this.#parts.rateHz, (digit) => this.#parts.listener.onDigit(digit))
    this.#lastHeardMs = null
  }

  /** Resolves when the last one has been sent. */
  sendDigits(digits: string): Promise<void> {
    return this.#digitsOut.send(digits)
  }

  get canSendEvents(): boolean {
    return this.#agreement?.digits != null
  }

  /** One frame of the agent; sent even in silence, because firewalls forget a stream that stops. */
  send(frame: Frame): void {
    const { sends } = this.#direction
    const agreement = this.#agreement
    const coder = this.#coder
    if (!sends || !agreement || !coder) {
      this.#advance()
      return
    }
    if (this.#digitsOut.isSending && agreement.digits) {
      this.#sendEvents(agreement.digits.payloadType)
      this.#advance()
      return
    }
    this.#encode(frame, agreement, coder)
  }

  /** Every 20 ms: one frame of the far end, and the reports that are due. */
  tick(nowMs: number): void {
    const jitter = this.#jitter
    if (!jitter || !this.#agreement) return
    this.#report(nowMs)
    const state = jitter.take(this.#decoded.samples, nowMs)
    if (this.#direction.receives) this.#watch(nowMs)
    if (state === 'waiting' && this.#lastHeardMs === null) return
    const frame = this.#resampled()
    this.#detector?.push(frame.samples)
    this.#parts.listener.onFrame(frame)
  }

  close(): void {
    this.#parts.socket.off('message', this.#onMessage)
    this.#digitsOut.cancel()
  }

  get #direction(): { readonly sends: boolean; readonly receives: boolean } {
    const direction = this.#agreement?.direction
    return {
      sends: direction === 'sendrecv' || direction === 'sendonly',
      receives: direction === 'sendrecv' || direction === 'recvonly',
    }
  }

  get #concealedNow(): number {
    return this.#jitter?.counts.concealedSamples ?? 0
  }

  #openCodec({ codec }: Agreement): void {
    const description = codecs[codec]
    if (!description) throw new Error(`There is no codec ${codec}.`)
    this.#concealedSamples += this.#concealedNow
    const coder = description.open()
    const { rateHz } = this.#parts
    this.#coder = coder
    this.#jitter = new JitterBuffer(coder.rateHz)
    this.#decoded = makeFrame(coder.rateHz)
    this.#upsampler = coder.rateHz === rateHz ? null : new Resampler(coder.rateHz, rateHz)
    this.#downsampler = coder.rateHz === rateHz ? null : new Resampler(rateHz, coder.rateHz)
    // Room for the longest packet, 60 ms.
    this.#coded = new Int16Array(samplesPerFrame(coder.rateHz) * 3)
    this.#gathered = 0
    this.#reception = new ReceptionMeter(coder.clockHz)
  }

  #resampled(): Frame {
    if (!this.#upsampler) return this.#decoded
    this.#upsampler.run(this.#decoded.samples, this.#out.samples)
    return this.#out
  }

  #encode({ samples }: Frame, { payloadType, ptimeMs }: Agreement, coder: Coder): void {
    const size = samplesPerFrame(coder.rateHz)
    const place = this.#coded.subarray(this.#gathered * size, (this.#gathered + 1) * size)
    if (this.#downsampler) this.#downsampler.run(samples, place)
    else place.set(samples)
    this.#gathered++
    if (this.#gathered * frameMs < ptimeMs) return
    const whole = this.#coded.subarray(0, this.#gathered * size)
    const bytes = coder.encode(whole, this.#packet, rtpHeaderBytes)
    this.#sendPacket(payloadType, !this.#talking, this.#timestamp, bytes)
    this.#talking = true
    for (; this.#gathered > 0; this.#gathered--) this.#advance()
  }

  /** The clock runs on whether anything is sent or not (§5.1). */
  #advance(): void {
    const clockHz = this.#coder?.clockHz ?? 8_000
    this.#timestamp = (this.#timestamp + (clockHz / 1_000) * frameMs) >>> 0
  }

  #sendEvents(payloadType: number): void {
    const clockHz = this.#coder?.clockHz ?? 8_000
    for (const packet of this.#digitsOut.next()) {
      if (packet.isFirst) this.#digitStart = this.#timestamp
      writeEvent(this.#packet, rtpHeaderBytes, packet, (clockHz / 1_000) * frameMs)
      this.#sendPacket(payloadType, packet.isFirst, this.#digitStart, eventBytes)
    }
    this.#talking = false
  }

  #sendPacket(payloadType: number, marker: boolean, timestamp: number, payloadBytes: number): void {
    const to = this.#latched ?? this.#agreement?.remote
    if (!to || to.port === 0) return
    this.#sequence = (this.#sequence + 1) & 0xffff
    writeRtp(this.#packet, { payloadType, marker, sequence: this.#sequence, timestamp, source: this.#source })
    const plain = this.#packet.subarray(0, rtpHeaderBytes + payloadBytes)
    // The socket sends later: what it gets must not change meanwhile.
    const bytes = this.#srtp ? this.#srtp.protect(plain) : Uint8Array.prototype.slice.call(plain)
    this.#parts.socket.send(bytes, to.port, to.address)
    this.#sentPackets++
    this.#sentBytes += payloadBytes
  }

  #receive(bytes: Buffer, from: Source): void {
    if (isRtcp(bytes)) return this.#receiveRtcp(bytes, from)
    const agreement = this.#agreement
    if (!agreement || !this.#coder || !this.#jitter || !this.#isExpected(from)) return
    const plain = this.#srtp ? this.#srtp.unprotect(bytes) : bytes
    if (!plain || !readRtp(plain, this.#header)) return
    if (!this.#believes(from)) return
    const nowMs = performance.now()
    this.#lastHeardMs = nowMs
    const { payloadType, sequence, timestamp, source, start, end } = this.#header
    if (source !== this.#farSource) {
      this.#farSource = source
      this.#digitsIn.restart()
    }
    this.#reception.receive(source, sequence, timestamp, nowMs)
    if (payloadType === agreement.digits?.payloadType) this.#digitsIn.receive(plain, start, end, timestamp)
    else if (payloadType === agreement.payloadType)
      this.#jitter.put(
        sequence,
        // The buffer counts samples; G.722's clock counts every other one.
        Math.imul(timestamp, this.#coder.rateHz / this.#coder.clockHz) >>> 0,
        this.#coder.decode(plain.subarray(start, end)),
        nowMs,
      )
  }

  /** Strangers are ignored once a source is known. Before that anybody may be the far end behind its NAT. */
  #isExpected({ address, port }: Source): boolean {
    const known = this.#latched
    if (!known || (known.address === address && known.port === port)) return true
    const announced = this.#agreement?.remote
    return announced?.address === address && announced.port === port
  }

  /** Locks on the announced source at once, on another one after a few packets in a row. */
  #believes(from: Source): boolean {
    const known = this.#latched
    if (known?.address === from.address && known.port === from.port) return true
    const announced = this.#agreement?.remote
    const isAnnounced = announced?.address === from.address && announced.port === from.port
    if (!isAnnounced) {
      const candidate = this.#candidate
      const isSame = candidate?.source.address === from.address && candidate.source.port === from.port
      const packets = isSame && candidate ? candidate.packets + 1 : 1
      this.#candidate = { source: { address: from.address, port: from.port }, packets }
      if (packets < packetsToBelieve) return false
    }
    this.#latched = { address: from.address, port: from.port }
    return true
  }

  #receiveRtcp(bytes: Buffer, from: Source): void {
    const known = this.#latched ?? this.#agreement?.remote
    if (!known || known.address !== from.address) return
    const plain = this.#srtp ? this.#srtp.unprotectRtcp(bytes) : bytes
    if (!plain) return
    const nowMs = performance.now()
    const { report } = readRtcp(plain, this.#source, nowMs)
    if (!report) return
    if (report.sentAt !== null) this.#farReport = { sentAt: report.sentAt, atMs: nowMs }
    if (report.roundTripMs !== null) this.#roundTripMs = report.roundTripMs
    this.#farLossShare = report.lostShare
  }

  #report(nowMs: number): void {
    if (nowMs - this.#lastReportMs < reportEveryMs || !this.#agreement || this.#sentPackets === 0) return
    this.#lastReportMs = nowMs
    const sender = {
      source: this.#source,
      packets: this.#sentPackets,
      bytes: this.#sentBytes,
      timestamp: this.#timestamp,
    }
    const report = writeReport(sender, this.#reception, this.#farReport, 'parley', nowMs)
    const { remoteRtcp, remote } = this.#agreement
    const isMuxed = remoteRtcp.port === remote.port
    const to = isMuxed && this.#latched ? this.#latched : remoteRtcp
    if (to.port === 0) return
    this.#parts.socket.send(this.#srtp ? this.#srtp.protectRtcp(report) : report, to.port, to.address)
  }

  #watch(nowMs: number): void {
    this.#lastHeardMs ??= nowMs
    if (nowMs - this.#lastHeardMs < this.#parts.deadAfterMs) return
    this.#lastHeardMs = nowMs
    this.#parts.listener.onDead()
  }
}
