// Silence around speech that arrives in pieces of any size.
import { expect, it } from 'vitest'
import { EdgeTrimmer } from './sentence-sound.ts'

// 1 sample per millisecond.
const rateHz = 1_000

function trimmed(samples: readonly number[], pieceLength: number): number[] {
  const out: number[] = []
  const trimmer = new EdgeTrimmer(rateHz, (part) => out.push(...part))
  for (let at = 0; at < samples.length; at += pieceLength)
    trimmer.push(Int16Array.from(samples.slice(at, at + pieceLength)))
  trimmer.finish()
  return out
}

const quiet = (length: number) => Array.from({ length }, (_, place) => place % 90)
const loud = (length: number) => Array.from({ length }, (_, place) => 1_000 + place)

it.each([1, 7, 30, 64, 1_000])('in pieces of %i samples, keeps short margins and inner pauses', (length) => {
  const speech = [...loud(50), ...quiet(200), ...loud(30)]
  const samples = [...quiet(120), ...speech, ...quiet(150)]
  expect(trimmed(samples, length)).toEqual([...quiet(120).slice(-20), ...speech, ...quiet(150).slice(0, 40)])
})

it('speech without silence around it stays as it is', () => {
  expect(trimmed(loud(100), 30)).toEqual(loud(100))
})

it('silence alone is nothing', () => {
  expect(trimmed(quiet(300), 50)).toEqual([])
})
