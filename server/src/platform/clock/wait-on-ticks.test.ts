import { expect, it } from 'vitest'
import { waitOnTicks } from './ticker.ts'

function setUp() {
  const ticking = new Set<(dueMs: number) => void>()
  const wait = waitOnTicks({
    add(onTick) {
      ticking.add(onTick)
      return { end: () => void ticking.delete(onTick) }
    },
  })
  const leaving = new AbortController()
  let isOver = false
  const begin = (ms: number) =>
    void wait(ms, leaving.signal).then(() => {
      isOver = true
    })
  const tick = async (dueMs: number) => {
    for (const onTick of [...ticking]) onTick(dueMs)
    await Promise.resolve()
    await Promise.resolve()
    return isOver
  }
  return { begin, tick, leaving, ticking }
}

it('a wait on ticks lasts as long as the clock says, from the first tick on', async () => {
  const { begin, tick, ticking } = setUp()
  begin(300)
  expect(await tick(70_000)).toBe(false)
  expect(await tick(70_280)).toBe(false)
  expect(await tick(70_300)).toBe(true)
  expect(ticking.size).toBe(0)
})

it('and ends with the tick after an abort', async () => {
  const { begin, tick, leaving, ticking } = setUp()
  begin(2_000)
  expect(await tick(20)).toBe(false)
  leaving.abort()
  expect(await tick(40)).toBe(true)
  expect(ticking.size).toBe(0)
})
