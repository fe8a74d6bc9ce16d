// From what an engine makes of a sentence to what a line carries.
import { type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { Resampler } from '../../../media/resample.ts'

/** A whole number of frames. */
export type Sound = Int16Array<ArrayBuffer>

// An engine's silence is all but digital; the quietest consonants lie well above this.
const silentBelow = 100
const keptBeforeMs = 20
const keptAfterMs = 40

/** The part with voice in it, and a breath on both sides: silence before it would be heard as hesitation. */
export function cutToVoice(samples: Int16Array, rateHz: RateHz): Int16Array {
  const loud = (sample: number) => Math.abs(sample) > silentBelow
  const first = samples.findIndex(loud)
  if (first < 0) return samples.subarray(0, 0)
  const last = samples.findLastIndex(loud)
  const from = Math.max(0, first - (keptBeforeMs * rateHz) / 1000)
  return samples.subarray(from, last + 1 + (keptAfterMs * rateHz) / 1000)
}

/** The last frame is filled up with silence. */
export function atRate(samples: Int16Array, fromHz: RateHz, toHz: RateHz): Sound {
  const fromSize = samplesPerFrame(fromHz)
  const toSize = samplesPerFrame(toHz)
  const frames = Math.ceil(samples.length / fromSize)
  const padded = new Int16Array(frames * fromSize)
  padded.set(samples)
  if (fromHz === toHz) return padded
  const resampler = new Resampler(fromHz, toHz)
  const output = new Int16Array(frames * toSize)
  for (let i = 0; i < frames; i++) {
    resampler.run(
      padded.subarray(i * fromSize, (i + 1) * fromSize),
      output.subarray(i * toSize, (i + 1) * toSize),
    )
  }
  return output
}
