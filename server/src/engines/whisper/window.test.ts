// The window that a piece of speech gets, and the loops that a window which does not suit it leads to.
import { expect, it } from 'vitest'
import { isLooping, windowsFor } from './window.ts'

const seconds = (count: number) => count * 16_000

it('the window follows the speech, with a second of silence after it', () => {
  expect(windowsFor(seconds(8.5))).toEqual([1_000, 3_000])
  expect(windowsFor(seconds(28))).toEqual([2_900, 3_000])
})

it('short speech gets six seconds, and long speech the whole window', () => {
  expect(windowsFor(seconds(0.3))).toEqual([600, 3_000])
  expect(windowsFor(seconds(29.5))).toEqual([3_000])
})

const sentence = Array.from({ length: 14 }, (_, token) => token)

it.each([
  ['one word over and over', [9, 5, 5, 5, 5, 5, 5], true],
  ['a phrase for the third time', [9, 1, 2, 3, 1, 2, 3, 1, 2, 3], true],
  ['a phrase said twice', [1, 2, 3, 1, 2, 3], false],
  ['a sentence said twice', [...sentence, ...sentence], true],
  ['a sentence that is about to be said twice', [...sentence, ...sentence.slice(0, -1)], false],
  ['no, no, no', [4, 5, 4, 5, 4, 5], false],
  ['a sentence', [1, 2, 3, 4, 5, 6, 7], false],
])('%s', (_, tokens, loops) => expect(isLooping(tokens)).toBe(loops))
