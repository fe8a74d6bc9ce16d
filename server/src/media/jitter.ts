// The jitter buffer: packets in as they arrive from the network, frames out as the clock asks for them.
//
// The buffer counts samples, not packets, so the packet length (10, 20, 30 ms) need not match the frame length. The
// timestamp gives every sample its position in the stream; the head only moves forward, so nothing is played twice.
// The buffer holds at most 1 s and then drops the oldest samples.
//
// Sound comes decoded, or coded where packets build on each other: such packets are decoded in order, when they are
// due.

import { CodedPackets, type PacketDecoder } from './coded-packets.ts'
import { Concealer } from './conceal.ts'
import type { RateHz } from './frame.ts'
import { JitterDelay } from './jitter-delay.ts'
import { SampleStore } from './sample-store.ts'

/** The fate of a packet. `strange`: not part of this stream, or not yet confirmed. */
export type PacketFate = 'kept' | 'late' | 'duplicate' | 'strange'
/** The origin of a frame. `waiting`: silence before the first audio; `concealed`: some or all samples were missing. */
export type FrameOrigin = 'waiting' | 'played' | 'concealed'

// Five times the longest delay: room for a burst after a stall.
const capacityMs = 1_000
// Only the sender makes a larger timestamp jump: after a hold, a transfer, or with a new source.
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
// After so long, late packets are no burst: the sender's clock paused, or a route became longer than the longest
// delay, and everything to come would be late. A burst after a stall ends sooner.
const lateForMs = 200
// About -40 dBFS: between words.
const quietPeak = 300

export interface JitterCounts {
  late: number
  duplicate: number
  reordered: number
  /** How often the sender restarted or its timestamps jumped. */
  restarts: number
  /** Samples that were lost or late, not counting what the sender left out because of silence. */
  concealedSamples: number
  /** Received samples skipped in order to catch up. */
  skippedSamples: number
}

export class JitterBuffer {
  readonly #samplesPerMs: number
  readonly #delay = new JitterDelay()
  readonly #concealer: Concealer
  readonly #store: SampleStore
  readonly #decoder: PacketDecoder | null
  readonly #coded: CodedPackets | null
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
  // A timestamp and the stream position that it corresponds to.
  #timestamp = 0
  #place = 0
  // Where the newest packet ends, and what was invented after it: lost, late or silent, as the next packet will show.
  #newestEnd = 0
  #inventedBeyond = 0
  // The start of the last stretch that was not sent.
  #unsentFrom = 0
  #unsentTo = 0
  #lateSinceMs = -1
  #arrivedMs: number | undefined

  /** A jitter buffer with a decoder gets its packets by `putCoded`. */
  constructor(rateHz: RateHz, concealMs?: number, decoder: PacketDecoder | null = null) {
    this.#samplesPerMs = rateHz / 1000
    this.#concealer = new Concealer(rateHz, concealMs)
    const capacity = capacityMs * this.#samplesPerMs
    this.#store = new SampleStore(capacity, capacity)
    this.#decoder = decoder
    this.#coded = decoder && new CodedPackets(decoder, this.#samplesPerMs)
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

  /** The samples from the head to the newest one. */
  get bufferedSamples(): number {
    return this.#store.end - this.#store.head
  }

  /**
   * When the sound of the frame taken last arrived, by the sender's clock: as it would have by the fastest way, so that
   * a machine too busy to read it makes it no younger. Undefined: nothing was taken yet.
   */
  get arrivedMs(): number | undefined {
    return this.#arrivedMs
  }

  /** Copies the samples. `sequence` has 16 bits, `timestamp` 32; `nowMs` is the receiver's monotonic clock. */
  put(sequence: number, timestamp: number, samples: Int16Array, nowMs: number): PacketFate {
    const put = this.#admit(sequence, timestamp, samples.length, nowMs)
    if (put === 'kept') this.#store.put(this.#admittedPlace, samples)
    return put
  }

  /** Copies the payload, which the decoder turns into samples when they are due. */
  putCoded(
    sequence: number,
    timestamp: number,
    payload: Uint8Array,
    start: number,
    end: number,
    nowMs: number,
  ): PacketFate {
    const samples = this.#decoder?.samplesIn(payload, start, end) ?? 0
    const put = this.#admit(sequence, timestamp, samples, nowMs)
    if (put !== 'kept') return put
    this.#store.expect(this.#admittedPlace, samples)
    this.#coded?.put(this.#admittedNumber, this.#admittedPlace, samples, payload, start, end)
    return put
  }

  /** Takes a packet of the stream that has no sound for us: keys, comfort noise. Its number is not missing. */
  passOver(sequence: number): void {
    if (!this.#begun) return
    const ahead = ((sequence - this.#highest) << 16) >> 16
    if (ahead <= 0 || ahead >= maxDropout) return
    this.#highest += ahead
    this.#expected += ahead
    this.#received++
  }

  /** Begins another source, whatever its numbers are. */
  restart(): void {
    this.#awaited = -1
    this.#isNewSource = true
  }

  /** Fills the frame with the next samples; gaps are concealed. */
  take(frame: Int16Array, nowMs: number): FrameOrigin {
    // The position that is due for playout now.
    const due = (nowMs - this.#delay.baseMs - this.#delay.targetMs) * this.#samplesPerMs
    if (this.#begun && !this.#playing && due >= this.#store.head) this.#playing = true
    if (!this.#playing) {
      for (let i = 0; i < frame.length; i++) frame[i] = this.#concealer.invent()
      return 'waiting'
    }
    this.#catchUp(frame.length, due)
    this.#arrivedMs = this.#delay.baseMs + this.#store.head / this.#samplesPerMs
    return this.#play(frame, due)
  }

  #admittedPlace = 0
  #admittedNumber = 0
  #isNewSource = false

  #admit(sequence: number, timestamp: number, samples: number, nowMs: number): PacketFate {
    if (samples === 0 || samples > longestPacketMs * this.#samplesPerMs) return 'strange'
    if (!this.#begun) this.#begin(sequence, timestamp, nowMs)
    const ahead = ((sequence - this.#highest) << 16) >> 16
    if (this.#isNewSource || ahead >= maxDropout || ahead <= -maxMisorder) {
      if (!this.#isNewSource && sequence !== this.#awaited) {
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
      else this.#judgeInvented(ahead, timestamp)
    }
    return this.#keep(ahead < 0 ? this.#highest + ahead : this.#highest, timestamp, samples, nowMs)
  }

  /**
   * Decides whether invented samples were lost. With no number missing, a gap in the timestamps is silence that was
   * not sent (§ 4.1 of RFC 3551).
   */
  #judgeInvented(ahead: number, timestamp: number): void {
    const place = this.#placeOf(timestamp)
    if (ahead === 1 && place > this.#newestEnd) {
      this.#unsentFrom = this.#newestEnd
      this.#unsentTo = place
    } else this.#counts.concealedSamples += this.#inventedBeyond
    this.#inventedBeyond = 0
  }

  #begin(sequence: number, timestamp: number, nowMs: number): void {
    this.#begun = true
    this.#isNewSource = false
    this.#place = this.#store.head
    this.#newestEnd = this.#place
    this.#timestamp = timestamp
    // The numbers begin one cycle above zero, to leave room for earlier packets.
    this.#highest = 0x10000 + sequence
    this.#expected = 1
    this.#delay.restart(nowMs - this.#place / this.#samplesPerMs, nowMs)
  }

  /** Switches to a new stream, starting with this packet. */
  #follow(sequence: number, timestamp: number, nowMs: number): void {
    // Skips a full cycle, so that no number of the old stream is mistaken for one of the new.
    this.#highest = (Math.floor(this.#highest / 0x10000) + 2) * 0x10000 + sequence
    this.#expected++
    this.#isNewSource = false
    this.#jump(timestamp, nowMs)
  }

  /** Continues with this timestamp right after everything received; what has not been played yet is skipped. */
  #jump(timestamp: number, nowMs: number): void {
    this.#counts.restarts++
    this.#place = this.#store.end
    this.#floor = this.#place
    this.#timestamp = timestamp
    this.#playing = false
    this.#newestEnd = this.#place
    this.#inventedBeyond = 0
    this.#lateSinceMs = -1
    this.#coded?.clear()
    this.#counts.skippedSamples += this.#store.skipTo(this.#place)
    this.#delay.restart(nowMs - this.#place / this.#samplesPerMs, nowMs)
  }

  #placeOf(timestamp: number): number {
    return this.#place + ((timestamp - this.#timestamp) | 0)
  }

  #keep(number: number, timestamp: number, samples: number, nowMs: number): PacketFate {
    this.#awaited = -1
    const slot = number % memory
    if (this.#seen[slot] === number) {
      this.#counts.duplicate++
      return 'duplicate'
    }
    this.#seen[slot] = number
    this.#received++
    const isNewest = number === this.#highest
    if (!isNewest) this.#counts.reordered++
    if (isNewest && this.#isLateForGood(timestamp, samples, nowMs)) this.#jump(timestamp, nowMs)
    const place = this.#placeOf(timestamp)
    this.#delay.arrive(nowMs - place / this.#samplesPerMs, nowMs)
    if (!this.#playing && place >= this.#floor) this.#store.rewindTo(place)
    if (isNewest) {
      this.#timestamp = timestamp
      this.#place = place
      this.#newestEnd = Math.max(this.#newestEnd, place + samples)
    }
    if (place + samples <= this.#store.head) {
      this.#counts.late++
      return 'late'
    }
    this.#admittedPlace = place
    this.#admittedNumber = number
    return 'kept'
  }

  /** Whether even the newest packets have been late for a while: the sender's clock and ours no longer belong together. */
  #isLateForGood(timestamp: number, samples: number, nowMs: number): boolean {
    if (!this.#playing || this.#placeOf(timestamp) + samples > this.#store.head) {
      this.#lateSinceMs = -1
      return false
    }
    if (this.#lateSinceMs < 0) this.#lateSinceMs = nowMs
    return nowMs - this.#lateSinceMs >= lateForMs
  }

  /** Skips samples when playout is late (a stalled clock, a shorter delay), preferably in a pause. */
  #catchUp(frameSamples: number, due: number): void {
    const behindFrames = Math.floor((due - this.#store.head) / frameSamples)
    if (behindFrames < patientFrames) return
    if (behindFrames < impatientFrames && !this.#quiet(frameSamples)) return
    this.#counts.skippedSamples += this.#store.skipTo(this.#store.head + behindFrames * frameSamples)
    this.#concealer.cut()
  }

  #quiet(frameSamples: number): boolean {
    const { head } = this.#store
    this.#coded?.decodeUntil(head + frameSamples, this.#highest, this.#store)
    for (let place = head; place < head + frameSamples; place++)
      if (this.#store.has(place) && Math.abs(this.#store.at(place)) > quietPeak) return false
    return true
  }

  /**
   * Plays a frame. When playout is late, missing samples are lost; when it is early, they may still arrive: the rest
   * waits, and the delay grows.
   */
  #play(frame: Int16Array, due: number): FrameOrigin {
    const { head } = this.#store
    this.#coded?.decodeUntil(head + frame.length, this.#highest, this.#store)
    // Nearly always every sample is there.
    if (this.#store.takeAll(frame)) {
      if (!this.#concealer.passAll(frame))
        for (let i = 0; i < frame.length; i++) frame[i] = this.#concealer.pass(frame[i] as number)
      return 'played'
    }
    const patient = head > due
    const { end } = this.#store
    let missing = 0
    let beyond = 0
    let unsent = 0
    let next = head
    for (let i = 0; i < frame.length; i++) {
      const there = this.#store.has(head + i) && !(patient && missing > 0)
      frame[i] = there ? this.#concealer.pass(this.#store.at(head + i)) : this.#concealer.invent()
      if (there || !patient) next++
      if (there) continue
      missing++
      if (head + i >= end) beyond++
      else if (head + i >= this.#unsentFrom && head + i < this.#unsentTo) unsent++
    }
    this.#store.skipTo(next)
    this.#inventedBeyond += beyond
    this.#counts.concealedSamples += missing - beyond - unsent
    return missing === 0 ? 'played' : 'concealed'
  }
}
