// The recent audio of a call: positions stay correct while the past is dropped.
import { expect, it } from 'vitest'
import { SoundTail } from './sound-tail.ts'

/** Every sample holds its second. */
function hours(tail: SoundTail, seconds: number, forgetBeforeMs: (nowMs: number) => number): void {
  const frame = new Int16Array(320)
  for (let i = 0; i < seconds * 50; i++) {
    tail.push(frame.fill(Math.floor(i / 50)))
    tail.forgetBefore(forgetBeforeMs(tail.endMs))
  }
}

it('finds a position after much has been dropped', () => {
  const tail = new SoundTail(16_000)
  hours(tail, 100, (nowMs) => nowMs - 1_000)
  expect(tail.endMs).toBe(100_000)
  expect(tail.keptMs).toBeLessThanOrEqual(4_000)
  const slice = tail.slice(99_500, 99_750)
  expect(slice.length).toBe(250 * 16)
  expect([...new Set(slice)]).toEqual([99 / 32_768])
})

it('keeps as much as requested', () => {
  const tail = new SoundTail(16_000)
  hours(tail, 25, () => 0)
  expect(tail.slice(0, 25_000).length).toBe(25 * 16_000)
})

it('returns what it has of a range that reaches beyond', () => {
  const tail = new SoundTail(16_000)
  hours(tail, 1, () => 0)
  expect(tail.slice(900, 1_500).length).toBe(100 * 16)
})

it('converts every rate to 16 kHz', () => {
  const tail = new SoundTail(8_000)
  for (let i = 0; i < 50; i++) tail.push(new Int16Array(160).fill(1000))
  expect(tail.endMs).toBe(1000)
  expect(tail.slice(500, 501)[0]).toBeCloseTo(1000 / 32_768, 3)
})
