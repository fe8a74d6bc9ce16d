// The shipped tracks, measured: level, seam, and difference from each other.
import { describe, expect, it } from 'vitest'
import { type RateHz, samplesPerFrame } from '../media/frame.ts'
import { LevelMeter } from '../media/level.ts'
import { ambienceTracks, chooseTrack, openAmbience } from './ambience.ts'

/** One full loop, until the first frame comes again. */
async function loopOf(track: string, rateHz: RateHz): Promise<Int16Array> {
  const at = await openAmbience(track, rateHz)
  let count = 1
  while (at(count) !== at(0)) count++
  const loop = new Int16Array(count * samplesPerFrame(rateHz))
  for (let i = 0; i < count; i++) loop.set(at(i).samples, i * samplesPerFrame(rateHz))
  return loop
}

function levelOf(samples: Int16Array) {
  const meter = new LevelMeter()
  meter.add(samples)
  return meter
}

/** Deviation of each sample from the line through the two before it: large at a click. */
function bends(samples: Int16Array): number[] {
  const at = (i: number) => samples[(i + samples.length) % samples.length] ?? 0
  return Array.from(samples, (sample, i) => Math.abs(sample - 2 * at(i - 1) + at(i - 2)))
}

// Goertzel: the power around each of these, in dB relative to the total.
const bandsHz = [60, 120, 250, 500, 1_000, 2_000, 3_500]
function spectrumOf(samples: Int16Array, rateHz: number): number[] {
  const powers = bandsHz.map((hz) => {
    let power = 0
    for (let from = 0; from + 800 <= samples.length; from += 800) {
      const turn = 2 * Math.cos((2 * Math.PI * hz) / rateHz)
      let one = 0
      let two = 0
      for (let i = from; i < from + 800; i++) [one, two] = [(samples[i] ?? 0) + turn * one - two, one]
      power += one * one + two * two - turn * one * two
    }
    return power
  })
  const all = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => 10 * Math.log10(power / all))
}

const apartDb = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((db, band) => Math.abs(db - (other[band] ?? 0))))

describe.each(ambienceTracks)('%s', (track) => {
  it.each([8_000, 16_000, 48_000] as const)(
    'at %i Hz is about 15 dB below a voice, and never clips',
    async (rateHz) => {
      const loop = await loopOf(track, rateHz)
      expect(loop.length / rateHz).toBeGreaterThanOrEqual(8)
      // Content above 4 kHz is not heard on a telephone.
      expect(levelOf(loop).rmsDb).toBeGreaterThan(-37)
      expect(levelOf(loop).rmsDb).toBeLessThan(-34)
      expect(levelOf(loop).peakDb).toBeLessThan(-6)
    },
  )

  it.each([8_000, 16_000] as const)('at %i Hz loops without a click', async (rateHz) => {
    const all = bends(await loopOf(track, rateHz))
    const usual = all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.999)] ?? 0
    expect(Math.max(...all.slice(0, 3))).toBeLessThanOrEqual(usual)
  })

  it('is never silent for long', async () => {
    const loop = await loopOf(track, 16_000)
    for (let from = 0; from + 8_000 <= loop.length; from += 8_000)
      expect(levelOf(loop.subarray(from, from + 8_000)).rmsDb).toBeGreaterThan(-50)
  })
})

it('no two tracks sound alike', async () => {
  const spectra = await Promise.all(
    ambienceTracks.map(async (track) => spectrumOf(await loopOf(track, 16_000), 16_000)),
  )
  for (const [place, one] of spectra.entries())
    for (const other of spectra.slice(place + 1)) expect(apartDb(one, other)).toBeGreaterThan(4)
})

it('frames are reused, not allocated', async () => {
  const [one, other] = await Promise.all([openAmbience('cafe', 8_000), openAmbience('cafe', 8_000)])
  expect(one).toBe(other)
  expect(one(7)).toBe(other(7))
})

it('an unknown track falls back to the convention hall, with the reason', async () => {
  expect(chooseTrack('beach')).toEqual({
    track: 'convention_hall',
    why: "There is no ambience 'beach', so convention_hall is played; there are convention_hall, office, cafe, street.",
  })
  expect(chooseTrack('street').why).toBeNull()
  expect(await openAmbience('beach', 8_000)).toBe(await openAmbience('convention_hall', 8_000))
})
