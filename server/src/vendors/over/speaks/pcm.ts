// Converts a vendor's bytes, 16-bit PCM in chunks of any size and at its own rate, to frames at the rate of the line.
import { type Frame, makeFrame, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { Resampler } from '../../../media/resample.ts'

/** The rate of a vendor's audio, or the one to request for a line of this rate; undefined: the rate of the line. */
export type VendorRate = RateHz | ((lineHz: RateHz) => RateHz) | undefined

export const vendorRate = ({ rateHz }: { readonly rateHz?: VendorRate }, lineHz: RateHz): RateHz =>
  typeof rateHz === 'function' ? rateHz(lineHz) : (rateHz ?? lineHz)

export class PcmFrames {
  readonly #toHz: RateHz
  readonly #resampler: Resampler | undefined
  readonly #filling: Uint8Array
  readonly #samples: Int16Array
  #filled = 0

  constructor(fromHz: RateHz, toHz: RateHz) {
    this.#toHz = toHz
    this.#resampler = fromHz === toHz ? undefined : new Resampler(fromHz, toHz)
    this.#samples = new Int16Array(samplesPerFrame(fromHz))
    this.#filling = new Uint8Array(this.#samples.buffer)
  }

  /** The frames that these bytes complete; each is owned by the reader. */
  push(bytes: Uint8Array): readonly Frame[] {
    const frames: Frame[] = []
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.#filling.length - this.#filled)
      this.#filling.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === this.#filling.length) frames.push(this.#take())
    }
    return frames
  }

  /** The remainder, padded with silence. */
  flush(): readonly Frame[] {
    if (this.#filled === 0) return []
    this.#filling.fill(0, this.#filled)
    return [this.#take()]
  }

  #take(): Frame {
    this.#filled = 0
    const frame = makeFrame(this.#toHz)
    if (this.#resampler) this.#resampler.run(this.#samples, frame.samples)
    else frame.samples.set(this.#samples)
    return frame
  }
}
