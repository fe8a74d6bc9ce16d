// The line's frames as a vendor wants them: its rate, its encoding, chunks of its length.
import { type Frame, frameMs, makeFrame, type RateHz, rates, samplesPerFrame } from '../../../media/frame.ts'
import { encodeASample, encodeMuSample } from '../../../media/g711.ts'
import { Resampler } from '../../../media/resample.ts'
import type { TranscriberOptions } from '../../../ports/transcriber.ts'

export type SoundEncoding = 'linear16' | 'mulaw' | 'alaw'

/** The sound that a vendor takes. */
export interface SoundTaken {
  /** An agent that asks for another rate gets the first. Undefined: any. */
  readonly rates?: readonly RateHz[] | undefined
  /** An agent that asks for another encoding gets the first. Undefined: 16-bit PCM only. */
  readonly encodings?: readonly SoundEncoding[] | undefined
  /** How much audio one message has; undefined: 20 ms, each frame as it comes. */
  readonly chunkMs?: number | undefined
}

export const bytesPerSample = { linear16: 2, mulaw: 1, alaw: 1 } as const

/** The byte that silence is made of. */
const silentByte = { linear16: 0, mulaw: 0xff, alaw: 0xd5 } as const

/** Silence for vendors that count sound as a sign of life. */
export const silenceOf = (ms: number, rateHz: RateHz, encoding: SoundEncoding): Uint8Array =>
  new Uint8Array((rateHz / 1_000) * ms * bytesPerSample[encoding]).fill(silentByte[encoding])

export class SoundEncoder {
  readonly rateHz: RateHz
  readonly encoding: SoundEncoding
  readonly #resampler: Resampler | undefined
  readonly #resampled: Int16Array
  readonly #chunkBytes: number
  #chunk: Uint8Array
  #filled = 0

  constructor({ rateHz, samplingRateHz, encoding }: TranscriberOptions, taken: SoundTaken) {
    this.rateHz = rateFor(rateHz, samplingRateHz, taken.rates)
    this.encoding = encodingFor(encoding, taken.encodings)
    this.#resampler = this.rateHz === rateHz ? undefined : new Resampler(rateHz, this.rateHz)
    this.#resampled = makeFrame(this.rateHz).samples
    const frames = Math.max(1, Math.ceil((taken.chunkMs ?? frameMs) / frameMs))
    this.#chunkBytes = frames * samplesPerFrame(this.rateHz) * bytesPerSample[this.encoding]
    this.#chunk = new Uint8Array(this.#chunkBytes)
  }

  /** Sends every chunk that this frame completes. The bytes belong to the receiver. */
  push({ samples }: Frame, send: (sound: Uint8Array) => void): void {
    const { encoding } = this
    this.#resampler?.run(samples, this.#resampled)
    const ours = this.#resampler ? this.#resampled : samples
    if (encoding === 'linear16') {
      this.#chunk.set(new Uint8Array(ours.buffer, ours.byteOffset, ours.byteLength), this.#filled)
      this.#filled += ours.byteLength
    } else {
      const encode = encoding === 'mulaw' ? encodeMuSample : encodeASample
      for (let i = 0; i < ours.length; i++) this.#chunk[this.#filled++] = encode(ours[i] as number)
    }
    if (this.#filled === this.#chunkBytes) this.flush(send)
  }

  /** What is in an unfinished chunk. */
  flush(send: (sound: Uint8Array) => void): void {
    if (this.#filled === 0) return
    const chunk = this.#chunk.subarray(0, this.#filled)
    this.#chunk = new Uint8Array(this.#chunkBytes)
    this.#filled = 0
    send(chunk)
  }
}

function rateFor(lineHz: RateHz, asked: number | undefined, taken: readonly RateHz[] = rates): RateHz {
  const wanted = asked ?? lineHz
  return taken.find((rate) => rate === wanted) ?? taken.find((rate) => rate === lineHz) ?? taken[0] ?? lineHz
}

function encodingFor(
  asked: string | undefined,
  taken: readonly SoundEncoding[] = ['linear16'],
): SoundEncoding {
  return taken.find((encoding) => encoding === asked) ?? taken[0] ?? 'linear16'
}
