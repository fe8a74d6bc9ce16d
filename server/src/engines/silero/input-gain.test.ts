// How quiet recordings are amplified.
import { expect, it } from 'vitest'
import { inputGain, loudnessDb } from './input-gain.ts'

const talk = (loudDb: number) =>
  Float32Array.from({ length: 500 }, (_, window) => (window % 3 === 0 ? loudDb : -90))

it('leaves speech of normal level alone, amplifies softer speech to it, but not hiss', () => {
  expect(inputGain(loudnessDb(talk(-10), undefined))).toBe(1)
  expect(20 * Math.log10(inputGain(loudnessDb(talk(-35), undefined)))).toBeCloseTo(20)
  expect(20 * Math.log10(inputGain(loudnessDb(talk(-74), undefined)))).toBeCloseTo(40)
})

it('a click does not count as the level of speech', () => {
  const clicks = talk(-42).map((level, window) => (window % 100 === 0 ? -3 : level))
  expect(loudnessDb(clicks, undefined)).toBeCloseTo(-42)
})

it('follows a louder speaker at once and a pause only slowly', () => {
  expect(loudnessDb(talk(-80), -20)).toBe(-22)
  expect(loudnessDb(talk(-12), -40)).toBe(-12)
})
