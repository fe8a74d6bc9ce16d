// From an engine's audio of a sentence to frames for the line.
import { type Frame, type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'

/** Samples in a whole number of frames. */
export type Sound = Int16Array<ArrayBuffer>

// The silence of an engine is nearly digital; the quietest consonants are well above this.
const silentBelow = 100
export const isLoud = (sample: number): boolean => Math.abs(sample) > silentBelow
// A longer lead-in would sound like hesitation.
export const keptBeforeMs = 20
export const keptAfterMs = 40

/** Trims the silence around the speech to a short margin. */
export function cutToVoice(samples: Int16Array, rateHz: RateHz): Int16Array {
  const first = samples.findIndex(isLoud)
  if (first < 0) return samples.subarray(0, 0)
  const last = samples.findLastIndex(isLoud)
  const from = Math.max(0, first - (keptBeforeMs * rateHz) / 1000)
  return samples.subarray(from, last + 1 + (keptAfterMs * rateHz) / 1000)
}

/** Resamples; the last frame is padded with silence. */
export function resampledSound(samples: Int16Array, fromHz: RateHz, toHz: RateHz): Sound {
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

/** Copies sound into frames, which their readers own. */
export function framesOf(sound: Int16Array, rateHz: RateHz): readonly Frame[] {
  const size = samplesPerFrame(rateHz)
  const frames: Frame[] = []
  for (let at = 0; at < sound.length; at += size) frames.push({ samples: sound.slice(at, at + size), rateHz })
  return frames
}
