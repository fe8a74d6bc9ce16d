// Whether a thread keeps time, by ticks that the test sends.
import { describe, expect, it } from 'vitest'
import { Punctuality } from './punctuality.ts'
import type { OnTick } from './ticker.ts'

/** Seconds of 50 ticks, of which so many were late; a negative number of them was dropped. */
function watched(mostLateShare = 0.05) {
  const subscribers = new Set<OnTick>()
  const told: boolean[] = []
  let nowMs = 300_004
  const punctuality = new Punctuality({
    ticker: {
      add(onTick) {
        subscribers.add(onTick)
        return { end: () => void subscribers.delete(onTick) }
      },
    },
    mostLateShare,
    onChange: (keepsTime) => told.push(keepsTime),
  })
  const tick = (passed: number, lateMs: number) => {
    nowMs += 20 * passed
    for (const onTick of [...subscribers]) onTick(nowMs, lateMs)
  }
  const seconds = (...late: readonly number[]) => {
    for (const count of late) {
      if (count < 0) tick(1 - count, 3)
      for (let n = 0; n < (count < 0 ? 49 + count : 50); n++) tick(1, n < count ? 20.5 : 19)
    }
  }
  return { punctuality, told, seconds, isWatching: () => subscribers.size > 0 }
}

describe('a thread', () => {
  it('does not keep time once three of five seconds were bad, and does again after five good ones', () => {
    const { punctuality, told, seconds } = watched()
    punctuality.callBegan()
    seconds(3, 0, 3, 0)
    expect(told).toEqual([])
    seconds(-7)
    expect(told).toEqual([false])
    seconds(0, 0, 0, 0)
    expect(told).toEqual([false])
    seconds(1, 0)
    expect(told).toEqual([false, true])
  })

  it('that stalls once, as when an engine is loaded, keeps time', () => {
    const { punctuality, told, seconds } = watched()
    punctuality.callBegan()
    seconds(0, -40, 0, 0, 0, 0, -30, 0, 0, 0, 0)
    expect(told).toEqual([])
  })

  it('keeps time with two late ticks in every second, by the usual setting', () => {
    const { punctuality, told, seconds } = watched()
    punctuality.callBegan()
    seconds(...Array.from({ length: 60 }, () => 2))
    expect(told).toEqual([])
  })

  it('is watched while it has calls, and after them until it keeps time again', () => {
    const { punctuality, told, seconds, isWatching } = watched()
    expect(isWatching()).toBe(false)
    punctuality.callBegan()
    punctuality.callBegan()
    punctuality.callEnded()
    seconds(10, 10, 10)
    punctuality.callEnded()
    expect([told, isWatching()]).toEqual([[false], true])
    seconds(0, 0, 0, 0, 0)
    expect([told, isWatching()]).toEqual([[false, true], false])
    punctuality.callBegan()
    seconds(0, 10, 10)
    expect(told).toEqual([false, true])
  })

  it('is never said to be late with a share of one', () => {
    const { punctuality, told, seconds } = watched(1)
    punctuality.callBegan()
    seconds(50, 50, -49, -49, 50, 50)
    expect(told).toEqual([])
  })
})
