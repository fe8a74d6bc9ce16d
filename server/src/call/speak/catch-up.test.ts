// What is said after the machine was too busy to send sound for a while.
import { describe, expect, it } from 'vitest'
import { type Frame, makeFrame } from '../../media/frame.ts'
import { CatchUp } from './catch-up.ts'
import { Saying } from './saying.ts'

const rateHz = 16_000
const length = 320

/** Speech and pauses in turns, as many frames of each; speech hums at 150 Hz without a break. */
function sayingOf(...stretches: readonly number[]): Saying {
  const saying = new Saying(1, 'reply')
  const piece = saying.add('words')
  if (!piece) throw new Error('closed')
  let at = 0
  stretches.forEach((frames, place) => {
    for (let n = 0; n < frames; n++, at += length) saying.put(piece, hum(place % 2 === 0 ? at : null))
  })
  piece.made = true
  saying.close()
  return saying
}

function hum(from: number | null): Frame {
  const frame = makeFrame(rateHz)
  for (let i = 0; from !== null && i < length; i++)
    frame.samples[i] = Math.round(9_000 * Math.sin((2 * Math.PI * 150 * (from + i)) / rateHz))
  return frame
}

function playedOf(saying: Saying, owed: readonly { readonly at: number; readonly frames: number }[]) {
  const catchUp = new CatchUp()
  const played: Int16Array[] = []
  for (;;) {
    for (const { at, frames } of owed) if (at === played.length) catchUp.owe(frames)
    const frame = catchUp.take(saying)
    if (!frame) return played
    played.push(frame.samples.slice())
  }
}

const isLoud = (samples: Int16Array) => samples.some((sample) => Math.abs(sample) > 4_000)
const shape = (played: readonly Int16Array[]) =>
  played.reduce<number[]>((runs, samples, n) => {
    const before = played[n - 1]
    if (before && isLoud(before) === isLoud(samples)) runs[runs.length - 1] = (runs.at(-1) as number) + 1
    else runs.push(1)
    return runs
  }, [])

describe('a saying that is behind', () => {
  it('has shorter pauses, of which 60 ms are left, and all of its words', () => {
    const played = playedOf(sayingOf(7, 11, 8, 2, 6, 12, 9), [{ at: 4, frames: 14 }])
    expect(shape(played)).toEqual([7, 3, 8, 2, 6, 6, 9])
  })

  it('without a pause becomes a little faster, without a click, and for no longer than it takes', () => {
    const saying = sayingOf(300)
    const played = playedOf(saying, [{ at: 20, frames: 6 }])
    expect(played).toHaveLength(294)
    const sound = Int16Array.from(played.flatMap((samples) => [...samples]))
    // The steepest step of the hum itself is 530.
    for (let i = 1; i < sound.length; i++)
      expect(Math.abs((sound[i] as number) - (sound[i - 1] as number))).toBeLessThan(700)
    expect(playedOf(sayingOf(300), [])).toHaveLength(300)
    expect(saying.isDrained).toBe(true)
  })

  it('by more than half a second stays behind by the rest: that was a pause', () => {
    expect(playedOf(sayingOf(10, 90, 10), [{ at: 2, frames: 400 }])).toHaveLength(110 - 25)
  })

  it('keeps frames apart that do not sound alike', () => {
    const saying = new Saying(1, 'reply')
    const piece = saying.add('noise')
    for (let n = 0; n < 120 && piece; n++) {
      const frame = makeFrame(rateHz)
      // Each is the opposite of the one before.
      frame.samples.fill(n % 2 === 0 ? 5_000 : -5_000)
      saying.put(piece, frame)
    }
    expect(playedOf(saying, [{ at: 3, frames: 5 }])).toHaveLength(120)
  })
})
