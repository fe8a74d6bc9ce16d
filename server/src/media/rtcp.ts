// RTCP (RFC 3550 §6): sender and receiver reports, what they say of a call, and an opinion score estimated from it.
import { byteAt, longAt, writeLong, writeWord } from './rtp.ts'

const senderReport = 200
const receiverReport = 201
const sourceDescription = 202
const goodbye = 203

/** Of the far end's packets, as we receive them (§6.4.1, appendix A.3 and A.8). */
export class ReceptionMeter {
  readonly #clockHz: number
  #source = -1
  #baseSequence = 0
  #highest = 0
  #cycles = 0
  #received = 0
  #lastExpected = 0
  #lastReceived = 0
  #transit = 0
  #jitter = 0
  /** Packets of sources before this one. */
  #formerExpected = 0
  #formerReceived = 0

  constructor(clockHz: number) {
    this.#clockHz = clockHz
  }

  get source(): number {
    return this.#source
  }

  get packets(): number {
    return this.#formerReceived + this.#received
  }

  get lost(): number {
    return Math.max(0, this.#formerExpected + this.#expected - this.packets)
  }

  get jitterMs(): number {
    return (this.#jitter / this.#clockHz) * 1_000
  }

  receive(source: number, sequence: number, timestamp: number, nowMs: number): void {
    const arrival = (nowMs / 1_000) * this.#clockHz
    if (source !== this.#source) this.#begin(source, sequence, arrival - timestamp)
    const ahead = ((sequence - this.#highest) << 16) >> 16
    if (ahead > 0) {
      if (sequence < this.#highest) this.#cycles += 0x10000
      this.#highest = sequence
    }
    this.#received++
    const transit = arrival - timestamp
    const change = Math.abs(transit - this.#transit)
    this.#transit = transit
    // A jump of a second is a clock that was set, not jitter.
    if (change < this.#clockHz) this.#jitter += (change - this.#jitter) / 16
  }

  /** The report block; the share lost is that since the last report. */
  report(): { fraction: number; lost: number; highest: number; jitter: number } {
    const expected = this.#expected - this.#lastExpected
    const received = this.#received - this.#lastReceived
    this.#lastExpected = this.#expected
    this.#lastReceived = this.#received
    const fraction = expected > 0 && expected > received ? Math.floor(((expected - received) * 256) / expected) : 0
    return {
      fraction: Math.min(255, fraction),
      lost: Math.max(0, this.#expected - this.#received),
      highest: (this.#cycles + this.#highest) >>> 0,
      jitter: Math.round(this.#jitter),
    }
  }

  get #expected(): number {
    return this.#source < 0 ? 0 : this.#cycles + this.#highest - this.#baseSequence + 1
  }

  #begin(source: number, sequence: number, transit: number): void {
    this.#formerExpected += this.#expected
    this.#formerReceived += this.#received
    this.#source = source
    this.#baseSequence = sequence
    this.#highest = sequence
    this.#cycles = 0
    this.#received = 0
    this.#lastExpected = 0
    this.#lastReceived = 0
    this.#transit = transit
  }
}

/** What the far end reports of our packets. */
export interface FarReport {
  readonly lostShare: number
  readonly lost: number
  readonly jitter: number
  /** null until it has answered a report of ours. */
  readonly roundTripMs: number | null
  /** NTP time of its own report, for the answer in ours. */
  readonly sentAt: number | null
}

export interface SenderState {
  readonly source: number
  readonly packets: number
  readonly bytes: number
  readonly timestamp: number
}


/** A compound packet: sender report with one block about the far end, and our name. */
export function writeReport(
  sender: SenderState,
  reception: ReceptionMeter,
  lastReport: { readonly sentAt: number; readonly atMs: number } | null,
  name: string,
  nowMs: number,
): Uint8Array {
  const text = new TextEncoder().encode(name)
  // Chunk: source, type 1, length, text, at least one zero, padded to a whole word.
  const chunk = Math.ceil((4 + 2 + text.length + 1) / 4) * 4
  const bytes = new Uint8Array(52 + 4 + chunk)
  writeHeader(bytes, 0, senderReport, 1, 52)
  writeLong(bytes, 4, sender.source)
  writeLong(bytes, 8, Math.floor(nowMs / 1_000))
  writeLong(bytes, 12, Math.floor(((nowMs % 1_000) / 1_000) * 2 ** 32))
  writeLong(bytes, 16, sender.timestamp)
  writeLong(bytes, 20, sender.packets)
  writeLong(bytes, 24, sender.bytes)
  const report = reception.report()
  writeLong(bytes, 28, reception.source >>> 0)
  writeLong(bytes, 32, (report.fraction << 24) | (report.lost & 0xffffff))
  writeLong(bytes, 36, report.highest)
  writeLong(bytes, 40, report.jitter)
  writeLong(bytes, 44, lastReport?.sentAt ?? 0)
  writeLong(bytes, 48, lastReport ? Math.floor(((nowMs - lastReport.atMs) / 1_000) * 65_536) : 0)
  writeHeader(bytes, 52, sourceDescription, 1, 4 + chunk)
  writeLong(bytes, 56, sender.source)
  bytes[60] = 1
  bytes[61] = text.length
  bytes.set(text, 62)
  return bytes
}

function writeHeader(bytes: Uint8Array, at: number, type: number, count: number, length: number): void {
  bytes[at] = 0x80 | count
  bytes[at + 1] = type
  writeWord(bytes, at + 2, length / 4 - 1)
}

export interface RtcpContents {
  readonly report: FarReport | null
  readonly isGoodbye: boolean
}

/** Reads a compound packet; broken parts end the reading. `ourSource` picks the block that is about us. */
export function readRtcp(bytes: Uint8Array, ourSource: number, nowMs: number): RtcpContents {
  let at = 0
  let report: FarReport | null = null
  let sentAt: number | null = null
  let isGoodbye = false
  while (at + 8 <= bytes.length && byteAt(bytes, at) >> 6 === 2) {
    const count = byteAt(bytes, at) & 0x1f
    const type = byteAt(bytes, at + 1)
    const end = at + (((byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3)) + 1) * 4
    if (end > bytes.length) break
    const isSender = type === senderReport && end - at >= 28
    if (isSender) sentAt = ((longAt(bytes, at + 8) << 16) | (longAt(bytes, at + 12) >>> 16)) >>> 0
    if (isSender || type === receiverReport)
      report = blockAbout(bytes, at + (isSender ? 28 : 8), count, end, ourSource, nowMs) ?? report
    if (type === goodbye) isGoodbye = true
    at = end
  }
  if (report) return { report: { ...report, sentAt }, isGoodbye }
  const empty = sentAt === null ? null : { lostShare: 0, lost: 0, jitter: 0, roundTripMs: null, sentAt }
  return { report: empty, isGoodbye }
}

function blockAbout(
  bytes: Uint8Array,
  start: number,
  count: number,
  end: number,
  ourSource: number,
  nowMs: number,
): FarReport | null {
  for (let block = 0, at = start; block < count && at + 24 <= end; block++, at += 24) {
    if (longAt(bytes, at) !== ourSource >>> 0) continue
    const lost = longAt(bytes, at + 4) & 0xffffff
    const sentAt = longAt(bytes, at + 16)
    const held = longAt(bytes, at + 20)
    const trip = sentAt === 0 ? null : (compactNtpOfSender(nowMs) - sentAt - held) | 0
    return {
      lostShare: byteAt(bytes, at + 4) / 256,
      // 24 bits with a sign: duplicates can make it negative.
      lost: Math.max(0, (lost << 8) >> 8),
      jitter: longAt(bytes, at + 12),
      roundTripMs: trip === null || trip < 0 ? null : (trip / 65_536) * 1_000,
      sentAt: null,
    }
  }
  return null
}

/** The middle of the NTP time that `writeReport` sends. */
const compactNtpOfSender = (ms: number): number =>
  (((Math.floor(ms / 1_000) & 0xffff) << 16) | (Math.floor(((ms % 1_000) / 1_000) * 2 ** 32) >>> 16)) >>> 0

export interface LineQuality {
  readonly lossShare: number
  readonly jitterMs: number
  readonly roundTripMs: number | null
}

/**
 * Mean opinion score, 1 to 4.5, by the E-model (ITU-T G.107) reduced to what a receiver knows: delay and loss.
 * G.711 with concealment; half of the round trip and twice the jitter are the delay of one way.
 */
export function opinionScore({ lossShare, jitterMs, roundTripMs }: LineQuality): number {
  const delayMs = (roundTripMs ?? 0) / 2 + jitterMs * 2 + 20
  const delayLoss = 0.024 * delayMs + (delayMs > 177.3 ? 0.11 * (delayMs - 177.3) : 0)
  const percent = lossShare * 100
  // Bpl 25.1: how well G.711 with concealment bears loss (ITU-T G.113, appendix I).
  const packetLoss = (95 * percent) / (percent + 25.1)
  const r = Math.min(100, Math.max(0, 93.2 - delayLoss - packetLoss))
  const score = 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6
  return Math.round(Math.max(1, Math.min(4.5, score)) * 100) / 100
}
