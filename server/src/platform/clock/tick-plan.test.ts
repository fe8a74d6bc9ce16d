import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueAtMs, PhaseBook, periodMs, phases, tickAfter, tickMs } from './tick-plan.ts'

/** The thread's loop with a clock that oversleeps by the given amounts; returns when each tick was emitted. */
function live(oversleepsMs: readonly number[], originMs = 1_000) {
  let nowMs = originMs
  let last = -1
  return oversleepsMs.map((oversleepMs) => {
    const tick = tickAfter(last, originMs, nowMs)
    nowMs = Math.max(nowMs, dueAtMs(originMs, tick)) + oversleepMs
    last = tick
    return { tick, atMs: nowMs }
  })
}

const seen = (book: PhaseBook, tick: number) => {
  const runs: (readonly [number, number])[] = []
  book.catchUp(tick, (phase, due) => runs.push([phase, due]))
  return runs
}

describe('the tick schedule', () => {
  it('ticks every 4 ms from its origin', () => {
    expect(live([0, 0, 0, 0]).map(({ atMs }) => atMs)).toEqual([1_000, 1_004, 1_008, 1_012])
  })

  it('does not accumulate errors: after a thousand late ticks the next is due where it always was', () => {
    const ticks = live(Array(1_000).fill(1.3))
    expect(ticks.at(-1)).toEqual({ tick: 999, atMs: 1_000 + 999 * tickMs + 1.3 })
  })

  it('drops the ticks of a stall and stays in phase', () => {
    const ticks = live([0, 0, 103, 0, 0, 0])
    expect(ticks.map(({ tick }) => tick)).toEqual([0, 1, 2, 27, 28, 29])
    expect(ticks.map(({ atMs }) => atMs - 1_000)).toEqual([0, 4, 111, 111, 112, 116])
  })

  it('never emits a tick twice, early, or two at once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { maxLength: 200 }),
        (oversleepsMs) => {
          const ticks = live(oversleepsMs)
          for (const [i, { tick, atMs }] of ticks.entries()) {
            expect(atMs).toBeGreaterThanOrEqual(dueAtMs(1_000, tick))
            expect(tick).toBeGreaterThan(ticks[i - 1]?.tick ?? -1)
          }
        },
      ),
    )
  })
})

describe('the phases', () => {
  it('run each tick in its phase', () => {
    const book = new PhaseBook(-1)
    expect([0, 1, 2, 3, 4, 5, 6].map((tick) => seen(book, tick))).toEqual([
      [[0, 0]],
      [[1, 1]],
      [[2, 2]],
      [[3, 3]],
      [[4, 4]],
      [[0, 5]],
      [[1, 6]],
    ])
  })

  it('catch up after a short delay without losing one', () => {
    const book = new PhaseBook(9)
    expect(seen(book, 12)).toEqual([
      [0, 10],
      [1, 11],
      [2, 12],
    ])
  })

  it('run once each after a long stall, and none twice', () => {
    const book = new PhaseBook(9)
    expect(seen(book, 1_009).map(([phase]) => phase)).toEqual([0, 1, 2, 3, 4])
    expect(seen(book, 1_009)).toEqual([])
  })

  it('run at most twice in any 20 ms, and never for the same tick', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 100 }), (steps) => {
        const book = new PhaseBook(-1)
        const dues: number[][] = Array.from({ length: phases }, () => [])
        let tick = 0
        for (const step of steps) {
          tick += step
          const runs = seen(book, tick)
          expect(new Set(runs.map(([phase]) => phase)).size).toBe(runs.length)
          for (const [phase, due] of runs) {
            expect(tick - due).toBeLessThan(phases)
            expect(due - (dues[phase]?.at(-1) ?? -phases)).toBeGreaterThanOrEqual(phases)
            dues[phase]?.push(due)
          }
        }
      }),
    )
  })

  it('skip the ticks they are told to pass over', () => {
    const book = new PhaseBook(-1)
    book.passOver(100)
    expect(seen(book, 100)).toEqual([])
    expect(seen(book, 101)).toEqual([[1, 101]])
  })

  it('continue when the 32 bits wrap', () => {
    const book = new PhaseBook(2 ** 31 - 2)
    expect(book.full((2 ** 31 - 1) | 0)).toBe(2 ** 31 - 1)
    expect(book.full((2 ** 31 + 3) | 0)).toBe(2 ** 31 + 3)
  })

  it('have a period of one frame', () => {
    expect(periodMs).toBe(20)
  })
})
