import { weekdays } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunningBatch } from './feed-store.ts'
import { isCarrierBroken, turnOf } from './turn.ts'

const noon = Date.UTC(2026, 0, 5, 12)
const batch = (more: Partial<RunningBatch> = {}): RunningBatch => ({
  batch_id: 'b',
  max_concurrency: null,
  calling_window: null,
  zones: [''],
  fresh: true,
  waiting: false,
  due: false,
  open: 0,
  queued: 0,
  held: 0,
  ...more,
})
const hours = (start_time: string, end_time: string) => ({
  timezone: 'UTC',
  days: [...weekdays],
  start_time,
  end_time,
})

describe('a batch that is under way', () => {
  it('is served as long as it may have more calls, and never beyond either limit', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 1, max: 50 })),
        fc.integer({ min: 1, max: 50 }),
        fc.nat({ max: 60 }),
        (max_concurrency, most, open) => {
          const turn = turnOf(batch({ max_concurrency, open }), most, noon)
          const room = Math.min(max_concurrency ?? most, most) - open
          if (room <= 0) expect(turn).toEqual({ do: 'rest' })
          else expect(turn).toMatchObject({ do: 'serve', room })
        },
      ),
    )
  })

  it('rests while everybody waits for another turn, and is over when nobody does', () => {
    expect(turnOf(batch({ fresh: false, waiting: true }), 5, noon)).toEqual({ do: 'rest' })
    expect(turnOf(batch({ fresh: false, waiting: true, due: true }), 5, noon)).toMatchObject({ room: 5 })
    expect(turnOf(batch({ fresh: false, open: 1 }), 5, noon)).toEqual({ do: 'rest' })
    expect(turnOf(batch({ fresh: false }), 5, noon)).toEqual({ do: 'finish' })
  })

  it('rests outside the hours, and then holds back what waits for room', () => {
    const closed = { calling_window: hours('13:00', '14:00') }
    expect(turnOf(batch(closed), 5, noon)).toEqual({ do: 'rest' })
    expect(turnOf(batch({ ...closed, open: 2, queued: 2 }), 5, noon)).toEqual({
      ...{ do: 'serve', zones: [], room: 0, retime: true },
    })
    const open = { calling_window: hours('11:00', '13:00'), open: 5, held: 2 }
    expect(turnOf(batch(open), 5, noon)).toMatchObject({ do: 'serve', room: 0, retime: true })
  })
})

it.each([
  [19, 19, false],
  [20, 9, false],
  [20, 10, true],
  [40, 19, false],
  [40, 20, true],
])('of %i dials %i failed at the carrier: broken is %s', (dials, failed, broken) => {
  expect(isCarrierBroken({ dials, failed })).toBe(broken)
})
