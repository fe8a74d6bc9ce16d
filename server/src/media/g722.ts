// ITU-T G.722 at 64 kbit/s: 16 kHz audio in the bandwidth of a telephone call.
//
// Two half bands of 8 kHz each, split by a quadrature mirror filter. The lower one is coded with 6 bits per sample, the
// upper with 2, both as the difference from a prediction that coder and decoder adapt in step:
//
//   bit   7 6          5 4 3 2 1 0
//         upper band   lower band
//
// Tables and the names of the blocks are those of the recommendation.

// Half of the symmetric filter of 24 taps (table 11).
const filterTaps = Int16Array.from([3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11])
// Decision levels of the lower band's 6-bit quantizer (table 14), and its codes for negative and positive differences.
const q6 = Int16Array.from([
  0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219,
  1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919,
])
const negative6 = Uint8Array.from([
  0, 63, 62, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,
  6, 5, 4,
])
const positive6 = Uint8Array.from([
  0, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36,
  35, 34, 33, 32,
])
// Inverse quantizers (tables 15 and 16).
const qm4 = Int16Array.from([
  0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
])
const qm6 = Int16Array.from([
  -136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360,
  -8576, -7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688,
  -1360, -1040, -728, 24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192,
  6576, 6000, 5456, 4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136, -432,
  -136,
])
const qm2 = Int16Array.from([-7408, -1616, 7408, 1616])
// Adaptation of the quantizers' step (tables 17 to 19).
const stepOf4 = Uint8Array.from([0, 7, 6, 5, 4, 3, 2, 1, 7, 6, 5, 4, 3, 2, 1, 0])
const lowerWeights = Int16Array.from([-60, -30, 58, 172, 334, 538, 1198, 3042])
const stepOf2 = Uint8Array.from([2, 1, 2, 1])
const upperWeights = Int16Array.from([0, -214, 798])
const inverseLog = Int16Array.from([
  2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834, 2896, 2960,
  3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008,
])

const clamp = (value: number, most: number): number => Math.max(-most - 1, Math.min(most, value))
const saturate = (value: number): number => clamp(value, 32_767)

/** What coder and decoder know about one band. */
class Band {
  readonly #maxLog: number
  readonly #logShift: number
  readonly #weights: Int16Array
  #logStep = 0
  step: number
  /** The next sample, as predicted. */
  predicted = 0
  #zeroPart = 0
  // Index 0 is the newest; the predictor has two poles and six zeros.
  readonly #reconstructed = new Int32Array(3)
  readonly #partial = new Int32Array(3)
  readonly #poles = new Int32Array(3)
  readonly #differences = new Int32Array(7)
  readonly #zeros = new Int32Array(7)

  constructor(step: number, maxLog: number, logShift: number, weights: Int16Array) {
    this.step = step
    this.#maxLog = maxLog
    this.#logShift = logShift
    this.#weights = weights
  }

  /** Blocks 3 and 4: after each sample. `weight` is the index of the step's adaptation. */
  adapt(weight: number, difference: number): void {
    const log = ((this.#logStep * 127) >> 7) + (this.#weights[weight] as number)
    this.#logStep = Math.max(0, Math.min(this.#maxLog, log))
    const mantissa = inverseLog[(this.#logStep >> 6) & 31] as number
    const shift = this.#logShift - (this.#logStep >> 11)
    this.step = (shift < 0 ? mantissa << -shift : mantissa >> shift) << 2
    this.#predict(difference)
  }

  #predict(difference: number): void {
    const r = this.#reconstructed
    const p = this.#partial
    r[0] = saturate(this.predicted + difference)
    p[0] = saturate(this.#zeroPart + difference)
    this.#adaptPoles()
    this.#adaptZeros(difference)
    r[2] = r[1] as number
    r[1] = r[0] as number
    p[2] = p[1] as number
    p[1] = p[0] as number
    const first = ((this.#poles[1] as number) * saturate((r[1] as number) * 2)) >> 15
    const second = ((this.#poles[2] as number) * saturate((r[2] as number) * 2)) >> 15
    let zeros = 0
    for (let i = 6; i > 0; i--)
      zeros += ((this.#zeros[i] as number) * saturate((this.#differences[i] as number) * 2)) >> 15
    this.#zeroPart = saturate(zeros)
    this.predicted = saturate(saturate(first + second) + this.#zeroPart)
  }

  #adaptPoles(): void {
    const a = this.#poles
    const [now, before, earlier] = [this.#sign(0), this.#sign(1), this.#sign(2)]
    const quadrupled = saturate((a[1] as number) * 4)
    const push = now === before ? Math.min(-quadrupled, 32_767) : quadrupled
    const second = (now === earlier ? 128 : -128) + (push >> 7) + (((a[2] as number) * 32_512) >> 15)
    const nextSecond = Math.max(-12_288, Math.min(12_288, second))
    const first = saturate((now === before ? 192 : -192) + (((a[1] as number) * 32_640) >> 15))
    const most = saturate(15_360 - nextSecond)
    a[1] = Math.max(-most, Math.min(most, first))
    a[2] = nextSecond
  }

  #sign(age: number): number {
    return (this.#partial[age] as number) >> 15
  }

  #adaptZeros(difference: number): void {
    const d = this.#differences
    const b = this.#zeros
    const push = difference === 0 ? 0 : 128
    const sign = difference >> 15
    for (let i = 6; i > 0; i--) {
      const towards = (d[i] as number) >> 15 === sign ? push : -push
      b[i] = saturate(towards + (((b[i] as number) * 32_640) >> 15))
    }
    for (let i = 6; i > 1; i--) d[i] = d[i - 1] as number
    d[1] = difference
  }
}

const lowerBand = () => new Band(32, 18_432, 8, lowerWeights)
const upperBand = () => new Band(8, 22_528, 10, upperWeights)

export class G722Encoder {
  readonly #lower = lowerBand()
  readonly #upper = upperBand()
  readonly #line = new Int32Array(24)

  /** Two samples of 16 kHz become a byte; `count` bytes are written from `start` on. */
  encode(samples: Int16Array, bytes: Uint8Array, start = 0, count = bytes.length - start): void {
    const line = this.#line
    for (let at = 0; at < count; at++) {
      line.copyWithin(0, 2)
      line[22] = samples[at * 2] as number
      line[23] = samples[at * 2 + 1] as number
      let odd = 0
      let even = 0
      for (let i = 0; i < 12; i++) {
        odd += (line[2 * i] as number) * (filterTaps[i] as number)
        even += (line[2 * i + 1] as number) * (filterTaps[11 - i] as number)
      }
      bytes[start + at] = (this.#codeUpper((even - odd) >> 14) << 6) | this.#codeLower((even + odd) >> 14)
    }
  }

  #codeLower(sample: number): number {
    const band = this.#lower
    const difference = saturate(sample - band.predicted)
    const magnitude = difference >= 0 ? difference : ~difference
    let level = 1
    while (level < 30 && magnitude >= ((q6[level] as number) * band.step) >> 12) level++
    const code = (difference < 0 ? negative6[level] : positive6[level]) as number
    band.adapt(stepOf4[code >> 2] as number, (band.step * (qm4[code >> 2] as number)) >> 15)
    return code
  }

  #codeUpper(sample: number): number {
    const band = this.#upper
    const difference = saturate(sample - band.predicted)
    const magnitude = difference >= 0 ? difference : ~difference
    const isLarge = magnitude >= (564 * band.step) >> 12
    const code = difference < 0 ? (isLarge ? 0 : 1) : isLarge ? 2 : 3
    band.adapt(stepOf2[code] as number, (band.step * (qm2[code] as number)) >> 15)
    return code
  }
}

export class G722Decoder {
  readonly #lower = lowerBand()
  readonly #upper = upperBand()
  readonly #line = new Int32Array(24)

  /** A byte becomes two samples of 16 kHz. */
  decode(bytes: Uint8Array, samples: Int16Array, start = 0, end = bytes.length): void {
    const line = this.#line
    for (let at = 0; at < end - start; at++) {
      const byte = bytes[start + at] as number
      const lower = this.#decodeLower(byte & 0x3f)
      const upper = this.#decodeUpper(byte >> 6)
      line.copyWithin(0, 2)
      line[22] = lower + upper
      line[23] = lower - upper
      let first = 0
      let second = 0
      for (let i = 0; i < 12; i++) {
        second += (line[2 * i] as number) * (filterTaps[i] as number)
        first += (line[2 * i + 1] as number) * (filterTaps[11 - i] as number)
      }
      samples[at * 2] = saturate(first >> 11)
      samples[at * 2 + 1] = saturate(second >> 11)
    }
  }

  #decodeLower(code: number): number {
    const band = this.#lower
    // The sound uses all six bits, the prediction only four: so it stays in step at lower rates too.
    const sample = clamp(band.predicted + ((band.step * (qm6[code] as number)) >> 15), 16_383)
    band.adapt(stepOf4[code >> 2] as number, (band.step * (qm4[code >> 2] as number)) >> 15)
    return sample
  }

  #decodeUpper(code: number): number {
    const band = this.#upper
    const difference = (band.step * (qm2[code] as number)) >> 15
    const sample = clamp(band.predicted + difference, 16_383)
    band.adapt(stepOf2[code] as number, difference)
    return sample
  }
}
