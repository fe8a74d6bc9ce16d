// Normally distributed noise, the same in every run and at every rate, so that the sound of a sentence does not depend
// on chance.
import { samplesPerFrame } from '../../media/frame.ts'
import { reachSamples } from '../../media/resample-filter.ts'
import { resampledSound } from '../voice/sound.ts'
import { highestHz, type WrenHz } from './wren-frames.ts'

// Any number but 0.
const seed = 0x9e3779b9
// Five seconds at 24 kHz: longer than most sentences. The first one waits until it is made.
const firstLength = 120_000
// The amplitude as 16-bit samples, which the resampler takes: fine enough, and never clipped.
const loudness = 4_000

let noise = new Float32Array(0)
let state = seed
const byRate = new Map<WrenHz, Float32Array>()

/** A view of at least this length; its beginning is the same for every length. Never write into it. */
export function noiseOf(length: number, rateHz: WrenHz): Float32Array {
  const made = byRate.get(rateHz)
  if (made && made.length >= length) return made
  grow(((length + reachSamples) * highestHz) / rateHz)
  const longer = rateHz === highestHz ? noise : resampled(rateHz)
  byRate.set(rateHz, longer)
  return longer
}

function grow(length: number): void {
  if (length <= noise.length) return
  // Whole frames, as the resampler fills the last one with silence.
  const frame = samplesPerFrame(highestHz)
  const longer = new Float32Array(frame * Math.ceil(Math.max(length, 2 * noise.length, firstLength) / frame))
  longer.set(noise)
  for (let i = noise.length; i < longer.length; i += 2) {
    // Box and Muller's method. 1 - uniform() is never 0.
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
    const angle = 2 * Math.PI * uniform()
    longer[i] = radius * Math.cos(angle)
    longer[i + 1] = radius * Math.sin(angle)
  }
  noise = longer
}

/** Resamples the noise without the delay of the resampler, so that it is in step with that of 24 kHz. */
function resampled(rateHz: WrenHz): Float32Array {
  const samples = resampledSound(
    Int16Array.from(noise, (value) => value * loudness),
    highestHz,
    rateHz,
  )
  return Float32Array.from(samples.subarray(reachSamples), (sample) => sample / loudness)
}

/** Marsaglia's xorshift: 0 ≤ uniform < 1. */
function uniform(): number {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) / 2 ** 32
}
