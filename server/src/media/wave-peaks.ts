// The loudest sample of each stretch of a stereo recording, to draw it without its samples.

/** In percent of the loudest possible, left and right. */
export interface WavePeaks {
  readonly left: number[]
  readonly right: number[]
}

// Half a sample may end a chunk: a stereo sample is four bytes.
const stepBytes = 4

export class PeakMeter {
  readonly #left: Int32Array
  readonly #right: Int32Array
  readonly #samples: number
  #at = 0
  #rest: Uint8Array = new Uint8Array(0)

  /** `dataBytes`: the length of the samples alone, without the header. */
  constructor(dataBytes: number, stretches: number) {
    this.#samples = Math.floor(dataBytes / stepBytes)
    const count = Math.max(1, Math.min(stretches, this.#samples))
    this.#left = new Int32Array(count)
    this.#right = new Int32Array(count)
  }

  /** Takes the next bytes of the recording, however they are cut. */
  add(chunk: Uint8Array): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const whole = bytes.length - (bytes.length % stepBytes)
    for (let at = 0; at < whole && this.#at < this.#samples; at += stepBytes, this.#at++) {
      const stretch = Math.floor((this.#at * this.#left.length) / this.#samples)
      const left = Math.abs(view.getInt16(at, true))
      const right = Math.abs(view.getInt16(at + 2, true))
      if (left > (this.#left[stretch] as number)) this.#left[stretch] = left
      if (right > (this.#right[stretch] as number)) this.#right[stretch] = right
    }
    this.#rest = Uint8Array.from(bytes.subarray(whole))
  }

  get peaks(): WavePeaks {
    const percent = (peaks: Int32Array) => Array.from(peaks, (peak) => Math.round((peak * 100) / 32_768))
    return { left: percent(this.#left), right: percent(this.#right) }
  }
}
