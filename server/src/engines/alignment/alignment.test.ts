// Words and their times from a decoder's attention.
import { expect, it } from 'vitest'
import { maskableWords } from './maskable-words.ts'
import { type DecoderStep, findPauses, probabilityOf, warp, wordTimes } from './word-times.ts'

/** Strong attention on a range of frames, faint attention elsewhere. */
const on = (from: number, to: number, frames = 100) =>
  Float32Array.from({ length: frames }, (_, frame) => (frame >= from && frame < to ? 0.5 : 0.001))

const step = (token: number, part: DecoderStep['part'], from: number, to: number): DecoderStep => ({
  token,
  part,
  probability: 0.5,
  attention: on(from, to),
})

const letters = (tokens: readonly number[]) => String.fromCharCode(...tokens)
/** Loud except in that range. */
const sound = (quietFromMs = 0, quietToMs = 0) =>
  Float32Array.from({ length: 32_000 }, (_, i) =>
    i >= quietFromMs * 16 && i < quietToMs * 16 ? 0 : Math.sin(i / 3) / 2,
  )

it('the path follows the attention and never goes back', () => {
  expect(warp([on(0, 20), on(20, 50), on(50, 80), on(80, 100)])).toEqual([0, 20, 50, 80])
})

it('a token that attended elsewhere stays between its neighbours', () => {
  const [first, astray, last] = warp([on(0, 30), on(90, 95), on(60, 100)]) as [number, number, number]
  expect(first).toBe(0)
  expect(astray).toBeGreaterThanOrEqual(first)
  expect(last).toBeGreaterThanOrEqual(astray)
})

it('no tokens have no times', () => {
  expect(warp([])).toEqual([])
  expect(wordTimes([], { frameMs: 20, lagMs: 0, samples: sound(), spell: letters })).toEqual([])
})

it('tokens become words; the end token ends the last one', () => {
  const steps = [
    step(97, 'first-of-word', 0, 20),
    step(98, 'rest-of-word', 20, 40),
    step(99, 'first-of-word', 40, 70),
    step(0, 'end', 70, 100),
  ]
  const words = wordTimes(steps, { frameMs: 20, lagMs: 0, samples: sound(), spell: letters })
  expect(words.map(({ text, fromMs, toMs }) => [text, fromMs, toMs])).toEqual([
    ['ab', 0, 800],
    ['c', 800, 1_400],
  ])
  expect(words[0]?.confidence).toBeCloseTo(0.5)
})

it('a truncated text keeps its last word', () => {
  const steps = [step(97, 'first-of-word', 0, 50), step(98, 'first-of-word', 50, 100)]
  const words = wordTimes(steps, { frameMs: 20, lagMs: 0, samples: sound(), spell: letters })
  expect(words.map(({ text, toMs }) => [text, toMs])).toEqual([
    ['a', 1_000],
    ['b', 2_000],
  ])
})

it('no word begins or ends in a pause', () => {
  const steps = [step(97, 'first-of-word', 0, 50), step(98, 'first-of-word', 50, 90), step(0, 'end', 90, 100)]
  const [first, second] = wordTimes(steps, {
    frameMs: 20,
    lagMs: 0,
    samples: sound(800, 1_300),
    spell: letters,
  })
  expect(first?.toMs).toBe(800)
  expect(second?.fromMs).toBe(1_300)
})

it('the stop before a consonant is not a pause', () => {
  expect(findPauses(sound(800, 870))).toEqual([])
  expect(findPauses(sound(800, 1_300))).toEqual([{ fromMs: 800, toMs: 1_300 }])
})

it('a probability is the softmax of a logit', () => {
  expect(probabilityOf(0, Float32Array.of(Math.log(3), 0))).toBeCloseTo(0.75)
  expect(probabilityOf(1, Float32Array.of(Number.NEGATIVE_INFINITY, 5))).toBe(1)
})

const timed = (text: string, fromMs: number, toMs: number) => ({ text, fromMs, toMs, confidence: 1 })

it('a call gets words with the sound around them', () => {
  expect(maskableWords([timed(' is', 300, 500), timed(' 4242', 500, 1_700)])).toEqual([
    { text: ' is', startMs: 150, endMs: 900 },
    { text: ' 4242', startMs: 350, endMs: 2_100 },
  ])
})

it('and none if one of them is so long that something was left out beside it', () => {
  expect(maskableWords([timed(' card', 300, 2_100), timed(' 1835', 2_100, 3_500)])).toBeUndefined()
})
