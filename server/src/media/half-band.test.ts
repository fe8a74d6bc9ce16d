// Doubling and halving measured with sines, and against the resampler that they stand in for.
import { describe, expect, it } from 'vitest'
import type { RateHz } from './frame.ts'
import { openRateConverter } from './half-band.ts'

const amplitude = 20_000
const seconds = 1

/** A second of a tone through the converter, frame by frame, without the first 100 ms. */
function pass(fromHz: RateHz, toHz: RateHz, frequencyHz: number): Int16Array {
  const converter = openRateConverter(fromHz, toHz)
  const [input, output] = [new Int16Array(fromHz / 50), new Int16Array(toHz / 50)]
  const all = new Int16Array(toHz * seconds)
  for (let frame = 0; frame < 50 * seconds; frame++) {
    for (let i = 0; i < input.length; i++)
      input[i] = Math.round(
        amplitude * Math.sin((2 * Math.PI * frequencyHz * (frame * input.length + i)) / fromHz),
      )
    converter?.run(input, output)
    all.set(output, frame * output.length)
  }
  return all.subarray(toHz / 10)
}

const db = (power: number) => 10 * Math.log10(Math.max(power, 1e-9) / (amplitude ** 2 / 2))
const powerOf = (samples: ArrayLike<number>) =>
  Array.from(samples).reduce((sum, one) => sum + one * one, 0) / samples.length

/** The tone itself by projection, everything else, and how late the tone is. */
function measure(samples: Int16Array, rateHz: number, frequencyHz: number) {
  const step = (2 * Math.PI * frequencyHz) / rateHz
  let [re, im] = [0, 0]
  for (const [i, one] of samples.entries()) {
    re += (2 / samples.length) * one * Math.cos(step * i)
    im += (2 / samples.length) * one * Math.sin(step * i)
  }
  const rest = Float64Array.from(samples, (one, i) => one - re * Math.cos(step * i) - im * Math.sin(step * i))
  const lateMs = (Math.atan2(-re, im) / (2 * Math.PI * frequencyHz)) * 1_000
  return { toneDb: db((re * re + im * im) / 2), restDb: db(powerOf(rest)), lateMs }
}

const speechHz = [100, 300, 700, 1_000, 1_500, 2_000, 2_500, 3_000, 3_300, 3_400]

describe.each([
  [8_000, 16_000],
  [16_000, 8_000],
] as const)('from %i to %i Hz', (fromHz, toHz) => {
  it.each(speechHz)('passes %i Hz as it is and adds nothing above -65 dB', (frequencyHz) => {
    const { toneDb, restDb } = measure(pass(fromHz, toHz, frequencyHz), toHz, frequencyHz)
    expect(Math.abs(toneDb)).toBeLessThan(0.05)
    expect(restDb).toBeLessThan(-65)
  })

  it('is late by less than half a millisecond up to 1 kHz', () => {
    for (const frequencyHz of [100, 300, 700, 1_000]) {
      const { lateMs } = measure(pass(fromHz, toHz, frequencyHz), toHz, frequencyHz)
      expect(lateMs, `${frequencyHz} Hz`).toBeGreaterThan(0)
      expect(lateMs, `${frequencyHz} Hz`).toBeLessThan(0.5)
    }
  })

  it('ends in silence when its input does, without a trace in the numbers', () => {
    const converter = openRateConverter(fromHz, toHz)
    const output = new Int16Array(toHz / 50)
    converter?.run(new Int16Array(fromHz / 50).fill(9_000), output)
    for (let frame = 0; frame < 20; frame++) converter?.run(new Int16Array(fromHz / 50), output)
    expect(output.every((sample) => sample === 0)).toBe(true)
  })

  it('clips a square wave instead of wrapping around', () => {
    const converter = openRateConverter(fromHz, toHz)
    const period = fromHz / 400
    const input = Int16Array.from({ length: fromHz / 50 }, (_, i) =>
      i % period < period / 2 ? 32_767 : -32_768,
    )
    const output = new Int16Array(toHz / 50)
    converter?.run(input, output)
    converter?.run(input, output)
    const flips = output.slice(1).filter((sample, i) => Math.abs(sample - (output[i] as number)) > 45_000)
    // Two edges in each of the 8 periods; wrapped samples would add to them.
    expect(flips.length).toBeLessThanOrEqual(2 * 8)
    expect(Math.max(...output)).toBe(32_767)
  })
})

it('keeps what would fold back below -70 dB when it halves', () => {
  for (let frequencyHz = 4_600; frequencyHz < 8_000; frequencyHz += 200)
    expect(db(powerOf(pass(16_000, 8_000, frequencyHz))), `${frequencyHz} Hz`).toBeLessThan(-70)
})

it('converts between any other rates as well, and leaves equal ones alone', () => {
  const { toneDb } = measure(pass(8_000, 24_000, 1_000), 24_000, 1_000)
  expect(Math.abs(toneDb)).toBeLessThan(0.1)
  expect(openRateConverter(16_000, 16_000)).toBeNull()
})
