// Where a recording is cut into pieces.
import { expect, it } from 'vitest'
import { sileroWindowMs } from '../silero/silero-windows.ts'
import { PieceCutter, type RecordingPiece } from './piece-cutter.ts'

interface Part {
  readonly forMs: number
  readonly speech: boolean
  readonly levelDb?: number
}

const say = (forMs: number, levelDb = -20): Part => ({ forMs, speech: true, levelDb })
const pause = (forMs: number): Part => ({ forMs, speech: false, levelDb: -60 })

function cut(parts: readonly Part[], rules = { longestMs: 10_000, silenceMs: 700 }): RecordingPiece[] {
  const windows = parts.flatMap((part) =>
    Array.from({ length: Math.round(part.forMs / sileroWindowMs) }, () => part),
  )
  const cutter = new PieceCutter(rules)
  const pieces = cutter.hear(
    Float32Array.from(windows, ({ speech }) => (speech ? 0.95 : 0.02)),
    Float32Array.from(windows, ({ levelDb }) => levelDb ?? -60),
  )
  return [...pieces, ...cutter.finish()]
}

const lengthMs = ({ fromMs, toMs }: RecordingPiece) => toMs - fromMs

it('silence has no pieces', () => {
  expect(cut([pause(60_000)])).toEqual([])
})

it('a sentence is one piece, with a margin of silence on both sides', () => {
  const pieces = cut([pause(3_200), say(3_200), pause(3_200)])
  expect(pieces).toHaveLength(1)
  expect(pieces[0]).toMatchObject({ fromMs: 3_000, toMs: 6_600, voiced: [{ fromMs: 3_200, toMs: 6_400 }] })
})

it('a short pause does not end a piece', () => {
  const pieces = cut([say(2_000), pause(300), say(2_000), pause(2_000)])
  expect(pieces).toHaveLength(1)
  expect(pieces[0]?.voiced).toHaveLength(2)
})

it('a longer silence does', () => {
  expect(cut([say(2_000), pause(1_000), say(2_000)])).toHaveLength(2)
})

it('a piece that would be too long is cut at the longest of its late pauses', () => {
  const pieces = cut([
    say(5_000),
    pause(200),
    say(1_000),
    pause(500),
    say(1_000),
    pause(160),
    say(4_000),
    pause(1_000),
  ])
  expect(pieces).toHaveLength(2)
  expect(pieces[0]?.toMs).toBeGreaterThan(6_200)
  expect(pieces[0]?.toMs).toBeLessThan(6_700)
  expect(pieces[1]?.fromMs).toBeGreaterThanOrEqual(pieces[0]?.toMs ?? 0)
  expect(pieces[1]?.fromMs).toBeLessThan(6_700)
})

it('speech without a pause is cut at its quietest point', () => {
  const pieces = cut([say(6_400), say(128, -50), say(6_400), pause(1_000)])
  expect(pieces).toHaveLength(2)
  expect(pieces[0]?.toMs).toBeGreaterThan(6_400)
  expect(pieces[0]?.toMs).toBeLessThan(6_528)
})

it('continuous speech yields pieces within the limit, without gaps or overlap', () => {
  const pieces = cut([say(100_000)])
  expect(pieces.length).toBeGreaterThanOrEqual(10)
  expect(Math.max(...pieces.map(lengthMs))).toBeLessThanOrEqual(10_100)
  pieces.slice(1).forEach((piece, place) => {
    expect(piece.fromMs).toBe(pieces[place]?.toMs)
  })
  expect(pieces[0]?.fromMs).toBe(0)
  expect(pieces.at(-1)?.toMs).toBeGreaterThanOrEqual(100_000 - sileroWindowMs)
})

it('speech at the very end is kept', () => {
  expect(cut([pause(1_000), say(2_000)])).toHaveLength(1)
})

it('the block size makes no difference', () => {
  const parts = [say(3_000), pause(400), say(9_000), pause(900), say(14_000), pause(100), say(2_000)]
  const windows = parts.flatMap((part) =>
    Array.from({ length: Math.round(part.forMs / sileroWindowMs) }, () => part),
  )
  const cutter = new PieceCutter({ longestMs: 10_000, silenceMs: 700 })
  const oneByOne = windows.flatMap(({ speech, levelDb = -60 }) =>
    cutter.hear(Float32Array.of(speech ? 0.95 : 0.02), Float32Array.of(levelDb)),
  )
  expect([...oneByOne, ...cutter.finish()]).toEqual(cut(parts))
})
