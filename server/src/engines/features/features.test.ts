// The signal processing of the features, against its definition.
import { expect, it } from 'vitest'
import { logMel, melBands } from './log-mel.ts'
import { bandPower, kaldiScale, melBank, slaneyScale } from './mel-bank.ts'
import { coefficients, frameCount, mfcc } from './mfcc.ts'
import { PowerSpectrum } from './power-spectrum.ts'

const noise = (count: number) => {
  let seed = 1
  return Float64Array.from({ length: count }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647 - 0.5
  })
}

it.each([16, 25, 256, 400])('the spectrum of %i samples matches the DFT', (size) => {
  const samples = noise(size)
  const powers = new Float64Array(Math.floor(size / 2) + 1)
  new PowerSpectrum(size).read(samples, powers)
  powers.forEach((power, bin) => {
    let [real, imaginary] = [0, 0]
    samples.forEach((sample, t) => {
      real += sample * Math.cos((2 * Math.PI * bin * t) / size)
      imaginary -= sample * Math.sin((2 * Math.PI * bin * t) / size)
    })
    expect(power).toBeCloseTo(real * real + imaginary * imaginary, 8)
  })
})

it.each([
  ['kaldi', kaldiScale],
  ['slaney', slaneyScale],
])('a tone falls into the band around it (%s)', (_, scale) => {
  const bank = melBank({ bands: 40, lowHz: 20, highHz: 7_600, rateHz: 16_000, size: 400, scale })
  const powers = new Float64Array(201)
  // 1 kHz.
  powers[25] = 1
  const heard = bank.map((band) => bandPower(band, powers))
  const [lowMel, highMel] = [scale.toMel(20), scale.toMel(7_600)]
  const place = ((scale.toMel(1_000) - lowMel) / (highMel - lowMel)) * 41 - 1
  expect(Math.abs(heard.indexOf(Math.max(...heard)) - place)).toBeLessThanOrEqual(1)
  expect(scale.toHz(scale.toMel(3_000))).toBeCloseTo(3_000)
})

it('the whisper input covers the window, with a tone above a constant silence', () => {
  const melFrames = 3_000
  const tone = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin((2 * Math.PI * 440 * i) / 16_000))
  const picture = logMel(tone, melFrames)
  expect(picture).toHaveLength(melBands * melFrames)
  const column = (frame: number) =>
    Array.from({ length: melBands }, (_, band) => picture[band * melFrames + frame] ?? 0)
  expect(Math.max(...column(50)) - Math.max(...column(2_000))).toBeCloseTo(2, 1)
})

it('has a row of coefficients every 10 ms, and none for less than a frame', () => {
  expect(mfcc(new Int16Array(8_000))).toHaveLength(98)
  expect(frameCount(199)).toBe(0)
  const [row] = mfcc(Int16Array.from(noise(400), (value) => value * 10_000))
  expect(row).toHaveLength(coefficients)
  expect(row?.every(Number.isFinite)).toBe(true)
})
