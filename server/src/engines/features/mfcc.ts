// MFCCs as Kaldi computes them for telephone speech: the input the x-vector network was trained on.
import { bandPower, kaldiScale, melBank } from './mel-bank.ts'
import { PowerSpectrum } from './power-spectrum.ts'

const rateHz = 8_000
const frameSamples = 200
const stepSamples = 80
const transformSize = 256
export const coefficients = 23
const bands = 23
const preEmphasis = 0.97
const lifter = 22
// Floor that keeps the logarithm finite.
const smallest = 1.192e-7

const bank = melBank({ bands, lowHz: 20, highHz: 3_700, rateHz, size: transformSize, scale: kaldiScale })
// The Povey window: a Hann window with broader shoulders.
const window = Float64Array.from(
  { length: frameSamples },
  (_, i) => (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (frameSamples - 1))) ** 0.85,
)
/** DCT matrix with the liftering applied. */
const cosines = Array.from({ length: coefficients }, (_, row) => {
  const lift = 1 + (lifter / 2) * Math.sin((Math.PI * row) / lifter)
  const norm = Math.sqrt((row === 0 ? 1 : 2) / bands)
  return Float64Array.from(
    { length: bands },
    (_, band) => lift * norm * Math.cos((Math.PI / bands) * (band + 0.5) * row),
  )
})

export const frameCount = (samples: number): number =>
  samples < frameSamples ? 0 : 1 + Math.floor((samples - frameSamples) / stepSamples)

/** One row of coefficients every 10 ms. */
export function mfcc(samples8k: Int16Array): Float32Array[] {
  const spectrum = new PowerSpectrum(transformSize)
  const frame = new Float64Array(transformSize)
  const powers = new Float64Array(transformSize / 2 + 1)
  return Array.from({ length: frameCount(samples8k.length) }, (_, place) => {
    const energy = prepare(samples8k, place * stepSamples, frame)
    spectrum.read(frame, powers)
    const logs = bank.map((band) => Math.log(Math.max(bandPower(band, powers), smallest)))
    const row = new Float32Array(coefficients)
    cosines.forEach((cosine, number) => {
      let sum = 0
      for (let band = 0; band < bands; band++) sum += (cosine[band] as number) * (logs[band] as number)
      row[number] = sum
    })
    // Coefficient 0 is replaced by the frame's energy.
    row[0] = Math.log(Math.max(energy, smallest))
    return row
  })
}

/** Removes the DC offset, applies pre-emphasis and the window; returns the energy before the last two. */
function prepare(samples: Int16Array, from: number, frame: Float64Array): number {
  let mean = 0
  for (let i = 0; i < frameSamples; i++) mean += (samples[from + i] as number) / frameSamples
  let energy = 0
  for (let i = 0; i < frameSamples; i++) {
    const value = (samples[from + i] as number) - mean
    energy += value * value
    frame[i] = value
  }
  for (let i = frameSamples - 1; i >= 0; i--) {
    const before = frame[Math.max(0, i - 1)] as number
    frame[i] = ((frame[i] as number) - preEmphasis * before) * (window[i] as number)
  }
  return energy
}
