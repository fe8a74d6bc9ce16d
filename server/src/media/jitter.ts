// The jitter buffer: packets in as the network brings them, frames out as the clock asks for them.
//
// It counts in samples, not packets: whatever the sender cuts (10, 20, 30 ms), whatever the receiver takes. Every sample
// has one place in the stream, from its timestamp; the head only moves forward, so nothing is ever played twice.
// It holds 1 s at most, and then drops the oldest.
import { Concealer } from './conceal.ts'
import type { RateHz } from './frame.ts'
import { JitterDelay } from './jitter-delay.ts'
import { SampleStore } from './sample-store.ts'

/** What became of a packet. `strange` does not belong to this stream, or not yet. */
export type Put = 'kept' | 'late' | 'duplicate' | 'strange'
/** What a frame is made of. `waiting` is silence before the first sound; `concealed` lacks some or all of its samples. */
export type Taken = 'waiting' | 'played' | 'concealed'

// Five times the longest delay: room for a burst after a stall.
const capacityMs = 1_000
// Timestamps that jump by more did so at the sender: hold, transfer, another source.
const jumpMs = 1_000
// RFC 3550, appendix A.1: further away than this, a sequence number is of another stream until the next one confirms it.
const maxDropout = 3_000
const maxMisorder = 100
// More than anybody sends in one packet.
const longestPacketMs = 200
// The last 128 sequence numbers are remembered: the power of two above maxMisorder.
const memory = 128
// Too late by a frame, we wait for a pause to cut; too late by three, we cut speech.
const patientFrames = 1
const impatientFrames = 3
// About -40 dB of full scale: between words.
const quietPeak = 300

export interface JitterCounts {
  late: number
  duplicate: number
  reordered: number
  /** The sender began anew, or its timestamps jumped. */
  restarts: number
  concealedSamples: number
  /** Samples that were there and were left out, to catch up. */
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
  // Packets that were sent before the first one to arrive may enter as long as they lie after this.
  #floor = 0
  // The highest sequence number, counted on past its 16 bits.
  #highest = 0
  #awaited = -1
  #expected = 0
  #received = 0
  // A timestamp and the place in the stream that it means.
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

  /** Packets that never came, or have not come yet. */
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

  /** Copies the samples. The sequence number has 16 bits, the timestamp 32; the time is the receiver's, and monotonic. */
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

  /** Fills the frame with the next samples; whatever is missing is concealed. */
  take(frame: Int16Array, nowMs: number): Taken {
    // The place whose time has come.
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
    // A round above nought, for those that were sent before it.
    this.#highest = 0x10000 + sequence
    this.#expected = 1
    this.#delay.restart(nowMs - this.#place / this.#samplesPerMs, nowMs)
  }

  /** Another stream under the same roof, from this packet on. */
  #follow(sequence: number, timestamp: number, nowMs: number): void {
    // A whole round further, so that no number of the old stream is taken for one of the new.
    this.#highest = (Math.floor(this.#highest / 0x10000) + 2) * 0x10000 + sequence
    this.#expected++
    this.#jump(timestamp, nowMs)
  }

  /** This timestamp comes right after everything we had; what was not played yet is left out. */
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

  /** Behind its time (a stalled clock, a shorter delay), it leaves samples out: in a pause if there is one in time. */
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

  /** Behind its time, what is missing is lost. Ahead of it, it may still come: the rest waits, and the delay grows. */
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
