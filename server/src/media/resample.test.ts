// The resampler measured with sines: pass band, stop band, delay, chunking.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RateHz, rates, samplesPerFrame } from './frame.ts'
import { Resampler } from './resample.ts'

const pairs = rates.flatMap((fromHz) =>
  rates.filter((toHz) => toHz !== fromHz).map((toHz) => [fromHz, toHz] as const),
)
const amplitude = 30_000
const frames = 30
// Skips the filter's transient.
const settledFrames = 5

/** A tone through the resampler, frame by frame, without the transient. */
function pass(fromHz: RateHz, toHz: RateHz, frequencyHz: number): Int16Array {
  const resampler = new Resampler(fromHz, toHz)
  const input = new Int16Array(samplesPerFrame(fromHz))
  const output = new Int16Array(samplesPerFrame(toHz))
  const all = new Int16Array(output.length * frames)
  for (let frame = 0; frame < frames; frame++) {
    for (let i = 0; i < input.length; i++) {
      const t = (frame * input.length + i) / fromHz
      input[i] = Math.round(amplitude * Math.sin(2 * Math.PI * frequencyHz * t))
    }
    resampler.run(input, output)
    all.set(output, frame * output.length)
  }
  return all.subarray(settledFrames * output.length)
}

const power = (samples: ArrayLike<number>) =>
  Array.from(samples).reduce((sum, x) => sum + x * x, 0) / samples.length
const toneDb = (watts: number) => 10 * Math.log10(Math.max(watts, 1e-9) / (amplitude ** 2 / 2))

/** Amplitude of the tone by projection: exact, since every frequency here has whole periods in 20 ms. */
function project(samples: Int16Array, rateHz: number, frequencyHz: number) {
  let re = 0
  let im = 0
  const step = (2 * Math.PI * frequencyHz) / rateHz
  for (const [i, sample] of samples.entries()) {
    re += (2 / samples.length) * sample * Math.cos(step * i)
    im += (2 / samples.length) * sample * Math.sin(step * i)
  }
  const rest = samples.length
    ? Float64Array.from(samples, (x, i) => x - re * Math.cos(step * i) - im * Math.sin(step * i))
    : []
  return { db: toneDb((re * re + im * im) / 2), restDb: toneDb(power(rest)), angle: Math.atan2(re, im) }
}

const sweep = (fromHz: number, toHz: number) => {
  const step = Math.max(50, Math.round((toHz - fromHz) / 24 / 50) * 50)
  return Array.from({ length: Math.floor((toHz - fromHz) / step) + 1 }, (_, i) => fromHz + i * step)
}

describe.each(pairs.filter(([fromHz, toHz]) => toHz < fromHz))('down from %i to %i Hz', (fromHz, toHz) => {
  it('lets nothing above the new half rate fold back over -80 dB', () => {
    const start = Math.ceil((1.15 * (toHz / 2)) / 50) * 50
    for (const frequencyHz of sweep(start, fromHz / 2 - 50)) {
      expect(toneDb(power(pass(fromHz, toHz, frequencyHz))), `${frequencyHz} Hz`).toBeLessThan(-80)
    }
  })
})

describe.each(pairs)('from %i to %i Hz', (fromHz, toHz) => {
  const halfHz = Math.min(fromHz, toHz) / 2

  it('is flat within 0.1 dB for speech and adds nothing above -80 dB', () => {
    for (const frequencyHz of sweep(100, 0.85 * halfHz)) {
      const { db, restDb } = project(pass(fromHz, toHz, frequencyHz), toHz, frequencyHz)
      expect(Math.abs(db), `${frequencyHz} Hz`).toBeLessThan(0.1)
      expect(restDb, `${frequencyHz} Hz`).toBeLessThan(-80)
    }
  })

  it('is late by exactly the delay that it states', () => {
    const frequencyHz = 50
    const { angle } = project(pass(fromHz, toHz, frequencyHz), toHz, frequencyHz)
    const lateMs = (-angle / (2 * Math.PI * frequencyHz)) * 1000
    expect(lateMs).toBeCloseTo(new Resampler(fromHz, toHz).delayMs, 3)
  })

  it('gives the same output however the stream is chunked', () => {
    const whole = new Resampler(fromHz, toHz)
    const pieces = new Resampler(fromHz, toHz)
    const [size, made] = [samplesPerFrame(fromHz), samplesPerFrame(toHz)]
    fc.assert(
      fc.property(fc.int16Array({ minLength: size, maxLength: size }), (input) => {
        const [expected, found] = [new Int16Array(made), new Int16Array(made)]
        whole.run(input, expected)
        for (let part = 0; part < 4; part++)
          pieces.run(
            input.subarray((part * size) / 4, ((part + 1) * size) / 4),
            found.subarray((part * made) / 4, ((part + 1) * made) / 4),
          )
        expect(found).toEqual(expected)
      }),
      { numRuns: 10 },
    )
  })
})

describe('a resampler', () => {
  it('clips a square wave instead of wrapping around', () => {
    const resampler = new Resampler(8_000, 48_000)
    const input = Int16Array.from({ length: 160 }, (_, i) => (i % 20 < 10 ? 32_767 : -32_768))
    const output = new Int16Array(960)
    resampler.run(input, output)
    resampler.run(input, output)
    const steps = output.slice(1).filter((sample, i) => Math.abs(sample - (output[i] as number)) > 40_000)
    expect(steps).toHaveLength(0)
    expect(Math.max(...output)).toBe(32_767)
  })

  it('is silent after a reset', () => {
    const resampler = new Resampler(16_000, 8_000)
    const output = new Int16Array(160)
    resampler.run(new Int16Array(320).fill(9_000), output)
    resampler.reset()
    resampler.run(new Int16Array(320), output)
    expect(output.every((sample) => sample === 0)).toBe(true)
  })

  it('copies when the rates are equal', () => {
    const input = Int16Array.from({ length: 160 }, (_, i) => i * 3)
    const output = new Int16Array(160)
    new Resampler(8_000, 8_000).run(input, output)
    expect(output).toEqual(input)
  })

  it('refuses buffers of different durations and more than a frame', () => {
    const resampler = new Resampler(8_000, 16_000)
    expect(() => resampler.run(new Int16Array(160), new Int16Array(160))).toThrow('do not become')
    expect(() => resampler.run(new Int16Array(161), new Int16Array(322))).toThrow('a frame at a time')
  })
})
