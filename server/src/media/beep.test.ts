// The tones of machines and networks, and the sounds that resemble them, through the codec of a telephone line.
import { describe, expect, it } from 'vitest'
import { BeepDetector } from './beep.ts'
import { decodeG711, encodeG711 } from './g711.ts'
import { InformationTones } from './information-tones.ts'

const rateHz = 8_000
type Sound = (n: number) => number

const sine =
  (hz: number, ms: number, level = 6_000, fromMs = 0): Sound =>
  (n) => {
    const since = n - (fromMs * rateHz) / 1_000
    return since >= 0 && since < (ms * rateHz) / 1_000
      ? level * Math.sin((2 * Math.PI * hz * since) / rateHz)
      : 0
  }
const all =
  (...sounds: readonly Sound[]): Sound =>
  (n) =>
    sounds.reduce((sum, sound) => sum + sound(n), 0)
/** White, from the same seed every time. */
function noise(level: number): Sound {
  let state = 1
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return (state / 2_147_483_647 - 0.5) * 2 * level
  }
}

interface Detector {
  hears(samples: Int16Array): boolean
}

/** How often it is heard, in µ-law. `shift` moves the sound against the frames. */
function count(detector: Detector, sound: Sound, ms = 4_000, shift = 37): number {
  const bytes = new Uint8Array(160)
  let heard = 0
  for (let at = -shift; at < (ms * rateHz) / 1_000; at += 160) {
    const samples = Int16Array.from({ length: 160 }, (_, n) => sound(at + n))
    encodeG711('mu', samples, bytes)
    decodeG711('mu', bytes, samples)
    if (detector.hears(samples)) heard++
  }
  return heard
}
const beeps = (sound: Sound, ms?: number) => count(new BeepDetector(rateHz), sound, ms)

describe('a beep', () => {
  it.each([
    [440, 700],
    [480, 200],
    [850, 150],
    [1_000, 500],
    [1_400, 1_000],
    [1_800, 1_900],
  ])('of %i Hz and %i ms is detected once', (hz, ms) => expect(beeps(sine(hz, ms, 6_000, 300))).toBe(1))

  it.each([440, 850, 1_400])('of %i Hz is detected through noise 15 dB below it', (hz) =>
    expect(beeps(all(sine(hz, 800, 6_000, 300), noise(1_350)))).toBe(1),
  )

  it('is detected when it is soft', () => expect(beeps(sine(1_000, 400, 700, 300))).toBe(1))

  it.each<[string, Sound]>([
    ['a click', sine(1_000, 60)],
    ['an endless tone', sine(1_000, 60_000)],
    ['a tone of 3 s', sine(1_000, 3_000)],
    ['a fax machine', sine(2_100, 500)],
    ['a key', all(sine(770, 300), sine(1_336, 300))],
    ['ring-back', all(sine(440, 2_000, 3_000), sine(480, 2_000, 3_000))],
    ['ring-back of Britain', all(sine(400, 400, 3_000), sine(450, 400, 3_000))],
    ['a busy line', all(sine(480, 500, 3_000), sine(620, 500, 3_000))],
    ['a second call that waits', all(sine(440, 300), sine(440, 300, 6_000, 2_000))],
    [
      'a voiced sound',
      (n) => (n < 4_000 ? [1, 2, 3, 4, 5].reduce((sum, k) => sum + sine(150 * k, 500, 3_000 / k)(n), 0) : 0),
    ],
    ['a melody', all(sine(523, 300), sine(659, 300, 6_000, 400), sine(784, 300, 6_000, 800))],
    ['a plucked note', (n) => sine(880, 900)(n) * Math.exp(-n / 2_000)],
    ['a siren', (n) => (n < 8_000 ? 6_000 * Math.sin(0.3 * n + 0.0001 * n * n) : 0)],
    ['a hum', sine(1_000, 500, 100)],
    ['noise', noise(8_000)],
    ['silence', () => 0],
  ])('is not detected in %s', (_, sound) => expect(beeps(sound)).toBe(0))
})

describe('special information tones', () => {
  const three = (lowHz: number, middleHz: number, pauseMs = 0): Sound =>
    all(
      sine(lowHz, 330),
      sine(middleHz, 330, 6_000, 330 + pauseMs),
      sine(1_777, 330, 6_000, 2 * (330 + pauseMs)),
    )
  const heard = (sound: Sound) => count(new InformationTones(rateHz), sound)

  it.each([
    [950, 1_400],
    [914, 1_371],
    [985, 1_428],
  ])('of %i and %i Hz are detected once, and are no beep', (lowHz, middleHz) => {
    expect(heard(three(lowHz, middleHz))).toBe(1)
    expect(heard(three(lowHz, middleHz, 30))).toBe(1)
    expect(beeps(three(lowHz, middleHz))).toBe(0)
  })

  it('are detected through noise', () => expect(heard(all(three(950, 1_400), noise(1_500)))).toBe(1))

  it.each<[string, Sound]>([
    ['a beep', sine(950, 330)],
    ['the first two', all(sine(950, 330), sine(1_400, 330, 6_000, 330))],
    ['falling tones', all(sine(1_777, 330), sine(1_400, 330, 6_000, 330), sine(950, 330, 6_000, 660))],
    ['noise', noise(8_000)],
  ])('are not detected in %s', (_, sound) => expect(heard(sound)).toBe(0))
})
