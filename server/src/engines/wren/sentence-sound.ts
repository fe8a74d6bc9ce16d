// The audio of one sentence as it is decoded: in pieces, at the rate of the line, in whole frames.
import { type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'
import { isLoud, keptAfterMs, keptBeforeMs } from '../voice/sound.ts'
import type { WaveDecoding } from './wave-decoding.ts'
import type { WrenHz } from './wren-frames.ts'

// A sentence may begin with its loudest sound, which would click.
const fadeInMs = 10

interface SoundOptions {
  /** The rate that is decoded. */
  readonly madeHz: WrenHz
  readonly rateHz: RateHz
  readonly gain: number
}

export class SentenceSound {
  readonly #decoding: WaveDecoding
  readonly #gain: number
  /** The resampler for lines with a higher rate than the networks make; others pass. */
  readonly #resampler: Resampler
  readonly #outputSize: number
  readonly #trimmer: EdgeTrimmer
  /** The piece being decoded, as 16-bit samples. */
  #piece = new Int16Array(0)
  /** The frame being filled. */
  readonly #open: Int16Array
  #filled = 0
  readonly #fadeIn: number
  /** The number of samples faded in so far. */
  #faded = 0
  #output = new Int16Array(0)
  #written = 0
  /** The number of frames given to the line so far. */
  framesGiven = 0

  constructor(decoding: WaveDecoding, { madeHz, rateHz, gain }: SoundOptions) {
    this.#decoding = decoding
    this.#gain = gain
    this.#trimmer = new EdgeTrimmer(madeHz, (samples) => this.#frame(samples))
    this.#open = new Int16Array(samplesPerFrame(madeHz))
    this.#fadeIn = (madeHz * fadeInMs) / 1000
    this.#resampler = new Resampler(madeHz, rateHz)
    this.#outputSize = samplesPerFrame(rateHz)
  }

  get isDone(): boolean {
    return this.#decoding.isDone
  }

  /** Decodes so many frames of 12.5 ms, or somewhat more at the end; the result is in `into`, or in a longer array if that is too short. */
  async next(frames: number, into: Int16Array<ArrayBuffer>): Promise<Int16Array<ArrayBuffer>> {
    this.#output = into
    this.#written = 0
    this.#trimmer.push(this.#to16Bit(await this.#decoding.next(frames)))
    if (this.isDone) this.#finish()
    return this.#output as Int16Array<ArrayBuffer>
  }

  /** The number of samples in the last piece. */
  get samplesWritten(): number {
    return this.#written
  }

  #to16Bit(audio: Float32Array): Int16Array {
    if (this.#piece.length < audio.length) this.#piece = new Int16Array(audio.length)
    const scale = this.#gain * 32_767
    for (let i = 0; i < audio.length; i++)
      this.#piece[i] = Math.max(-32_767, Math.min(32_767, Math.round((audio[i] as number) * scale)))
    return this.#piece.subarray(0, audio.length)
  }

  #frame(samples: Int16Array): void {
    for (let i = 0; i < samples.length && this.#faded < this.#fadeIn; i++)
      samples[i] = (samples[i] as number) * Math.sin((Math.PI / 2) * (this.#faded++ / this.#fadeIn)) ** 2
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + this.#open.length - this.#filled)
      this.#open.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === this.#open.length) this.#write()
    }
  }

  #finish(): void {
    this.#trimmer.finish()
    if (this.#filled === 0) return
    this.#open.fill(0, this.#filled)
    this.#write()
  }

  #write(): void {
    const end = this.#written + this.#outputSize
    if (end > this.#output.length) {
      const longer = new Int16Array(2 * end)
      longer.set(this.#output.subarray(0, this.#written))
      this.#output = longer
    }
    this.#resampler.run(this.#open, this.#output.subarray(this.#written, end))
    this.#written = end
    this.#filled = 0
    this.framesGiven++
  }
}

/** Removes the silence around speech that arrives in pieces; the pauses inside it stay. */
export class EdgeTrimmer {
  readonly #emit: (samples: Int16Array) => void
  readonly #keptBefore: number
  readonly #keptAfter: number
  /** Silence that is passed on only if speech follows. */
  #quiet: Int16Array
  #quietLength = 0
  #begun = false

  constructor(rateHz: number, emit: (samples: Int16Array) => void) {
    this.#emit = emit
    this.#keptBefore = (keptBeforeMs * rateHz) / 1000
    this.#keptAfter = (keptAfterMs * rateHz) / 1000
    this.#quiet = new Int16Array(rateHz)
  }

  push(samples: Int16Array): void {
    const last = samples.findLastIndex(isLoud)
    if (last >= 0) {
      const from = this.#begun ? 0 : samples.findIndex(isLoud) - this.#keptBefore
      // Before the speech, the margin may reach back into the silence of earlier pieces.
      this.#release(this.#begun ? 0 : Math.max(0, this.#quietLength + Math.min(0, from)), this.#quietLength)
      this.#emit(samples.subarray(Math.max(0, from), last + 1))
      this.#begun = true
    }
    this.#hold(samples.subarray(last + 1))
  }

  /** Ends the speech. */
  finish(): void {
    if (this.#begun) this.#release(0, Math.min(this.#quietLength, this.#keptAfter))
  }

  #release(from: number, to: number): void {
    this.#emit(this.#quiet.subarray(from, to))
    this.#quietLength = 0
  }

  #hold(samples: Int16Array): void {
    const length = this.#quietLength + samples.length
    if (length > this.#quiet.length) {
      const longer = new Int16Array(2 * length)
      longer.set(this.#quiet.subarray(0, this.#quietLength))
      this.#quiet = longer
    }
    this.#quiet.set(samples, this.#quietLength)
    this.#quietLength = length
  }
}
