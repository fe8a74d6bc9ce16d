import { describe, expect, it } from 'vitest'
import { levelDb } from '../../media/level.ts'
import { ownSounds } from './sounds.ts'

describe.each(Object.entries(ownSounds))('%s', (_, make) => {
  it.each([8_000, 16_000] as const)(
    'at %i Hz is audible, does not clip, and starts and ends without a click',
    (rateHz) => {
      const sound = make(rateHz)
      expect(levelDb(sound)).toBeGreaterThan(-35)
      expect(sound.every((sample) => Math.abs(sample) < 20_000)).toBe(true)
      expect(Math.abs(sound[0] ?? 0)).toBeLessThan(1_500)
      expect(Math.abs(sound.at(-1) ?? 0)).toBeLessThan(300)
    },
  )

  it('is the same every time', () => {
    expect(make(8_000)).toEqual(make(8_000))
  })
})
