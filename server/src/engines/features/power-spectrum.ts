// Power spectrum of a short block of samples.

/** Radix-2 FFT down to an odd factor, then a plain DFT: any size works, sizes with many factors of two are fast. */
export class PowerSpectrum {
  readonly #size: number
  readonly #cosines: Float64Array
  readonly #sines: Float64Array
  readonly #real: Float64Array
  readonly #imaginary: Float64Array

  constructor(size: number) {
    this.#size = size
    this.#cosines = Float64Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size))
    this.#sines = Float64Array.from({ length: size }, (_, i) => -Math.sin((2 * Math.PI * i) / size))
    this.#real = new Float64Array(size)
    this.#imaginary = new Float64Array(size)
  }

  /** From 0 Hz to Nyquist: size / 2 + 1 powers. */
  read(samples: Float64Array, powers: Float64Array): void {
    this.#transform(samples, 0, 1, this.#size, 0)
    for (let bin = 0; bin <= this.#size / 2; bin++) {
      const real = this.#real[bin] as number
      const imaginary = this.#imaginary[bin] as number
      powers[bin] = real * real + imaginary * imaginary
    }
  }

  /** Transforms `count` samples from `from` at stride `step`, into the output from `to` on. */
  #transform(samples: Float64Array, from: number, step: number, count: number, to: number): void {
    if (count % 2 === 1) {
      this.#addUp(samples, from, step, count, to)
      return
    }
    const half = count / 2
    this.#transform(samples, from, 2 * step, half, to)
    this.#transform(samples, from + step, 2 * step, half, to + half)
    for (let k = 0; k < half; k++) {
      const [even, odd] = [to + k, to + k + half]
      const cosine = this.#cosines[k * step] as number
      const sine = this.#sines[k * step] as number
      const oddReal = this.#real[odd] as number
      const oddImaginary = this.#imaginary[odd] as number
      const turnedReal = oddReal * cosine - oddImaginary * sine
      const turnedImaginary = oddReal * sine + oddImaginary * cosine
      const evenReal = this.#real[even] as number
      const evenImaginary = this.#imaginary[even] as number
      this.#real[even] = evenReal + turnedReal
      this.#imaginary[even] = evenImaginary + turnedImaginary
      this.#real[odd] = evenReal - turnedReal
      this.#imaginary[odd] = evenImaginary - turnedImaginary
    }
  }

  #addUp(samples: Float64Array, from: number, step: number, count: number, to: number): void {
    for (let k = 0; k < count; k++) {
      let [real, imaginary, angle] = [0, 0, 0]
      for (let t = 0; t < count; t++) {
        const sample = samples[from + t * step] as number
        real += sample * (this.#cosines[angle] as number)
        imaginary += sample * (this.#sines[angle] as number)
        angle = (angle + k * step) % this.#size
      }
      this.#real[to + k] = real
      this.#imaginary[to + k] = imaginary
    }
  }
}
