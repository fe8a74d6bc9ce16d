// Tests of the metric itself.
import { expect, it } from 'vitest'
import { diarizationError, type SpeakerTurn } from './diarization-error.ts'

/** Turns of ten seconds, one after the other. */
const talk = (...speakers: readonly number[]): SpeakerTurn[] =>
  speakers.map((speaker, place) => ({ speaker, fromMs: place * 10_000, toMs: (place + 1) * 10_000 }))

it.each([
  ['the same', talk(0, 1, 0), talk(0, 1, 0), 0],
  ['the same under other names', talk(0, 1, 0), talk(5, 2, 5), 0],
  ['one of three turns given to another', talk(0, 1, 0), talk(0, 1, 1), 1 / 3],
  ['two people taken for one', talk(0, 1), talk(0, 0), 1 / 2],
  ['one person taken for two', talk(0, 0), talk(0, 1), 1 / 2],
  ['a turn missed', talk(0, 1, 0), talk(0, 1), 1 / 3],
  ['a turn invented', talk(0, 1), talk(0, 1, 0), 1 / 2],
])('%s', (_, said, heard, rate) => {
  expect(diarizationError(said, heard)).toBeCloseTo(rate, 1)
})

it('a boundary within the tolerance is no error', () => {
  expect(
    diarizationError(talk(0, 1), [
      { speaker: 0, fromMs: 100, toMs: 10_200 },
      { speaker: 1, fromMs: 10_200, toMs: 19_800 },
    ]),
  ).toBe(0)
})
