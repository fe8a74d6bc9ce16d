// Tests of the measurements themselves, on synthetic audio with known results.
import { describe, expect, it } from 'vitest'
import { interleave, wavHeader } from '../../../src/media/wav.ts'
import { clicksMs } from './clicks.ts'
import { answerGapsMs, loudIntervals, overlaps } from './intervals.ts'
import { type Interval, readRecording } from './recording.ts'

const rateHz = 8_000

/** A tone in each interval, faded in and out, with silence between. */
function tones(totalMs: number, stretches: readonly Interval[], edgeMs = 40): Int16Array {
  return Int16Array.from({ length: totalMs * 8 }, (_, i) => {
    const ms = i / 8
    const on = stretches.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
    const edge = on ? Math.min(1, (ms - on.fromMs + 0.1) / edgeMs, (on.toMs - ms) / edgeMs) : 0
    return edge * 8_000 * Math.sin(1 + (2 * Math.PI * 300 * i) / rateHz)
  })
}

const at = (fromMs: number, toMs: number): Interval => ({ fromMs, toMs })

describe('intervals', () => {
  it('are where the sound is', () => {
    expect(loudIntervals(tones(3_000, [at(500, 1_000), at(2_000, 2_400)]), rateHz)).toEqual([
      at(500, 1_000),
      at(2_000, 2_400),
    ])
  })

  it('include short silences within speech, and exclude clicks', () => {
    expect(loudIntervals(tones(3_000, [at(500, 1_000), at(1_200, 1_500), at(2_500, 2_540)]), rateHz)).toEqual(
      [at(500, 1_500)],
    )
  })

  it('overlap where both sides are heard', () => {
    expect(overlaps([at(0, 1_000), at(2_000, 3_000)], [at(800, 2_100)])).toEqual([
      at(800, 1_000),
      at(2_000, 2_100),
    ])
  })

  it.each([
    ['an answer', [at(0, 1_000)], [at(1_700, 2_000)], [700]],
    ['an agent that was speaking already', [at(0, 1_000)], [at(500, 1_500)], []],
    ['a caller who went on first', [at(0, 1_000), at(1_500, 2_000)], [at(2_400, 3_000)], [400]],
    ['an agent that never answers', [at(0, 1_000)], [], []],
  ])('the wait for %s', (_, caller, agent, gapsMs) => {
    expect(answerGapsMs(caller, agent)).toEqual(gapsMs)
  })
})

describe('clicks', () => {
  it('are at both ends of a wave that is cut off, and not of one that fades', () => {
    expect(clicksMs(tones(1_000, [at(100, 500)]), rateHz)).toEqual([])
    expect(clicksMs(tones(1_000, [at(100, 500)], 0.01), rateHz).map(Math.round)).toEqual([100, 500])
  })

  it('are where 20 ms are missing', () => {
    const whole = tones(1_000, [at(0, 1_000)])
    const hole = Int16Array.from([...whole.subarray(0, 4_003), ...whole.subarray(4_200)])
    const [clickMs = 0, ...others] = clicksMs(hole, rateHz)
    expect(others).toEqual([])
    expect(Math.abs(clickMs - 500)).toBeLessThan(3)
  })

  it('are not in a pulsing voice', () => {
    const pulses = tones(1_000, [at(100, 900)]).map((sample, i) =>
      sample && i % 64 === 0 ? sample + 7_000 : sample,
    )
    expect(clicksMs(pulses, rateHz)).toEqual([])
  })
})

it('the caller is on the left, the agent on the right', () => {
  const left = tones(200, [at(0, 100)])
  const right = tones(200, [at(100, 200)])
  const stereo = new Int16Array(2 * left.length)
  interleave(left, right, stereo)
  const bytes = new Uint8Array(stereo.buffer)
  const wav = Buffer.concat([wavHeader({ rateHz, channels: 2 }, bytes.length), bytes])
  expect(readRecording(wav)).toEqual({ rateHz, caller: left, agent: right })
})
