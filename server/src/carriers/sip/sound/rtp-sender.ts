// Our stream of a call: frames of the agent and keys become packets of one source.
//
// Timestamps follow the clock, not the number of frames: where the machine was too busy to send for a while there is a gap,
// as in a pause that was not sent (RFC 3551 §4.1). Without it every frame to come would be late for ever.
import { type Frame, frameMs, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { openRateConverter, type RateConverter } from '../../../media/half-band.ts'
import type { SenderState } from '../../../media/rtcp.ts'
import { rtpHeaderBytes, writeRtp } from '../../../media/rtp.ts'
import { DigitSender, eventBytes, writeEvent } from '../../../media/rtp-digits.ts'
import { codecs } from './codecs.ts'
import type { Coder } from './coder.ts'
import type { Agreement } from './negotiate.ts'

/** Header and the longest payload. */
const longestPacket = rtpHeaderBytes + 1_460
const longestPtimeMs = 60
/** A frame that comes further ahead of the clock than this is not sent: its source is not of this clock. */
const mostAheadFrames = 2
/** The number of buffers in turn: a packet that the socket could not send at once still lies in one. */
const buffers = 4

interface PacketBuffer {
  readonly bytes: Uint8Array
  /** The part with the packet; the view is made anew only when the length changes. */
  view: Uint8Array
}

export class RtpSender {
  readonly #rateHz: RateHz
  readonly #emit: (packet: Uint8Array) => void
  readonly #digits = new DigitSender()
  readonly #source: number
  readonly #ring: PacketBuffer[]
  #turn = 0
  #agreement: Agreement | null = null
  #coder: Coder | null = null
  #downsampler: RateConverter | null = null
  /** One frame at the codec's rate, and what waits for a whole packet. */
  #frame = new Int16Array(0)
  #gathered = new Int16Array(0)
  #gatheredSamples = 0
  #packetSamples = 0
  #whole = new Int16Array(0)
  #samplesPerMs = 8
  #clockPerMs = 8
  #sequence: number
  /** The timestamp of the first sample that was not sent yet. */
  #timestamp: number
  /** The time of the first frame, and how many 20 ms have passed in the stream since. */
  #originMs: number | null = null
  #passedFrames = 0
  #isTalking = false
  #digitStart = 0
  #packets = 0
  #bytes = 0

  constructor(rateHz: RateHz, random32: () => number, emit: (packet: Uint8Array) => void) {
    this.#rateHz = rateHz
    this.#emit = emit
    this.#source = random32()
    this.#sequence = random32() & 0xffff
    this.#timestamp = random32()
    this.#ring = Array.from({ length: buffers }, () => {
      const bytes = new Uint8Array(longestPacket)
      return { bytes, view: bytes }
    })
  }

  get state(): SenderState {
    return { source: this.#source, packets: this.#packets, bytes: this.#bytes, timestamp: this.#timestamp }
  }

  get source(): number {
    return this.#source
  }

  get packets(): number {
    return this.#packets
  }

  use(agreement: Agreement, coder: Coder): void {
    const { rateHz, clockHz } = codecs[agreement.codec]
    if (coder !== this.#coder) {
      this.#drop()
      this.#coder = coder
      this.#samplesPerMs = rateHz / 1_000
      this.#clockPerMs = clockHz / 1_000
      this.#downsampler = openRateConverter(this.#rateHz, rateHz)
      this.#frame = new Int16Array(samplesPerFrame(rateHz))
      this.#gathered = new Int16Array((longestPtimeMs + frameMs) * this.#samplesPerMs)
    }
    this.#agreement = agreement
    this.#packetSamples = agreement.ptimeMs * this.#samplesPerMs
    this.#whole = this.#gathered.subarray(0, this.#packetSamples)
    coder.configure?.(agreement.parameters)
    if (!agreement.digits) this.#digits.cancel()
  }

  /** Resolves when the last one has been sent. */
  sendDigits(digits: string): Promise<void> {
    return this.#digits.send(digits)
  }

  /** Sends one frame of the agent, also silent ones, because firewalls forget a stream that stops. */
  send({ samples }: Frame, nowMs: number): void {
    const agreement = this.#agreement
    const coder = this.#coder
    if (!agreement || !coder || !this.#isDue(nowMs)) return
    if (this.#digits.isSending && agreement.digits) {
      this.#sendEvents(agreement, coder, agreement.digits)
      return
    }
    if (this.#downsampler) this.#downsampler.run(samples, this.#frame)
    this.#gathered.set(this.#downsampler ? this.#frame : samples, this.#gatheredSamples)
    this.#gatheredSamples += this.#frame.length
    while (this.#gatheredSamples >= this.#packetSamples) this.#sendSound(agreement, coder, this.#whole)
  }

  /** Sends nothing until the next frame. */
  pause(): void {
    this.#drop()
    this.#isTalking = false
  }

  close(): void {
    this.#digits.cancel()
  }

  /** Moves the stream on to the clock; false: this frame is too early. */
  #isDue(nowMs: number): boolean {
    this.#originMs ??= nowMs
    const dueFrames = Math.floor((nowMs - this.#originMs) / frameMs)
    const missedFrames = dueFrames - this.#passedFrames
    if (missedFrames < -mostAheadFrames) return false
    if (missedFrames > 0) {
      this.#drop()
      this.#advance(missedFrames * frameMs * this.#samplesPerMs)
      this.#passedFrames = dueFrames
      this.#isTalking = false
    }
    this.#passedFrames++
    return true
  }

  #sendSound({ payloadType }: Agreement, coder: Coder, samples: Int16Array): void {
    const buffer = this.#nextBuffer()
    const bytes = coder.encode(samples, buffer.bytes, rtpHeaderBytes)
    this.#sendPacket(buffer, payloadType, !this.#isTalking, this.#timestamp, bytes)
    this.#isTalking = true
    this.#advance(samples.length)
    this.#gathered.copyWithin(0, samples.length, this.#gatheredSamples)
    this.#gatheredSamples -= samples.length
  }

  /** Sends packets of keys in place of the sound, on the same clock (RFC 4733 §2.6). */
  #sendEvents(
    agreement: Agreement,
    coder: Coder,
    { payloadType, clockHz }: NonNullable<Agreement['digits']>,
  ): void {
    if (this.#gatheredSamples > 0)
      this.#sendSound(agreement, coder, this.#gathered.subarray(0, this.#gatheredSamples))
    for (const event of this.#digits.next()) {
      if (event.isFirst) this.#digitStart = this.#timestamp
      const buffer = this.#nextBuffer()
      writeEvent(buffer.bytes, rtpHeaderBytes, event, (clockHz / 1_000) * frameMs)
      this.#sendPacket(buffer, payloadType, event.isFirst, this.#digitStart, eventBytes)
    }
    this.#isTalking = false
    this.#advance(frameMs * this.#samplesPerMs)
  }

  #sendPacket(
    buffer: PacketBuffer,
    payloadType: number,
    marker: boolean,
    timestamp: number,
    payloadBytes: number,
  ): void {
    this.#sequence = (this.#sequence + 1) & 0xffff
    writeRtp(buffer.bytes, payloadType, marker, this.#sequence, timestamp, this.#source)
    const length = rtpHeaderBytes + payloadBytes
    if (buffer.view.length !== length) buffer.view = buffer.bytes.subarray(0, length)
    this.#packets++
    this.#bytes += payloadBytes
    this.#emit(buffer.view)
  }

  #nextBuffer(): PacketBuffer {
    this.#turn = (this.#turn + 1) % buffers
    return this.#ring[this.#turn] as PacketBuffer
  }

  /** The clock runs on whether anything is sent or not (RFC 3550 §5.1). */
  #advance(samples: number): void {
    this.#timestamp = (this.#timestamp + (samples / this.#samplesPerMs) * this.#clockPerMs) >>> 0
  }

  #drop(): void {
    this.#advance(this.#gatheredSamples)
    this.#gatheredSamples = 0
  }
}
