// Answering-machine beeps, and sounds that resemble them.
import { describe, expect, it } from 'vitest'
import { BeepDetector } from './beep.ts'

const rateHz = 8_000
const sine =
  (hz: number, ms: number, level = 6_000) =>
  (n: number) =>
    n < (ms * rateHz) / 1_000 ? level * Math.sin((2 * Math.PI * hz * n) / rateHz) : 0
const both = (one: (n: number) => number, other: (n: number) => number) => (n: number) => one(n) + other(n)

function hears(sound: (n: number) => number, ms = 4_000): boolean {
  const detector = new BeepDetector(rateHz)
  let heard = false
  for (let at = 0; at < (ms * rateHz) / 1_000; at += 160) {
    const samples = Int16Array.from({ length: 160 }, (_, n) => sound(at + n))
    heard ||= detector.hears(samples)
  }
  return heard
}

describe('a beep', () => {
  it.each([440, 850, 1_000, 1_400, 2_000])('of %i Hz is detected when it ends', (hz) =>
    expect(hears(sine(hz, 500))).toBe(true),
  )
  it('is detected through light noise', () => {
    let state = 1
    const noise = () => {
      state = (state * 16_807) % 2_147_483_647
      return (state / 2_147_483_647 - 0.5) * 200
    }
    expect(hears(both(sine(1_000, 600), noise))).toBe(true)
  })
  it.each([
    ['a click', sine(1_000, 60)],
    ['an endless tone', sine(1_000, 60_000)],
    ['a key', both(sine(770, 300), sine(1_336, 300))],
    [
      'a voiced sound',
      (n: number) =>
        n < 4_000 ? [1, 2, 3, 4, 5].reduce((sum, k) => sum + sine(150 * k, 500, 3_000 / k)(n), 0) : 0,
    ],
    ['a siren', (n: number) => (n < 8_000 ? 6_000 * Math.sin(0.3 * n + 0.0001 * n * n) : 0)],
    ['a hum', sine(1_000, 500, 100)],
    ['silence', () => 0],
  ])('is not detected in %s', (_, sound) => expect(hears(sound)).toBe(false))
})
