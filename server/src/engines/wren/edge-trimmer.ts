// Removes the silence around speech that arrives in pieces; the pauses inside it stay.

// The engine's silence is nearly digital; the quietest consonants are well above this.
const silentBelow = 100
// A longer lead-in would sound like hesitation.
const keptBeforeMs = 20
const keptAfterMs = 40

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

  /** The end of the speech. */
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

const isLoud = (sample: number) => Math.abs(sample) > silentBelow
