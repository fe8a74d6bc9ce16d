// Frames through shared memory.
import { webSound } from '@parley/contract/web-sound'
import { expect, it } from 'vitest'
import { FrameRing, makeRing } from './frame-ring.ts'

const filled = (value: number) => new Int16Array(webSound.frameSamples).fill(value)
const out = new Int16Array(webSound.frameSamples)

it('returns frames in the order in which they were written, each once', () => {
  const shared = makeRing()
  const [writer, reader] = [new FrameRing(shared), new FrameRing(shared)]
  expect(reader.read(out)).toBe(false)
  for (let round = 0; round < 1_000; round++) {
    writer.write(filled(2 * round))
    writer.write(filled(2 * round + 1))
    for (const expected of [2 * round, 2 * round + 1]) {
      expect(reader.read(out)).toBe(true)
      expect(out[319]).toBe(expected)
    }
  }
  expect(reader.read(out)).toBe(false)
})

it('drops new frames when it is full, and accepts them again when there is room', () => {
  const ring = new FrameRing(makeRing())
  const kept = Array.from({ length: 40 }, (_, at) => ring.write(filled(at))).filter(Boolean)
  expect(kept).toHaveLength(25)
  ring.read(out)
  expect(out[0]).toBe(0)
  expect(ring.write(filled(99))).toBe(true)
})

it('rings once until the reader has woken', () => {
  const ring = new FrameRing(makeRing())
  expect([ring.ring(), ring.ring()]).toEqual([true, false])
  ring.hush()
  expect(ring.ring()).toBe(true)
})
