import { describe, expect, it } from 'vitest'
import { bendEnd, endingOf } from './intonation.ts'

describe('the end of', () => {
  it.each([
    ['Do you want to book it?', 'rises'],
    ['Is that "right?"', 'rises'],
    ['What time suits you?', 'falls'],
    ["And who's calling?", 'falls'],
    ['However, is that all?', 'rises'],
    ['I see.', 'falls'],
    ['If you have a moment,', 'goes-on'],
    ['', 'falls'],
  ] as const)('%j %s', (text, ending) => expect(endingOf(text)).toBe(ending))
})

const sentence = () => {
  const f0 = Float32Array.from({ length: 120 }, (_, frame) =>
    frame > 10 && frame < 100 ? 200 - frame * 0.6 : 0,
  )
  const phase = new Float32Array(120)
  for (let frame = 1; frame < 120; frame++)
    phase[frame] = ((phase[frame - 1] as number) + (f0[frame] as number) * 0.0125) % 1
  return { f0, phase }
}

describe('bending', () => {
  it('lifts the end of a question above the sentence, and of a clause less', () => {
    const ends = (['falls', 'goes-on', 'rises'] as const).map((ending) => {
      const { f0, phase } = sentence()
      bendEnd(f0, phase, ending)
      return f0[95] as number
    })
    expect(ends[1]).toBeGreaterThan(ends[0] as number)
    expect(ends[2]).toBeGreaterThan(200)
  })

  it('keeps the phase the sum of the pitch, without a jump where the bend begins', () => {
    const { f0, phase } = sentence()
    bendEnd(f0, phase, 'rises')
    for (let frame = 1; frame < 120; frame++) {
      const step = ((phase[frame] as number) - (phase[frame - 1] as number) + 1) % 1
      const wanted = ((f0[frame] as number) * 0.0125) % 1
      expect(Math.min(Math.abs(step - wanted), 1 - Math.abs(step - wanted))).toBeLessThan(1e-4)
    }
  })

  it('leaves frames without a voice, and sentences without any, alone', () => {
    const { f0, phase } = sentence()
    bendEnd(f0, phase, 'rises')
    expect(f0[110]).toBe(0)
    const silent = new Float32Array(5)
    bendEnd(silent, new Float32Array(5), 'rises')
    expect([...silent]).toEqual([0, 0, 0, 0, 0])
  })
})
