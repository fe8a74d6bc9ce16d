// A ticker whose 20 ms pass as soon as everything that the last tick set off has been answered.
//
// A crowded machine makes the ticks slower and never late: engines answer within the tick in which they are asked. An
// idle machine runs through a call many times faster than it is spoken.
import { frameMs } from '../../../src/media/frame.ts'
import type { Ticker } from '../../../src/platform/clock/ticker.ts'
import { settled } from './outstanding-work.ts'

export function openVirtualTicker(): Ticker {
  const subscribers = new Set<{ readonly onTick: (dueMs: number) => void }>()
  let nowMs = 0
  let running: Promise<void> | undefined
  let closed = false

  async function run(): Promise<void> {
    await settled()
    while (subscribers.size > 0 && !closed) {
      nowMs += frameMs
      for (const subscriber of [...subscribers])
        if (subscribers.has(subscriber) && !closed) subscriber.onTick(nowMs)
      await settled()
    }
    running = undefined
  }

  return {
    add(onTick) {
      const subscriber = { onTick }
      subscribers.add(subscriber)
      running ??= run()
      return { end: () => void subscribers.delete(subscriber) }
    },
    async close() {
      closed = true
      await running
    },
  }
}
