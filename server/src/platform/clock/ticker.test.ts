// The real thread, roughly: ticks arrive on their phases, and stop. Exact timing is tested in tick-plan.test.ts.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { openTicker, type Ticker } from './ticker.ts'

const open: Ticker[] = []
const ticker = () => {
  const opened = openTicker()
  open.push(opened)
  return opened
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** The first ticks of a subscriber. */
const ticks = (from: Ticker, count: number) =>
  new Promise<number[]>((resolve) => {
    const dues: number[] = []
    const subscription = from.add((dueMs) => {
      if (dues.push(dueMs) < count) return
      subscription.end()
      resolve(dues)
    })
  })

describe('the ticker', () => {
  it('calls each subscriber on its own phase, whole periods apart', async () => {
    const clock = ticker()
    const beforeMs = performance.now()
    const all = await Promise.all(Array.from({ length: 5 }, () => ticks(clock, 4)))
    for (const dues of all) {
      expect(dues[0]).toBeGreaterThan(beforeMs - 20)
      expect(dues.at(-1)).toBeLessThanOrEqual(performance.now())
      const gaps = dues.slice(1).map((due, i) => (due - (dues[i] as number)) / 20)
      for (const gap of gaps) expect(gap).toBeCloseTo(Math.max(1, Math.round(gap)), 6)
    }
    const phases = all.map(([first = 0]) => Math.round((first % 20) * 1000))
    expect(new Set(phases).size).toBe(5)
  })

  it('restarts after being without subscribers', async () => {
    const clock = ticker()
    const [first = 0] = await ticks(clock, 1)
    const [second = 0] = await ticks(clock, 1)
    expect(second).toBeGreaterThan(first)
  })

  it('calls once after a stall, however long', async () => {
    const clock = ticker()
    const dues: number[] = []
    await new Promise<void>((resolve) => {
      let stalled = false
      clock.add((dueMs) => {
        dues.push(dueMs)
        if (stalled) return resolve()
        stalled = true
        const untilMs = performance.now() + 300
        while (performance.now() < untilMs);
      })
    })
    expect(dues).toHaveLength(2)
    expect((dues[1] as number) - (dues[0] as number)).toBeGreaterThan(20)
  })

  it('after a stall lets the sockets be read first, so that nothing is missed that came meanwhile', async () => {
    const clock = ticker()
    const [near, far] = [createSocket('udp4'), createSocket('udp4')]
    near.bind(0, '127.0.0.1')
    await once(near, 'listening')
    const order: string[] = []
    near.on('message', () => order.push('packet'))
    await new Promise<void>((resolve) => {
      clock.add(() => {
        order.push('tick')
        if (order.length > 1) return resolve()
        far.send('sound', near.address().port, '127.0.0.1', () => {
          const untilMs = performance.now() + 200
          while (performance.now() < untilMs);
        })
      })
    })
    near.close()
    far.close()
    expect(order).toEqual(['tick', 'packet', 'tick'])
  })

  it('calls nobody once closed, not even from inside a tick', async () => {
    const clock = ticker()
    let calls = 0
    let closed: Promise<void> | undefined
    await new Promise<void>((resolve) => {
      for (let i = 0; i < 10; i++)
        clock.add(() => {
          calls++
          closed ??= clock.close()
          resolve()
        })
    })
    await closed
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(calls).toBe(1)
    expect(() => clock.add(() => {})).toThrow('closed')
  })

  it('does not keep a process alive, whether open, idle or closed', () => {
    const module = new URL('./ticker.ts', import.meta.url).href
    const program = `
      const { openTicker } = await import(${JSON.stringify(module)})
      openTicker()
      openTicker().add(() => {})
      await new Promise((resolve) => setTimeout(resolve, 60))
      const closed = openTicker()
      closed.add(() => {})
      await closed.close()
      console.log('the end')`
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect([stdout.trim(), stderr, status]).toEqual(['the end', '', 0])
  })
})
