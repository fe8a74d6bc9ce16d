// Hours and days without calls are shown too.
import { expect, it } from 'vitest'
import { slotsOf } from './slots.ts'

const overview = (from: string, to: string, at: string) =>
  ({ from, to, series: [{ at, calls: 3, answered: 2, minutes: 1 }] }) as unknown as Parameters<
    typeof slotsOf
  >[0]

it('fills a period by hour', () => {
  const slots = slotsOf(
    overview('2026-01-01T10:20:00Z', '2026-01-01T13:20:00Z', '2026-01-01T12:00:00Z'),
    true,
  )
  expect(slots.map(({ calls }) => calls)).toEqual([0, 0, 3, 0])
})

it('fills a period by day', () => {
  const slots = slotsOf(
    overview(
      new Date(2026, 0, 1, 12).toISOString(),
      new Date(2026, 0, 4, 12).toISOString(),
      new Date(2026, 0, 3).toISOString(),
    ),
    false,
  )
  expect(slots.map(({ calls, answered }) => [calls, answered])).toEqual([
    [0, 0],
    [0, 0],
    [3, 2],
    [0, 0],
  ])
})
