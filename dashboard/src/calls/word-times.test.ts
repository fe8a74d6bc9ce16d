// Words of a call by the times of their line and by what is heard of its side.
import { expect, it } from 'vitest'
import { wordTimesOf } from './word-times.ts'

const line = (content: string, start_time: number, end_time: number) => ({ content, start_time, end_time })
const starts = (...args: Parameters<typeof wordTimesOf>) =>
  wordTimesOf(...args).map(({ word, start }) => [word, Number(start.toFixed(2))])

it('gives every word as much time as it has letters', () => {
  expect(starts(line('One, three four', 10, 22), undefined)).toEqual([
    ['One, ', 10],
    ['three ', 13],
    ['four', 18],
  ])
})

it('lets no word be said in a pause', () => {
  // Heard in the first and in the last of four seconds.
  const loudness = { seconds: 4, peaks: [80, 60, 1, 0, 2, 1, 50, 70] }
  expect(wordTimesOf(line('Yes now', 0, 4), loudness)).toEqual([
    { word: 'Yes ', start: 0, end: 1 },
    { word: 'now', start: 3, end: 4 },
  ])
  expect(starts(line('Yes no now', 0, 4), loudness).at(-1)).toEqual(['now', 3.25])
})

it('goes by the times of the record where it has them', () => {
  const told = { ...line('Yes, no', 0, 4), word_times: [0.4, 2.5] }
  expect(wordTimesOf(told, undefined)).toEqual([
    { word: 'Yes, ', start: 0.4, end: 2.5 },
    { word: 'no', start: 2.5, end: 4 },
  ])
  expect(wordTimesOf({ ...told, word_times: [0.4] }, undefined)[1]).toMatchObject({ start: 2.4, end: 4 })
})

it('takes the whole line where nothing is heard, or nothing is known', () => {
  const silent = { seconds: 4, peaks: [0, 0, 0, 0] }
  expect(starts(line('one two', 1, 3), silent)).toEqual([
    ['one ', 1],
    ['two', 2],
  ])
  expect(starts(line('one two', 5, 7), silent)).toEqual([
    ['one ', 5],
    ['two', 6],
  ])
})

it('makes up the text again, in any writing', () => {
  for (const text of ['«Well…» she said: 10:30!', '你好，我想预约。', '', '…'])
    expect(
      wordTimesOf(line(text, 0, 1), undefined)
        .map(({ word }) => word)
        .join(''),
    ).toBe(text)
  expect(wordTimesOf(line('你好我想预约', 0, 1), undefined).length).toBeGreaterThan(1)
})
