// The far end's stream of a call: packets become frames and keys, also when source, numbers or clock jump.
import { DtmfDetector } from '../../../media/dtmf-detector.ts'
import { type Frame, makeFrame, type RateHz } from '../../../media/frame.ts'
import { openRateConverter, type RateConverter } from '../../../media/half-band.ts'
import { type FrameOrigin, JitterBuffer } from '../../../media/jitter.ts'
import { ReceptionMeter } from '../../../media/reception-meter.ts'
import type { RtpHeader } from '../../../media/rtp.ts'
import { DigitReceiver } from '../../../media/rtp-digits.ts'
import { type CodecName, type Coders, codecs } from './codecs.ts'
import type { Coder } from './coder.ts'
import type { Agreement } from './negotiate.ts'

/** The payload type of comfort noise (RFC 3389), whether it was agreed or not. */
const usualComfortNoise = 13
/** How many packets another source must send while the known one sends none, because some far ends mix two for a while. */
const packetsToFollow = 3
/** How long a key lasts after its last packet: longer than the gap to the next one, shorter than a word. */
const keyLastsMs = 60

export class RtpReceiver {
  readonly reception = new ReceptionMeter(8_000)
  readonly #rateHz: RateHz
  readonly #onDigit: (digit: string) => void
  readonly #digits: DigitReceiver
  readonly #out: Frame
  #agreement: Agreement | null = null
  #coders: Coders | null = null
  #codec: CodecName | null = null
  #coder: Coder | null = null
  #jitter: JitterBuffer | null = null
  #decoded: Frame
  #upsampler: RateConverter | null = null
  #detector: DtmfDetector | null = null
  /** Set when keys come by INFO: tones would report them twice. */
  #ignoresTones = false
  #source = -1
  #nextSource = -1
  #nextPackets = 0
  #quietUntilMs = 0
  /** Timestamps of 32 bits as one long count, at the codec's clock. */
  #clock = 0
  #lastTimestamp = -1
  #formerConcealedMs = 0
  #formerLate = 0

  constructor(rateHz: RateHz, onDigit: (digit: string) => void) {
    this.#rateHz = rateHz
    this.#onDigit = onDigit
    this.#digits = new DigitReceiver(onDigit)
    this.#out = makeFrame(rateHz)
    this.#decoded = makeFrame(rateHz)
  }

  get codec(): CodecName | null {
    return this.#codec
  }

  get concealedMs(): number {
    return this.#formerConcealedMs + concealedMsOf(this.#jitter, this.#decoded.rateHz)
  }

  get late(): number {
    return this.#formerLate + (this.#jitter?.counts.late ?? 0)
  }

  /** How long sound waits before it is played. */
  get bufferMs(): number {
    return this.#jitter?.targetMs ?? 0
  }

  use(agreement: Agreement, coders: Coders): void {
    this.#agreement = agreement
    this.#coders = coders
    if (agreement.codec !== this.#codec) this.#open(agreement.codec)
    const hearsTones = agreement.digits === null && !this.#ignoresTones
    if (!hearsTones) this.#detector = null
    else this.#detector ??= new DtmfDetector(this.#rateHz, this.#onDigit)
  }

  ignoreTones(): void {
    this.#ignoresTones = true
    this.#detector = null
  }

  /** Whether this payload was agreed on: anything else is not the far end's stream. */
  knows(payloadType: number): boolean {
    return this.#isKey(payloadType) || this.#isNoise(payloadType) || this.#codecOf(payloadType) !== null
  }

  receive(bytes: Uint8Array, header: RtpHeader, nowMs: number): void {
    const { payloadType, sequence, timestamp, source } = header
    if (this.#isKey(payloadType)) {
      // Some far ends send keys as a source of their own.
      if (source === this.#source) {
        this.reception.receive(source, sequence, null, nowMs)
        this.#jitter?.passOver(sequence)
      }
      this.#quietUntilMs = nowMs + this.bufferMs + keyLastsMs
      this.#digits.receive(bytes, header.start, header.end, sequence, timestamp)
      return
    }
    if (!this.#follows(source)) return
    this.reception.receive(source, sequence, timestamp, nowMs)
    if (this.#isNoise(payloadType)) this.#jitter?.passOver(sequence)
    else this.#receiveSound(bytes, header, nowMs)
  }

  /** Every 20 ms. */
  take(nowMs: number): FrameOrigin {
    const jitter = this.#jitter
    if (!jitter) return 'waiting'
    const taken = jitter.take(this.#decoded.samples, nowMs)
    if (this.#upsampler) this.#upsampler.run(this.#decoded.samples, this.#out.samples)
    this.#detector?.push(this.frame.samples)
    // The tones of keys are silenced for the recognizer. Their packets arrive at once, while the tone waits in the buffer.
    if (nowMs < this.#quietUntilMs || this.#detector?.isHearing) this.frame.samples.fill(0)
    return taken
  }

  /** When the sound of that frame arrived; undefined: there was none yet. */
  get arrivedMs(): number | undefined {
    return this.#jitter?.arrivedMs
  }

  /** The frame of the last `take`, lent until the next one. */
  get frame(): Frame {
    return this.#upsampler ? this.#out : this.#decoded
  }

  #receiveSound(
    bytes: Uint8Array,
    { payloadType, sequence, timestamp, start, end }: RtpHeader,
    nowMs: number,
  ): void {
    const codec = this.#codecOf(payloadType)
    if (codec === null) return
    if (codec !== this.#codec) this.#open(codec)
    if (!this.#jitter || !this.#coder) return
    const { rateHz, clockHz, hasMemory } = codecs[codec]
    const position = this.#samplesAt(timestamp, rateHz / clockHz)
    if (hasMemory) this.#jitter.putCoded(sequence, position, bytes, start, end, nowMs)
    else this.#jitter.put(sequence, position, this.#coder.decoder.decode(bytes, start, end), nowMs)
  }

  /** Whether a packet's source is followed. A new one is when the known one has fallen silent, as after a transfer. */
  #follows(source: number): boolean {
    if (source === this.#source) {
      this.#nextSource = -1
      return true
    }
    this.#nextPackets = source === this.#nextSource ? this.#nextPackets + 1 : 1
    this.#nextSource = source
    if (this.#source >= 0 && this.#nextPackets < packetsToFollow) return false
    this.#source = source
    this.#nextSource = -1
    this.#lastTimestamp = -1
    this.#digits.restart()
    this.#jitter?.restart()
    return true
  }

  /** The position in samples: the clock of G.722 counts every other sample, that of Opus three for each of ours. */
  #samplesAt(timestamp: number, samplesPerTick: number): number {
    this.#clock += this.#lastTimestamp < 0 ? timestamp : (timestamp - this.#lastTimestamp) | 0
    this.#lastTimestamp = timestamp
    return Math.floor(this.#clock * samplesPerTick) >>> 0
  }

  #open(codec: CodecName): void {
    const { rateHz, clockHz, hasMemory } = codecs[codec]
    const coder = this.#coders?.of(codec)
    if (!coder) return
    this.#formerConcealedMs = this.concealedMs
    this.#formerLate = this.late
    this.#codec = codec
    this.#coder = coder
    this.#jitter = new JitterBuffer(rateHz, undefined, hasMemory ? coder.decoder : null)
    this.#decoded = makeFrame(rateHz)
    this.#upsampler = openRateConverter(rateHz, this.#rateHz)
    this.#lastTimestamp = -1
    this.#clock = 0
    this.reception.use(clockHz)
  }

  #codecOf(payloadType: number): CodecName | null {
    const accepts = this.#agreement?.accepts
    if (!accepts) return null
    for (const one of accepts) if (one.payloadType === payloadType) return one.codec
    return null
  }

  #isKey(payloadType: number): boolean {
    return this.#agreement?.digits?.accepts.includes(payloadType) ?? false
  }

  #isNoise(payloadType: number): boolean {
    return payloadType === usualComfortNoise || payloadType === this.#agreement?.comfortNoise
  }
}

const concealedMsOf = (jitter: JitterBuffer | null, rateHz: RateHz): number =>
  Math.round((jitter?.counts.concealedSamples ?? 0) / (rateHz / 1_000))
