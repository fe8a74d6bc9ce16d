// Loudness after ITU-R BS.1770-4, in LUFS: K-weighted, in blocks of 400 ms, gated.
import type { RateHz } from '../../../src/media/frame.ts'
import { resampled } from './clips.ts'

interface Biquad {
  readonly b: readonly [number, number, number]
  readonly a: readonly [number, number]
}

const meterHz = 48_000
// The coefficients of the standard, for 48 kHz: the head as a shelf, then a high-pass.
const shelf: Biquad = {
  b: [1.53512485958697, -2.69169618940638, 1.19839281085285],
  a: [-1.69065929318241, 0.73248077421585],
}
const highPass: Biquad = { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621] }

const blockSamples = 0.4 * meterHz
const stepSamples = 0.1 * meterHz
const offsetDb = -0.691
const silentLufs = -70
const gateBelowMeanDb = -10

export function loudnessLufs(samples: Int16Array, rateHz: RateHz): number {
  const at48k = rateHz === meterHz ? samples : resampled(samples, rateHz, meterHz)
  const weighted = filtered(
    filtered(
      Float64Array.from(at48k, (sample) => sample / 32_768),
      shelf,
    ),
    highPass,
  )
  const powers: number[] = []
  for (let at = 0; at + blockSamples <= weighted.length; at += stepSamples)
    powers.push(meanSquare(weighted.subarray(at, at + blockSamples)))
  const audible = powers.filter((power) => lufs(power) > silentLufs)
  const gate = lufs(mean(audible)) + gateBelowMeanDb
  return lufs(mean(audible.filter((power) => lufs(power) > gate)))
}

const lufs = (power: number) => offsetDb + 10 * Math.log10(power)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const meanSquare = (values: Float64Array) =>
  values.reduce((sum, value) => sum + value * value, 0) / values.length

function filtered(samples: Float64Array, { b, a }: Biquad): Float64Array {
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return samples.map((x) => {
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
    ;[x2, x1, y2, y1] = [x1, x, y1, y]
    return y
  })
}
