// Our own voice on the way back: known as such, and not when somebody speaks on top of it or by himself.
import { describe, expect, it } from 'vitest'
import { EchoMeter } from './echo.ts'

/** Levels that move as speech does: syllables of four to nine frames, with gaps, from a seed. */
function speech(seed: number, frames: number): Float64Array {
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const levels = new Float64Array(frames)
  for (let at = 0; at < frames; ) {
    const length = 4 + Math.floor(random() * 6)
    const peak = 1_500 + random() * 6_000
    for (let n = 0; n < length && at < frames; n++, at++)
      levels[at] = peak * Math.sin((Math.PI * (n + 0.5)) / length) * (0.7 + 0.6 * random())
    at += Math.floor(random() * 5)
  }
  return levels
}

const frame = (level: number) => Int16Array.from({ length: 160 }, (_, n) => (n % 2 ? level : -level))

function meterAfter(sent: Float64Array, received: (n: number) => number): EchoMeter {
  const meter = new EchoMeter()
  for (const [n, level] of sent.entries()) meter.push(frame(level), frame(received(n)))
  return meter
}

describe('what comes back', () => {
  const ours = speech(1, 150)
  const theirs = speech(99, 150)

  it.each([3, 12, 30])('is an echo when it follows %i frames behind', (lag) => {
    const meter = meterAfter(ours, (n) => (ours[n - lag] ?? 0) * 0.3)
    expect(meter.isEcho()).toBe(true)
    expect(meter.path?.lagFrames).toBe(lag)
    expect(meter.path?.gainDb).toBeCloseTo(-10.5, 0)
  })

  it('is one through the noise of a line, too', () => {
    const meter = meterAfter(ours, (n) => (ours[n - 8] ?? 0) * 0.3 + 25)
    expect(meter.isEcho()).toBe(true)
  })

  it.each(Array.from({ length: 40 }, (_, seed) => seed + 2))(
    'is not when somebody else speaks (%i)',
    (seed) => {
      const other = speech(seed * 7_919, 150)
      expect(meterAfter(ours, (n) => other[n] ?? 0).isEcho()).toBe(false)
    },
  )

  it('is not when somebody speaks on top of it', () => {
    const meter = new EchoMeter()
    const back = (n: number) => (ours[n - 5] ?? 0) * 0.1
    for (let n = 0; n < 100; n++) meter.push(frame(ours[n] ?? 0), frame(back(n)))
    expect(meter.isEcho()).toBe(true)
    let noticed = false
    for (let n = 100; n < 115; n++) {
      meter.push(frame(ours[n] ?? 0), frame(back(n) + (theirs[n] ?? 0)))
      noticed ||= !meter.isEcho()
    }
    expect(noticed).toBe(true)
  })

  it('is nobody’s when we said nothing', () => {
    expect(meterAfter(new Float64Array(150), (n) => theirs[n] ?? 0).isEcho()).toBe(false)
  })
})
