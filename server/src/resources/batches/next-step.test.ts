import { weekdays } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunningBatch } from './feed-store.ts'
import { isCarrierBroken, nextStepOf, queueShares } from './next-step.ts'

const noon = Date.UTC(2026, 0, 5, 12)
const batch = (more: Partial<RunningBatch> = {}): RunningBatch => ({
  batch_id: 'b',
  workspace_id: 'w',
  agent_active: true,
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

/** No other batches. */
const alone = (most: number) => ({ most, mostQueued: most })

describe('a running batch', () => {
  it('is fed while it may have more calls, and never beyond either limit', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 1, max: 50 })),
        fc.integer({ min: 1, max: 50 }),
        fc.nat({ max: 60 }),
        (max_concurrency, most, open) => {
          const turn = nextStepOf(batch({ max_concurrency, open }), alone(most), noon)
          const room = Math.min(max_concurrency ?? most, most) - open
          if (room <= 0) expect(turn).toEqual({ do: 'rest' })
          else expect(turn).toMatchObject({ do: 'serve', room })
        },
      ),
    )
  })

  it('waits while recipients wait for a retry, and finishes when none do', () => {
    expect(nextStepOf(batch({ fresh: false, waiting: true }), alone(5), noon)).toEqual({ do: 'rest' })
    expect(nextStepOf(batch({ fresh: false, waiting: true, due: true }), alone(5), noon)).toMatchObject({
      room: 5,
    })
    expect(nextStepOf(batch({ fresh: false, open: 1 }), alone(5), noon)).toEqual({ do: 'rest' })
    expect(nextStepOf(batch({ fresh: false }), alone(5), noon)).toEqual({ do: 'finish' })
  })

  it('waits outside its hours or without its agent, and then holds back queued calls', () => {
    const closed = { calling_window: hours('13:00', '14:00') }
    expect(nextStepOf(batch(closed), alone(5), noon)).toEqual({ do: 'rest' })
    expect(nextStepOf(batch({ ...closed, open: 2, queued: 2 }), alone(5), noon)).toEqual({
      do: 'serve',
      zones: [],
      room: 0,
      retime: true,
    })
    const nobody = batch({ agent_active: false, open: 2, queued: 2 })
    expect(nextStepOf(nobody, alone(5), noon)).toMatchObject({ zones: [], room: 0, retime: true })
    const open = { calling_window: hours('11:00', '13:00'), open: 5, held: 2 }
    expect(nextStepOf(batch(open), alone(5), noon)).toMatchObject({ do: 'serve', room: 0, retime: true })
  })
})

describe('batches that take turns', () => {
  const rivals = (count: number, more: Partial<RunningBatch> = {}) =>
    Array.from({ length: count }, () => batch(more))

  it('together queue as much as can be claimed, and hardly more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 500 }), (count, most) => {
        const share = queueShares(rivals(count), most, noon).get('w') ?? 0
        expect(share * count).toBeGreaterThanOrEqual(most)
        expect(share * count).toBeLessThan(most + count)
      }),
    )
  })

  it('do not share with idle batches or with another workspace', () => {
    const resting = [
      ...rivals(3, { calling_window: hours('13:00', '14:00') }),
      ...rivals(3, { fresh: false, waiting: true }),
      ...rivals(3, { agent_active: false }),
    ]
    const elsewhere = rivals(4, { workspace_id: 'v' })
    const shares = queueShares([...rivals(2), ...resting, ...elsewhere], 100, noon)
    expect([shares.get('w'), shares.get('v')]).toEqual([50, 25])
  })

  it('queue no more than their share', () => {
    const allowance = { most: 100, mostQueued: 20 }
    expect(nextStepOf(batch({ open: 30, queued: 15 }), allowance, noon)).toMatchObject({ room: 5 })
    expect(nextStepOf(batch({ open: 30, queued: 25 }), allowance, noon)).toEqual({ do: 'rest' })
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
