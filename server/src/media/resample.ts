// Resamples a stream between 8, 16, 24 and 48 kHz in any direction, one frame in and one frame out.
//
// One low-pass filter per pair (a windowed sinc at the least common multiple of the rates), split into polyphase
// branches so that no discarded output is computed and no zero tap is multiplied. The pass band reaches 0.85 of the
// lower rate's Nyquist frequency (3.4 of 4 kHz) within 0.1 dB; at Nyquist it is 6 dB down, so every n-th tap is zero
// (half-band, third-band). Above 1.15 of Nyquist it is more than 80 dB down.
//
// The delay is 20 samples of the lower rate: 2.5 ms at 8 kHz, 1.25 ms at 16 kHz.
import { type RateHz, samplesPerFrame } from './frame.ts'
import { type Filter, filterFor, reachSamples } from './resample-filter.ts'

export class Resampler {
  readonly fromHz: RateHz
  readonly toHz: RateHz
  readonly delayMs: number
  readonly #filter: Filter
  // The history that the filter needs, followed by the current frame.
  readonly #line: Float64Array
  readonly #past: number
  // The outputs before rounding.
  readonly #sums: Float64Array

  constructor(fromHz: RateHz, toHz: RateHz) {
    this.fromHz = fromHz
    this.toHz = toHz
    this.delayMs = fromHz === toHz ? 0 : (reachSamples * 1000) / Math.min(fromHz, toHz)
    this.#filter = filterFor(fromHz, toHz)
    this.#past = this.#filter.pastSamples
    this.#line = new Float64Array(this.#past + samplesPerFrame(fromHz))
    this.#sums = new Float64Array(samplesPerFrame(toHz))
  }

  /** Fills `output` from `input`: caller-owned buffers of the same duration, at most 20 ms. */
  run(input: Int16Array, output: Int16Array): void {
    if (input.length * this.toHz !== output.length * this.fromHz)
      throw new RangeError(
        `${input.length} samples do not become ${output.length} from ${this.fromHz} to ${this.toHz} Hz`,
      )
    if (input.length > this.#line.length - this.#past) throw new RangeError('a frame at a time')
    if (this.fromHz === this.toHz) {
      output.set(input)
      return
    }

    const line = this.#line
    const past = this.#past
    for (let i = 0; i < input.length; i++) line[past + i] = input[i] as number
    const { up, down } = this.#filter
    if (up === 2 && down === 1 && output.length % 8 === 0) double(line, output, this.#filter)
    else {
      if (up === 1) decimate(line, this.#sums, output.length, this.#filter)
      else interpolate(line, this.#sums, output.length, this.#filter)
      roundInto(output, this.#sums)
    }
    line.copyWithin(0, input.length, input.length + past)
  }

  /** Clears the history, for a new stream. */
  reset(): void {
    this.#line.fill(0)
  }
}

// The filters below compute four outputs at a time: each tap is loaded once for the four, and the additions are
// independent. Doubling and halving, which telephone calls need, also load each sample once for two taps. The
// remainder is computed one by one.

/** Decimation by an integer: the filter is symmetric, so one multiplication serves both sides. */
function decimate(line: Float64Array, sums: Float64Array, count: number, filter: Filter): void {
  const { down, middle, offsets, weights, centre } = filter
  let n = down === 2 ? halve(line, sums, count, filter) : 0
  let at = middle + n * down
  for (; n + 3 < count; n += 4, at += 4 * down) {
    let first = centre * (line[at] as number)
    let second = centre * (line[at + down] as number)
    let third = centre * (line[at + 2 * down] as number)
    let fourth = centre * (line[at + 3 * down] as number)
    for (let k = 0; k < weights.length; k++) {
      const weight = weights[k] as number
      const left = at - (offsets[k] as number)
      const right = at + (offsets[k] as number)
      first += weight * ((line[left] as number) + (line[right] as number))
      second += weight * ((line[left + down] as number) + (line[right + down] as number))
      third += weight * ((line[left + 2 * down] as number) + (line[right + 2 * down] as number))
      fourth += weight * ((line[left + 3 * down] as number) + (line[right + 3 * down] as number))
    }
    sums[n] = first
    sums[n + 1] = second
    sums[n + 2] = third
    sums[n + 3] = fourth
  }
  for (; n < count; n++, at += down) {
    let sum = centre * (line[at] as number)
    for (let k = 0; k < weights.length; k++) {
      const offset = offsets[k] as number
      sum += (weights[k] as number) * ((line[at - offset] as number) + (line[at + offset] as number))
    }
    sums[n] = sum
  }
}

/** Half of the rate: the taps are at odd distances, so two of them need the same samples for four outputs. */
function halve(
  line: Float64Array,
  sums: Float64Array,
  count: number,
  { middle, weights, centre }: Filter,
): number {
  let n = 0
  for (let at = middle; n + 3 < count; n += 4, at += 8) {
    let first = centre * (line[at] as number)
    let second = centre * (line[at + 2] as number)
    let third = centre * (line[at + 4] as number)
    let fourth = centre * (line[at + 6] as number)
    for (let k = 0; k + 1 < weights.length; k += 2) {
      const near = weights[k] as number
      const far = weights[k + 1] as number
      const left = at - 2 * k - 3
      const a = line[left] as number
      const b = line[left + 2] as number
      const c = line[left + 4] as number
      const d = line[left + 6] as number
      const e = line[left + 8] as number
      const right = at + 2 * k + 1
      const p = line[right] as number
      const q = line[right + 2] as number
      const r = line[right + 4] as number
      const s = line[right + 6] as number
      const t = line[right + 8] as number
      first += near * (b + p) + far * (a + q)
      second += near * (c + q) + far * (b + r)
      third += near * (d + r) + far * (c + s)
      fourth += near * (e + s) + far * (d + t)
    }
    sums[n] = first
    sums[n + 1] = second
    sums[n + 2] = third
    sums[n + 3] = fourth
  }
  return n
}

/** Interpolation, or a rational ratio: the outputs cycle through the phases; computed phase by phase. */
function interpolate(line: Float64Array, sums: Float64Array, count: number, filter: Filter): void {
  const { up, down, middle, phases, passes } = filter
  for (let first = 0; first < up; first++) {
    const phase = (first * down) % up
    const base = Math.floor((first * down) / up)
    if (passes && phase === 0)
      for (let n = first, at = base + middle; n < count; n += up, at += down) sums[n] = line[at] as number
    else convolve(line, sums, count, first, base, up, down, phases[phase] as Float64Array)
  }
}

/** Computes every `up`-th output from `first` on; the input advances by `down` samples each time. */
function convolve(
  line: Float64Array,
  sums: Float64Array,
  count: number,
  first: number,
  base: number,
  up: number,
  down: number,
  taps: Float64Array,
): void {
  let n = first
  let at = base
  for (; n + 3 * up < count; n += 4 * up, at += 4 * down) {
    let one = 0
    let two = 0
    let three = 0
    let four = 0
    for (let k = 0; k < taps.length; k++) {
      const tap = taps[k] as number
      one += tap * (line[at + k] as number)
      two += tap * (line[at + k + down] as number)
      three += tap * (line[at + k + 2 * down] as number)
      four += tap * (line[at + k + 3 * down] as number)
    }
    sums[n] = one
    sums[n + up] = two
    sums[n + 2 * up] = three
    sums[n + 3 * up] = four
  }
  for (; n < count; n += up, at += down) {
    let sum = 0
    for (let k = 0; k < taps.length; k++) sum += (taps[k] as number) * (line[at + k] as number)
    sums[n] = sum
  }
}

/** Doubles the rate: inputs pass, and between two of them lies an output whose taps are the same on both sides. */
function double(line: Float64Array, output: Int16Array, { middle, phases }: Filter): void {
  const taps = phases[1] as Float64Array
  // The first tap is 0: the middle lies between two of the others.
  const last = taps.length - 1
  // Four pairs at a time.
  for (let n = 0, at = 0; n < output.length; n += 8, at += 4) {
    let one = 0
    let two = 0
    let three = 0
    let four = 0
    for (let k = 1; 2 * k < last; k += 2) {
      const outer = taps[k] as number
      const inner = taps[k + 1] as number
      const left = at + k
      const a = line[left] as number
      const b = line[left + 1] as number
      const c = line[left + 2] as number
      const d = line[left + 3] as number
      const e = line[left + 4] as number
      const right = at + last - k
      const p = line[right] as number
      const q = line[right + 1] as number
      const r = line[right + 2] as number
      const s = line[right + 3] as number
      const t = line[right + 4] as number
      one += outer * (a + q) + inner * (b + p)
      two += outer * (b + r) + inner * (c + q)
      three += outer * (c + s) + inner * (d + r)
      four += outer * (d + t) + inner * (e + s)
    }
    output[n] = line[at + middle] as number
    output[n + 1] = rounded(one)
    output[n + 2] = line[at + middle + 1] as number
    output[n + 3] = rounded(two)
    output[n + 4] = line[at + middle + 2] as number
    output[n + 5] = rounded(three)
    output[n + 6] = line[at + middle + 3] as number
    output[n + 7] = rounded(four)
  }
}

function roundInto(output: Int16Array, sums: Float64Array): void {
  for (let n = 0; n < output.length; n++) output[n] = rounded(sums[n] as number)
}

/**
 * Rounds and saturates: a filter overshoots at hard edges, where 16 bits would wrap around. The integer part of a
 * positive number is the integer below it: several times faster than Math.round.
 */
const rounded = (sum: number): number =>
  sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : ((sum + 32_768.5) | 0) - 32_768
