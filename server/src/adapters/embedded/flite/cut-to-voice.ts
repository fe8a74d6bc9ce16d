// Flite begins with a fifth of a second of silence, which a caller would hear as hesitation.

// Flite's silence is digital; its quietest consonants lie well above this.
const silentBelow = 100
const keptBeforeMs = 20
const keptAfterMs = 40

/** The part with voice in it, and a breath of silence on both sides. */
export function cutToVoice(samples: Int16Array, rateHz: number): Int16Array {
  const loud = (sample: number) => Math.abs(sample) > silentBelow
  const first = samples.findIndex(loud)
  if (first < 0) return samples.subarray(0, 0)
  const last = samples.findLastIndex(loud)
  const from = Math.max(0, first - (keptBeforeMs * rateHz) / 1000)
  return samples.subarray(from, last + 1 + (keptAfterMs * rateHz) / 1000)
}
