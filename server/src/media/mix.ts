// Mixing: sums that saturate instead of wrapping around, gain, and ducking one sound under another.

/** Linear factor of a gain in dB: -6 dB is about one half. */
export const gainOf = (db: number): number => 10 ** (db / 20)

/** Adds `from` to `into`, in place. */
export function mixInto(into: Int16Array, from: Int16Array): void {
  for (let i = 0; i < into.length; i++) {
    const sum = (into[i] as number) + (from[i] as number)
    // biome-ignore lint/complexity/useMathMinMax: a call for each sample, which is not always inlined
    into[i] = sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : sum
  }
}

/** Applies a gain in place. */
export function applyGain(samples: Int16Array, gain: number): void {
  for (let i = 0; i < samples.length; i++) {
    const value = (samples[i] as number) * gain
    samples[i] = value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : Math.round(value)
  }
}

/** Linear ramp from one gain to the other, to avoid clicks. */
export function applyRamp(samples: Int16Array, fromGain: number, toGain: number): void {
  const step = (toGain - fromGain) / samples.length
  for (let i = 0; i < samples.length; i++) {
    const value = (samples[i] as number) * (fromGain + step * (i + 1))
    samples[i] = value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : Math.round(value)
  }
}

/** Passes from one stretch of sound to another of the same length. */
export function crossfade(from: Int16Array, to: Int16Array, into: Int16Array): void {
  for (let i = 0; i < into.length; i++) {
    const share = (i + 1) / (into.length + 1)
    into[i] = Math.round((from[i] as number) * (1 - share) + (to[i] as number) * share)
  }
}

/** How alike two waves are, from -1 (opposite) to 1 (the same but for their loudness); 0 if one is silent. */
export function likeness(one: Int16Array, other: Int16Array): number {
  let [product, ofOne, ofOther] = [0, 0, 0]
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i] as number, other[i] as number]
    product += a * b
    ofOne += a * a
    ofOther += b * b
  }
  return product === 0 ? 0 : product / Math.sqrt(ofOne * ofOther)
}

export interface DuckingOptions {
  /** Gain of the background while the voice speaks. */
  readonly duckDb: number
  readonly fallMs: number
  readonly riseMs: number
}

// The background falls before the second syllable, and rises slowly, so that pauses between words do not pump.
const gentle: DuckingOptions = { duckDb: -12, fallMs: 60, riseMs: 600 }

/** Ducks a background under a voice. */
export class Ducker {
  readonly #low: number
  readonly #fallPerMs: number
  readonly #risePerMs: number
  readonly #rateHz: number
  #gain = 1

  constructor(rateHz: number, { duckDb, fallMs, riseMs }: DuckingOptions = gentle) {
    this.#rateHz = rateHz
    this.#low = gainOf(duckDb)
    this.#fallPerMs = (1 - this.#low) / fallMs
    this.#risePerMs = (1 - this.#low) / riseMs
  }

  get gain(): number {
    return this.#gain
  }

  /** Changes the background in place. */
  run(background: Int16Array, speaking: boolean): void {
    const ms = (background.length * 1000) / this.#rateHz
    const before = this.#gain
    const after = speaking
      ? Math.max(this.#low, before - this.#fallPerMs * ms)
      : Math.min(1, before + this.#risePerMs * ms)
    if (before !== 1 || after !== 1) applyRamp(background, before, after)
    this.#gain = after
  }
}
