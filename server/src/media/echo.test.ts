// Our own voice coming back: recognised as echo, except when someone speaks over it or on their own.
import { describe, expect, it } from 'vitest'
import { EchoMeter, type SoundOwner } from './echo.ts'

/** Levels that vary like speech: syllables of four to nine frames with gaps, from a seed. */
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

describe('a returning signal', () => {
  const ours = speech(1, 150)
  const theirs = speech(99, 150)

  it.each([3, 12, 30])('is an echo when it lags by %i frames', (lag) => {
    const meter = meterAfter(ours, (n) => (ours[n - lag] ?? 0) * 0.3)
    expect(meter.isEcho()).toBe(true)
    expect(meter.path?.lagFrames).toBe(lag)
    expect(meter.path?.gainDb).toBeCloseTo(-10.5, 0)
  })

  it('is an echo through line noise, too', () => {
    const meter = meterAfter(ours, (n) => (ours[n - 8] ?? 0) * 0.3 + 25)
    expect(meter.isEcho()).toBe(true)
  })

  it.each(Array.from({ length: 40 }, (_, seed) => seed + 2))(
    'is not an echo when someone else speaks (%i)',
    (seed) => {
      const other = speech(seed * 7_919, 150)
      expect(meterAfter(ours, (n) => other[n] ?? 0).isEcho()).toBe(false)
    },
  )

  it('is not an echo when someone speaks over it', () => {
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

  it('is not an echo when we sent nothing', () => {
    expect(meterAfter(new Float64Array(150), (n) => theirs[n] ?? 0).isEcho()).toBe(false)
  })
})

const times = (db: number) => 10 ** (db / 20)
const seeds = Array.from({ length: 20 }, (_, seed) => seed + 2)

describe('a voice that has just started', () => {
  const ours = speech(1, 300)
  // The detector reports a voice after hearing this much of it.
  const noticedFrames = 5
  const syllables = 30

  /** The meter's verdicts, frame by frame, for a voice that starts at `startFrame`. */
  function judgements(startFrame: number, received: (n: number) => number) {
    const meter = new EchoMeter()
    const whose: SoundOwner[] = []
    for (let n = 0; n < startFrame + syllables; n++) {
      meter.push(frame(ours[n] ?? 0), frame(received(n)))
      const frames = n - startFrame
      if (frames === noticedFrames) meter.learnBefore(frames)
      if (frames >= noticedFrames) whose.push(meter.whose(frames))
    }
    return whose
  }

  it.each([
    [50, -18],
    [100, -18],
    [200, -18],
    [400, -18],
    [50, -30],
    [200, -30],
    [400, -30],
    [100, -40],
    [400, -40],
  ])(
    '%i ms behind ours at %i dB is never taken for the caller’s, and soon recognised as ours',
    (lagMs, gainDb) => {
      const lag = Math.round(lagMs / 20)
      const whose = judgements(lag, (n) => (ours[n - lag] ?? 0) * times(gainDb))
      expect(whose).not.toContain('theirs')
      expect(whose.at(-1)).toBe('ours')
    },
  )

  it.each([
    ['a clean line', 0, -100],
    ['a line that echoes', 10, -18],
    ['a line that echoes softly', 18, -30],
  ])('is the caller’s at once when it is as loud as a person, on %s', (_, lag, gainDb) => {
    for (const startFrame of [10, 30, 120])
      for (const seed of seeds) {
        const theirs = speech(seed * 7_919, syllables)
        const whose = judgements(
          startFrame,
          (n) => (ours[n - lag] ?? 0) * times(gainDb) + (theirs[n - startFrame] ?? 0) * times(-4),
        )
        // A soft first syllable may need a second one.
        expect(whose.slice(0, 6), `${seed} from ${startFrame}`).toContain('theirs')
      }
  })

  it.each([-26, -34])('is not ours when it is a person at %i dB; the first verdict is unclear', (levelDb) => {
    for (const seed of seeds) {
      const theirs = speech(seed * 7_919, syllables)
      const whose = judgements(10, (n) => (theirs[n - 10] ?? 0) * times(levelDb))
      expect(whose[0]).toBe('unclear')
      expect(whose).not.toContain('ours')
    }
  })

  it('is the caller’s at once, however soft, when there was no echo for a second', () => {
    for (const seed of seeds) {
      const theirs = speech(seed * 7_919, syllables)
      expect(judgements(100, (n) => (theirs[n - 100] ?? 0) * times(-30))[0]).toBe('theirs')
    }
  })

  it('is the caller’s when we have been silent for long', () => {
    const meter = new EchoMeter()
    for (let n = 0; n < 60; n++) meter.push(frame(ours[n] ?? 0), frame(0))
    for (let n = 0; n < 60; n++) meter.push(frame(0), frame(n < 55 ? 0 : 40))
    expect(meter.whose(noticedFrames)).toBe('theirs')
  })

  it('is not the caller’s because of a click', () => {
    const whose = judgements(10, (n) => (n === 14 ? 9_000 : (ours[n - 10] ?? 0) * times(-24)))
    expect(whose[0]).toBe('unclear')
  })
})
