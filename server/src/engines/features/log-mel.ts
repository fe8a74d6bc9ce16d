// Whisper's input: a log-mel spectrogram, 80 bands, one column every 10 ms.
import { bandPower, melBank, slaneyScale } from './mel-bank.ts'
import { PowerSpectrum } from './power-spectrum.ts'

const rateHz = 16_000
const transformSize = 400
const stepSamples = 160
export const melBands = 80
/** The samples of 10 ms. */
export const melFrameSamples = stepSamples
const smallestPower = 1e-10
// Dynamic range below the loudest value; anything lower is clamped.
const rangeDecades = 8

const bank = melBank({
  bands: melBands,
  lowHz: 0,
  highHz: 8_000,
  rateHz,
  size: transformSize,
  scale: slaneyScale,
})
const window = Float64Array.from(
  { length: transformSize },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / transformSize),
)

/** Computes [band][frame], cut or padded with silence to `melFrames`. */
export function logMel(samples: Float32Array, melFrames: number): Float32Array<ArrayBuffer> {
  const spectrum = new PowerSpectrum(transformSize)
  const frame = new Float64Array(transformSize)
  const powers = new Float64Array(transformSize / 2 + 1)
  const mel = new Float32Array(melBands * melFrames).fill(Math.log10(smallestPower))
  const heard = Math.min(melFrames, Math.ceil((samples.length + transformSize / 2) / stepSamples))
  let loudest = Math.log10(smallestPower)
  for (let column = 0; column < heard; column++) {
    const first = column * stepSamples - transformSize / 2
    // The signal is mirrored before its beginning.
    for (let i = 0; i < transformSize; i++)
      frame[i] = (samples[Math.abs(first + i)] ?? 0) * (window[i] as number)
    spectrum.read(frame, powers)
    bank.forEach((band, row) => {
      const log = Math.log10(Math.max(bandPower(band, powers), smallestPower))
      mel[row * melFrames + column] = log
      loudest = Math.max(loudest, log)
    })
  }
  return mel.map((log) => (Math.max(log, loudest - rangeDecades) + 4) / 4)
}
