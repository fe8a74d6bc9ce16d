// The meter itself, on the tones of the standard.
import { expect, it } from 'vitest'
import type { RateHz } from '../../../src/media/frame.ts'
import { loudnessLufs } from './loudness.ts'

const tone = (rateHz: RateHz, peakDb: number) =>
  Int16Array.from(
    { length: 5 * rateHz },
    (_, i) => 32_767 * 10 ** (peakDb / 20) * Math.sin((2 * Math.PI * 997 * i) / rateHz),
  )

it.each([
  [48_000, 0, -3.01],
  [48_000, -20, -23.01],
  [8_000, -20, -23.01],
] as const)('a tone of 997 Hz at %i Hz with a peak of %i dBFS has %d LUFS', (rateHz, peakDb, lufs) => {
  expect(loudnessLufs(tone(rateHz, peakDb), rateHz)).toBeCloseTo(lufs, 1)
})

it('silence between the sounds does not count', () => {
  const samples = new Int16Array(15 * 48_000)
  samples.set(tone(48_000, -20), 5 * 48_000)
  expect(loudnessLufs(samples, 48_000)).toBeGreaterThan(-23.6)
})
