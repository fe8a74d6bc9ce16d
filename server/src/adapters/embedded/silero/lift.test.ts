// How quiet recordings are lifted.
import { expect, it } from 'vitest'
import { liftFor, loudnessDb } from './lift.ts'

const talk = (loudDb: number) =>
  Float32Array.from({ length: 500 }, (_, window) => (window % 3 === 0 ? loudDb : -90))

it('speech of good level stays as it is, softer speech is lifted to it, hiss is not', () => {
  expect(liftFor(loudnessDb(talk(-10), undefined))).toBe(1)
  expect(20 * Math.log10(liftFor(loudnessDb(talk(-35), undefined)))).toBeCloseTo(20)
  expect(20 * Math.log10(liftFor(loudnessDb(talk(-74), undefined)))).toBeCloseTo(40)
})

it('a click is not the level of the speech', () => {
  const clicks = talk(-42).map((level, window) => (window % 100 === 0 ? -3 : level))
  expect(loudnessDb(clicks, undefined)).toBeCloseTo(-42)
})

it('a pause is not lifted at once, a louder speaker is heard at once', () => {
  expect(loudnessDb(talk(-80), -20)).toBe(-22)
  expect(loudnessDb(talk(-12), -40)).toBe(-12)
})
