// The jitter buffer: packets in as they arrive from the network, frames out as the clock asks for them.
//
// It counts samples, not packets, so the packet length (10, 20, 30 ms) need not match the frame length. The timestamp
// gives every sample its position in the stream; the head only moves forward, so nothing is played twice. It holds at
// most 1 s and then drops the oldest samples.
import { Concealer } from './conceal.ts'
import type { RateHz } from './frame.ts'
import { JitterDelay } from './jitter-delay.ts'
import { SampleStore } from './sample-store.ts'

/** What happened to a packet. `strange`: not part of this stream, or not yet confirmed. */
export type Put = 'kept' | 'late' | 'duplicate' | 'strange'
/**
 * What a frame consists of. `waiting`: silence before the first audio; `concealed`: some or all samples were missing.
 */
export type Taken = 'waiting' | 'played' | 'concealed'

// Five times the longest delay: room for a burst after a stall.
const capacityMs = 1_000
// A larger timestamp jump was made by the sender: hold, transfer, a new source.
const jumpMs = 1_000
// RFC 3550, appendix A.1: a sequence number further away belongs to another stream until the next packet confirms it.
const maxDropout = 3_000
const maxMisorder = 100
// Longer than any real packet.
const longestPacketMs = 200
// How many sequence numbers are remembered: the power of two above maxMisorder.
const memory = 128
// One frame late, we wait for a pause to skip in; three frames late, we skip speech.
const patientFrames = 1
const impatientFrames = 3
// About -40 dBFS: between words.
const quietPeak = 300

export interface JitterCounts {
  late: number
  duplicate: number
  reordered: number
  /** The sender restarted, or its timestamps jumped. */
  restarts: number
  concealedSamples: number
  /** Received samples skipped in order to catch up. */
  skippedSamples: number
}

export class JitterBuffer {
  readonly #samplesPerMs: number
  readonly #delay = new JitterDelay()
  readonly #concealer: Concealer
  readonly #store: SampleStore
  readonly #counts: JitterCounts = {
    late: 0,
    duplicate: 0,
    reordered: 0,
    restarts: 0,
    concealedSamples: 0,
    skippedSamples: 0,
  }
  readonly #seen = new Float64Array(memory).fill(-1)
  #begun = false
  #playing = false
  // Packets sent before the first arrival are accepted down to this position.
  #floor = 0
  // The highest sequence number, extended beyond 16 bits.
  #highest = 0
  #awaited = -1
  #expected = 0
  #received = 0
  // A timestamp and the stream position it corresponds to.
  #timestamp = 0
  #place = 0

  constructor(rateHz: RateHz, concealMs?: number) {
    this.#samplesPerMs = rateHz / 1000
    this.#concealer = new Concealer(rateHz, concealMs)
    const capacity = capacityMs * this.#samplesPerMs
    this.#store = new SampleStore(capacity, capacity)
  }

  get counts(): Readonly<JitterCounts> {
    return this.#counts
  }

  /** Packets that have not arrived (yet). */
  get lost(): number {
    return this.#expected - this.#received
  }

  get targetMs(): number {
    return this.#delay.targetMs
  }

  /** From the head to the newest sample. */
  get bufferedSamples(): number {
    return this.#store.end - this.#store.head
  }

  /** Copies the samples. `sequence` has 16 bits, `timestamp` 32; `nowMs` is the receiver's monotonic clock. */
  put(sequence: number, timestamp: number, samples: Int16Array, nowMs: number): Put {
    if (samples.length === 0 || samples.length > longestPacketMs * this.#samplesPerMs) return 'strange'
    if (!this.#begun) this.#begin(sequence, timestamp, nowMs)
    const ahead = ((sequence - this.#highest) << 16) >> 16
    if (ahead >= maxDropout || ahead <= -maxMisorder) {
      if (sequence !== this.#awaited) {
        this.#awaited = (sequence + 1) & 0xffff
        return 'strange'
      }
      this.#follow(sequence, timestamp, nowMs)
      return this.#keep(this.#highest, timestamp, samples, nowMs)
    }
    if (ahead > 0) {
      this.#highest += ahead
      this.#expected += ahead
      const transitMs = nowMs - this.#placeOf(timestamp) / this.#samplesPerMs
      if (Math.abs(transitMs - this.#delay.baseMs) > jumpMs) this.#jump(timestamp, nowMs)
    }
    return this.#keep(ahead < 0 ? this.#highest + ahead : this.#highest, timestamp, samples, nowMs)
  }

  /** Fills the frame with the next samples; gaps are concealed. */
  take(frame: Int16Array, nowMs: number): Taken {
    // The position due for playout now.
    const due = (nowMs - this.#delay.baseMs - this.#delay.targetMs) * this.#samplesPerMs
    if (this.#begun && !this.#playing && due >= this.#store.head) this.#playing = true
    if (!this.#playing) {
      for (let i = 0; i < frame.length; i++) frame[i] = this.#concealer.invent()
      return 'waiting'
    }
    this.#catchUp(frame.length, due)
    return this.#play(frame, due)
  }

  #begin(sequence: number, timestamp: number, nowMs: number): void {
    this.#begun = true
    this.#place = this.#store.head
    this.#timestamp = timestamp
    // One cycle above zero, to leave room for earlier packets.
    this.#highest = 0x10000 + sequence
    this.#expected = 1
    this.#delay.restart(nowMs - this.#place / this.#samplesPerMs, nowMs)
  }

  /** Switches to a new stream, starting with this packet. */
  #follow(sequence: number, timestamp: number, nowMs: number): void {
    // Skips a full cycle, so that no number of the old stream is mistaken for one of the new.
    this.#highest = (Math.floor(this.#highest / 0x10000) + 2) * 0x10000 + sequence
    this.#expected++
    this.#jump(timestamp, nowMs)
  }

  /** Continues with this timestamp right after everything received; what has not been played yet is skipped. */
  #jump(timestamp: number, nowMs: number): void {
    this.#counts.restarts++
    this.#place = this.#store.end
    this.#floor = this.#place
    this.#timestamp = timestamp
    this.#playing = false
    this.#counts.skippedSamples += this.#store.skipTo(this.#place)
    this.#delay.restart(nowMs - this.#place / this.#samplesPerMs, nowMs)
  }

  #placeOf(timestamp: number): number {
    return this.#place + ((timestamp - this.#timestamp) | 0)
  }

  #keep(number: number, timestamp: number, samples: Int16Array, nowMs: number): Put {
    this.#awaited = -1
    const slot = number % memory
    if (this.#seen[slot] === number) {
      this.#counts.duplicate++
      return 'duplicate'
    }
    this.#seen[slot] = number
    this.#received++
    if (number < this.#highest) this.#counts.reordered++
    const place = this.#placeOf(timestamp)
    this.#delay.arrive(nowMs - place / this.#samplesPerMs, nowMs)
    if (!this.#playing && place >= this.#floor) this.#store.rewindTo(place)
    if (number === this.#highest) {
      this.#timestamp = timestamp
      this.#place = place
    }
    if (place + samples.length <= this.#store.head) {
      this.#counts.late++
      return 'late'
    }
    this.#store.put(place, samples)
    return 'kept'
  }

  /** When late (a stalled clock, a shorter delay), skips samples, preferably in a pause. */
  #catchUp(frameSamples: number, due: number): void {
    const behindFrames = Math.floor((due - this.#store.head) / frameSamples)
    if (behindFrames < patientFrames) return
    if (behindFrames < impatientFrames && !this.#quiet(frameSamples)) return
    this.#counts.skippedSamples += this.#store.skipTo(this.#store.head + behindFrames * frameSamples)
    this.#concealer.cut()
  }

  #quiet(frameSamples: number): boolean {
    const { head } = this.#store
    for (let place = head; place < head + frameSamples; place++)
      if (this.#store.has(place) && Math.abs(this.#store.at(place)) > quietPeak) return false
    return true
  }

  /** When late, missing samples are lost. When early, they may still arrive: the rest waits, and the delay grows. */
  #play(frame: Int16Array, due: number): Taken {
    const { head } = this.#store
    const patient = head > due
    let missing = 0
    let next = head
    for (let i = 0; i < frame.length; i++) {
      const there = this.#store.has(head + i) && !(patient && missing > 0)
      frame[i] = there ? this.#concealer.pass(this.#store.at(head + i)) : this.#concealer.invent()
      if (there || !patient) next++
      if (!there) missing++
    }
    this.#store.skipTo(next)
    this.#counts.concealedSamples += missing
    return missing === 0 ? 'played' : 'concealed'
  }
}
