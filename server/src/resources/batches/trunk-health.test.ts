// Whether the trunk of a batch answers: calls in a row, those that ring meanwhile, and those of before the last pause.
import { describe, expect, it } from 'vitest'
import type { Dial } from './feed-store.ts'
import { pauseSeconds, trunkHealth } from './trunk-health.ts'

const startMs = Date.UTC(2026, 3, 7, 9)

/** One letter for each call in the order of dialling: s silent, o over, r rings. `early` of them were before the pause. */
const dialsOf = (calls: string, early = 0): Dial[] =>
  [...calls]
    .map((letter, place) => ({
      place,
      dialled_at: new Date(startMs + place * 700),
      finished: letter !== 'r',
      failed: letter === 's',
      silent: letter === 's',
      after_pause: place >= early,
    }))
    // The newest record comes first, which need not be the one that was dialled last.
    .toReversed()

describe('the trunk of a batch', () => {
  it.each([
    ['', 'unknown'],
    ['s', 'unknown'],
    ['ss', 'unknown'],
    ['sss', 'silent'],
    ['oooosss', 'silent'],
    ['rrrsss', 'silent'],
    ['sssr', 'answers'],
    ['ssos', 'unknown'],
    ['o', 'answers'],
  ])('after %s is %s', (calls, health) =>
    expect(trunkHealth(dialsOf(calls), { isTrial: false, hasFresh: true })).toBe(health),
  )

  it.each([
    [true, 'unknown'],
    [false, 'silent'],
  ])(
    'that never answers for one number is silent only if nobody else is left: fresh %s, %s',
    (hasFresh, health) => {
      const dials = dialsOf('ossss').map((dial) => ({ ...dial, place: 7 }))
      expect(trunkHealth(dials, { isTrial: false, hasFresh })).toBe(health)
    },
  )

  it.each([
    ['ssss', 4, 'unknown'],
    ['sssss', 4, 'silent'],
    ['ssssr', 4, 'answers'],
    // It was talked in all the time.
    ['rsss', 4, 'unknown'],
  ] as const)('that is tried after %s, %i of them before the pause, is %s', (calls, early, health) =>
    expect(trunkHealth(dialsOf(calls, early), { isTrial: true, hasFresh: true })).toBe(health),
  )

  it('is judged by when calls were dialled, not by when they were created', () => {
    const [last, ...others] = dialsOf('rsss')
    const judged = trunkHealth([...others, last as Dial], { isTrial: false, hasFresh: true })
    expect(judged).toBe('silent')
  })

  it('is tried soon at first, and then more and more rarely', () =>
    expect([0, 1, 2, 3, 4, 5, 90].map(pauseSeconds)).toEqual([15, 30, 60, 120, 300, 600, 600]))
})
