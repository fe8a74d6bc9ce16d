// The RTCP reports of a call: ours are sent every few seconds, the far end's say how our sound arrives.
import type { ReceptionMeter } from '../../../media/reception-meter.ts'
import { readRtcp, type SenderState, writeReport } from '../../../media/rtcp.ts'

/** The mean interval of reports (RFC 3550 §6.2). It varies by half, so that calls which began together report apart. */
const reportEveryMs = 5_000

export class RtcpReports {
  readonly #random32: () => number
  readonly #send: (report: Uint8Array) => void
  #dueMs: number | null = null
  #sentPackets = 0
  #hasSent = false
  #farReport: { readonly sentAt: number; readonly atMs: number } | null = null
  roundTripMs: number | null = null
  /** The lost share of our packets, and their jitter in units of the clock. */
  farLossShare: number | null = null
  farJitter: number | null = null

  constructor(random32: () => number, send: (report: Uint8Array) => void) {
    this.#random32 = random32
    this.#send = send
  }

  receive(bytes: Uint8Array, ourSource: number, nowMs: number): void {
    const { sentAt, about } = readRtcp(bytes, ourSource, nowMs)
    if (sentAt !== null) this.#farReport = { sentAt, atMs: nowMs }
    if (!about) return
    this.farLossShare = about.lostShare
    this.farJitter = about.jitter
    this.roundTripMs = about.roundTripMs ?? this.roundTripMs
  }

  /** Called every 20 ms; reports when it is time. The first report is early, and opens the way for those of the far end. */
  tick(nowMs: number, sender: { readonly state: SenderState }, reception: ReceptionMeter): void {
    this.#dueMs ??= nowMs + this.#interval() / 2
    if (nowMs < this.#dueMs) return
    this.#dueMs = nowMs + this.#interval()
    this.#report(nowMs, sender.state, reception, false)
  }

  /** Sends the last report, which says goodbye. */
  close(nowMs: number, sender: SenderState, reception: ReceptionMeter): void {
    if (this.#hasSent) this.#report(nowMs, sender, reception, true)
  }

  #report(nowMs: number, sender: SenderState, reception: ReceptionMeter, isGoodbye: boolean): void {
    const sends = sender.packets > this.#sentPackets
    this.#sentPackets = sender.packets
    this.#hasSent = true
    this.#send(writeReport({ sender, sends, reception, lastReport: this.#farReport, isGoodbye, nowMs }))
  }

  #interval(): number {
    return reportEveryMs * (0.5 + this.#random32() / 2 ** 32)
  }
}
