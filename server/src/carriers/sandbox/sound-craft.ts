// Building blocks of rendered sounds: seeded random numbers, and a resonator.

/** The same sequence of numbers, 0 to 1, for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Resonance {
  readonly hz: number
  /** Bandwidth: the smaller, the longer it rings. */
  readonly widthHz: number
}

/** A two-pole band-pass with about unity gain at its centre; keeps its state between calls. */
export function resonator({ hz, widthHz }: Resonance, rateHz: number): (sample: number) => number {
  const angle = (2 * Math.PI * hz) / rateHz
  const alpha = Math.sin(angle) * Math.sinh((widthHz / hz) * 0.5)
  const norm = 1 + alpha
  let in1 = 0
  let in2 = 0
  let out1 = 0
  let out2 = 0
  return (sample) => {
    const out = (alpha * (sample - in2) + 2 * Math.cos(angle) * out1 - (1 - alpha) * out2) / norm
    in2 = in1
    in1 = sample
    out2 = out1
    out1 = out
    return out
  }
}

/** Scales the loudest sample to the peak, as 16 bits. */
export function atPeak(sound: Float64Array, peak: number): Int16Array {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const gain = loudest === 0 ? 0 : peak / loudest
  return Int16Array.from(sound, (sample) => Math.round(sample * gain))
}
