// RTCP (RFC 3550 §6): reports of sender and receiver, and the goodbye.
import type { ReceptionMeter } from './reception-meter.ts'
import { byteAt, longAt, wordAt, writeLong, writeWord } from './rtp.ts'

const senderReport = 200
const receiverReport = 201
const sourceDescription = 202
const goodbye = 203
const senderBytes = 20
const blockBytes = 24

export interface FarReport {
  /** The middle of the NTP time in the far end's sender report, which our answer repeats; null: it sends nothing. */
  readonly sentAt: number | null
  /** The far end's figures about our packets; null: it has heard none. */
  readonly about: {
    readonly lostShare: number
    /** In units of the media clock. */
    readonly jitter: number
    /** The round-trip time; null until the far end has answered a report of ours. */
    readonly roundTripMs: number | null
  } | null
  readonly isGoodbye: boolean
}

export interface SenderState {
  readonly source: number
  readonly packets: number
  readonly bytes: number
  readonly timestamp: number
}

export interface ReportParts {
  readonly sender: SenderState
  /** Whether anything was sent since the last report; a report without has no figures of a sender (§6.4.2). */
  readonly sends: boolean
  readonly reception: ReceptionMeter
  readonly lastReport: { readonly sentAt: number; readonly atMs: number } | null
  readonly isGoodbye: boolean
  readonly nowMs: number
}

/** Writes a compound packet: the report, our name, and the goodbye if it is the last. */
export function writeReport({
  sender,
  sends,
  reception,
  lastReport,
  isGoodbye,
  nowMs,
}: ReportParts): Uint8Array {
  const blocks = reception.source < 0 ? 0 : 1
  const reportBytes = 8 + (sends ? senderBytes : 0) + blocks * blockBytes
  const bytes = new Uint8Array(reportBytes + nameBytes + (isGoodbye ? 8 : 0))
  writeHeader(bytes, 0, sends ? senderReport : receiverReport, blocks, reportBytes)
  writeLong(bytes, 4, sender.source)
  if (sends) {
    writeLong(bytes, 8, ntpSeconds(nowMs))
    writeLong(bytes, 12, ntpFraction(nowMs))
    writeLong(bytes, 16, sender.timestamp)
    writeLong(bytes, 20, sender.packets)
    writeLong(bytes, 24, sender.bytes)
  }
  if (blocks > 0) writeBlock(bytes, reportBytes - blockBytes, reception, lastReport, nowMs)
  writeName(bytes, reportBytes, sender.source)
  if (isGoodbye) {
    writeHeader(bytes, reportBytes + nameBytes, goodbye, 1, 8)
    writeLong(bytes, reportBytes + nameBytes + 4, sender.source)
  }
  return bytes
}

function writeBlock(
  bytes: Uint8Array,
  at: number,
  reception: ReceptionMeter,
  lastReport: ReportParts['lastReport'],
  nowMs: number,
): void {
  const report = reception.report()
  writeLong(bytes, at, reception.source)
  writeLong(bytes, at + 4, (report.fraction << 24) | (report.lost & 0xffffff))
  writeLong(bytes, at + 8, report.highest)
  writeLong(bytes, at + 12, report.jitter)
  writeLong(bytes, at + 16, lastReport?.sentAt ?? 0)
  writeLong(bytes, at + 20, lastReport ? Math.floor(((nowMs - lastReport.atMs) / 1_000) * 65_536) : 0)
}

const name = new TextEncoder().encode('parley')
// Header, source, type, length, name, and zeros up to a whole word, at least one.
const nameBytes = 8 + Math.ceil((2 + name.length + 1) / 4) * 4

function writeName(bytes: Uint8Array, at: number, source: number): void {
  writeHeader(bytes, at, sourceDescription, 1, nameBytes)
  writeLong(bytes, at + 4, source)
  bytes[at + 8] = 1
  bytes[at + 9] = name.length
  bytes.set(name, at + 10)
}

function writeHeader(bytes: Uint8Array, at: number, type: number, count: number, length: number): void {
  bytes[at] = 0x80 | count
  bytes[at + 1] = type
  writeWord(bytes, at + 2, length / 4 - 1)
}

/** Reads a compound packet; broken parts end the reading. `ourSource` picks the block that is about us. */
export function readRtcp(bytes: Uint8Array, ourSource: number, nowMs: number): FarReport {
  let about: FarReport['about'] = null
  let sentAt: number | null = null
  let isGoodbye = false
  for (let at = 0; at + 8 <= bytes.length && byteAt(bytes, at) >> 6 === 2; ) {
    const count = byteAt(bytes, at) & 0x1f
    const type = byteAt(bytes, at + 1)
    const end = at + (wordAt(bytes, at + 2) + 1) * 4
    if (end > bytes.length) break
    const isSender = type === senderReport && end - at >= 8 + senderBytes
    if (isSender) sentAt = ((longAt(bytes, at + 8) << 16) | (longAt(bytes, at + 12) >>> 16)) >>> 0
    if (isSender || type === receiverReport) {
      const first = at + 8 + (isSender ? senderBytes : 0)
      about = blockAbout(ourSource, bytes, first, Math.min(end, first + count * blockBytes), nowMs) ?? about
    }
    if (type === goodbye) isGoodbye = true
    at = end
  }
  return { sentAt, about, isGoodbye }
}

function blockAbout(
  source: number,
  bytes: Uint8Array,
  first: number,
  end: number,
  nowMs: number,
): FarReport['about'] {
  for (let at = first; at + blockBytes <= end; at += blockBytes) {
    if (longAt(bytes, at) !== source >>> 0) continue
    const sentAt = longAt(bytes, at + 16)
    const trip = (middleOfNtp(nowMs) - sentAt - longAt(bytes, at + 20)) | 0
    return {
      lostShare: byteAt(bytes, at + 4) / 256,
      jitter: longAt(bytes, at + 12),
      roundTripMs: sentAt === 0 || trip < 0 ? null : (trip / 65_536) * 1_000,
    }
  }
  return null
}

// Seconds and 2^-32 seconds of our monotonic clock: §4 allows it, and nothing here needs the time of day.
const ntpSeconds = (ms: number): number => Math.floor(ms / 1_000)
const ntpFraction = (ms: number): number => Math.floor(((ms % 1_000) / 1_000) * 2 ** 32)
const middleOfNtp = (ms: number): number =>
  (((ntpSeconds(ms) & 0xffff) << 16) | (ntpFraction(ms) >>> 16)) >>> 0
