import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LevelMeter, levelDb, silenceDb } from './level.ts'
import { applyGain, applyRamp, Ducker, gainOf, mixInto } from './mix.ts'

const sine = (peak: number, length = 800) =>
  Int16Array.from({ length }, (_, i) => Math.round(peak * Math.sin((2 * Math.PI * i) / 40)))

describe('mixing', () => {
  it('adds sample by sample and clips at the limits', () => {
    fc.assert(
      fc.property(
        fc.int16Array({ minLength: 20, maxLength: 20 }),
        fc.int16Array({ minLength: 20, maxLength: 20 }),
        (a, b) => {
          const mixed = a.slice()
          mixInto(mixed, b)
          expect([...mixed]).toEqual(
            [...a].map((x, i) => Math.max(-32_768, Math.min(32_767, x + (b[i] as number))) + 0),
          )
        },
      ),
    )
  })

  it('leaves samples unchanged at 0 dB and halves them at about -6 dB', () => {
    const samples = sine(10_000)
    const before = samples.slice()
    applyGain(samples, gainOf(0))
    expect(samples).toEqual(before)
    applyGain(samples, gainOf(-6.0206))
    expect(Math.max(...samples)).toBe(5_000)
  })

  it('clips when the gain is too high', () => {
    const samples = Int16Array.of(20_000, -20_000)
    applyGain(samples, gainOf(12))
    expect([...samples]).toEqual([32_767, -32_768])
  })

  it('ramps without a step', () => {
    const samples = new Int16Array(100).fill(10_000)
    applyRamp(samples, 1, 0)
    expect(samples[0]).toBe(9_900)
    expect(samples[99]).toBe(0)
  })
})

describe('ducking', () => {
  const rules = { duckDb: -20, fallMs: 40, riseMs: 200 }
  const constant = () => new Int16Array(160).fill(10_000)

  it('falls and rises in the configured times', () => {
    const ducker = new Ducker(8_000, rules)
    for (let i = 0; i < 2; i++) ducker.run(constant(), true)
    expect(ducker.gain).toBeCloseTo(0.1)
    ducker.run(constant(), true)
    expect(ducker.gain).toBeCloseTo(0.1)
    for (let i = 0; i < 9; i++) ducker.run(constant(), false)
    expect(ducker.gain).toBeLessThan(1)
    ducker.run(constant(), false)
    expect(ducker.gain).toBeCloseTo(1)
  })

  it('never clicks: adjacent samples stay close across frame boundaries', () => {
    const ducker = new Ducker(8_000, rules)
    const line: number[] = []
    for (let i = 0; i < 20; i++) {
      const frame = constant()
      ducker.run(frame, i % 7 < 3)
      line.push(...frame)
    }
    const steps = line.slice(1).map((sample, i) => Math.abs(sample - (line[i] as number)))
    expect(Math.max(...steps)).toBeLessThan(40)
  })
})

describe('the level meter', () => {
  it('reads -3 dB RMS and 0 dB peak for a full-scale sine', () => {
    const meter = new LevelMeter()
    meter.add(sine(32_767))
    expect(meter.rmsDb).toBeCloseTo(-3.01, 1)
    expect(meter.peakDb).toBeCloseTo(0, 2)
  })

  it('covers all frames until it is reset', () => {
    const meter = new LevelMeter()
    meter.add(sine(16_384))
    meter.add(new Int16Array(800))
    expect(meter.rmsDb).toBeCloseTo(-12.04, 1)
    meter.reset()
    expect([meter.rmsDb, meter.peakDb]).toEqual([silenceDb, silenceDb])
  })

  it('returns a finite number for silence', () => {
    expect(levelDb(new Int16Array(160))).toBe(silenceDb)
    expect(levelDb(new Int16Array(0))).toBe(silenceDb)
    expect(levelDb(Int16Array.of(1, -1))).toBeCloseTo(-90.3, 1)
  })
})
