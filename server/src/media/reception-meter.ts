// Measures how many packets of the far end came, how many did not, and how unevenly (RFC 3550 §6.4.1, appendix A).

// Appendix A.1: a number further away belongs to a stream that began anew, once the next packet confirms it.
const maxDropout = 3_000
const maxMisorder = 100

export interface ReceptionReport {
  /** The share lost since the last report, in 256ths. */
  readonly fraction: number
  /** The packets lost since the source began; duplicates may make it negative. */
  readonly lost: number
  readonly highest: number
  readonly jitter: number
}

export class ReceptionMeter {
  #clockHz: number
  #source = -1
  #baseSequence = 0
  #highest = 0
  #cycles = 0
  #received = 0
  #awaited = -1
  #lastExpected = 0
  #lastReceived = 0
  #transit = Number.NaN
  #jitter = 0
  /** The packets of sources and streams before this one. */
  #formerLost = 0
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
    return this.#formerLost + Math.max(0, this.#expected - this.#received)
  }

  get jitterMs(): number {
    return (this.#jitter / this.#clockHz) * 1_000
  }

  /** Changes the clock after a change of codec; the counts stay. */
  use(clockHz: number): void {
    if (clockHz === this.#clockHz) return
    this.#jitter *= clockHz / this.#clockHz
    this.#clockHz = clockHz
    this.#transit = Number.NaN
  }

  /** Counts a packet. `timestamp` is null where it is not the time of sending: in packets of keys. */
  receive(source: number, sequence: number, timestamp: number | null, nowMs: number): void {
    if (source !== this.#source) this.#begin(source, sequence)
    const ahead = ((sequence - this.#highest) << 16) >> 16
    if (ahead >= maxDropout || ahead <= -maxMisorder) {
      const isConfirmed = sequence === this.#awaited
      this.#awaited = (sequence + 1) & 0xffff
      if (!isConfirmed) return
      this.#begin(source, sequence)
    } else if (ahead > 0) {
      if (sequence < this.#highest) this.#cycles += 0x10000
      this.#highest = sequence
    }
    this.#awaited = -1
    this.#received++
    if (timestamp !== null) this.#measureJitter(timestamp, nowMs)
  }

  /** The block of the next report; its share of loss is counted since the last report. */
  report(): ReceptionReport {
    const expected = this.#expected - this.#lastExpected
    const received = this.#received - this.#lastReceived
    this.#lastExpected = this.#expected
    this.#lastReceived = this.#received
    const fraction =
      expected > received && expected > 0 ? Math.floor(((expected - received) * 256) / expected) : 0
    return {
      fraction: Math.min(255, fraction),
      lost: Math.max(-0x800000, Math.min(0x7fffff, this.#expected - this.#received)),
      highest: (this.#cycles + this.#highest) >>> 0,
      jitter: Math.round(this.#jitter),
    }
  }

  get #expected(): number {
    return this.#source < 0 ? 0 : this.#cycles + this.#highest - this.#baseSequence + 1
  }

  #measureJitter(timestamp: number, nowMs: number): void {
    const transit = (nowMs / 1_000) * this.#clockHz - timestamp
    const change = Math.abs(transit - this.#transit)
    this.#transit = transit
    // A jump of a second is a clock that was set or wrapped. The first packet has nothing to compare with.
    if (change < this.#clockHz) this.#jitter += (change - this.#jitter) / 16
  }

  #begin(source: number, sequence: number): void {
    this.#formerLost += Math.max(0, this.#expected - this.#received)
    this.#formerReceived += this.#received
    this.#source = source
    this.#baseSequence = sequence
    this.#highest = sequence
    this.#cycles = 0
    this.#received = 0
    this.#lastExpected = 0
    this.#lastReceived = 0
    this.#transit = Number.NaN
  }
}
