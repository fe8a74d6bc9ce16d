// A ticker that ticks as soon as all work started by the previous tick is done.
//
// A busy machine makes ticks slower and never late: engines answer within the tick in which they are asked. An
// idle machine runs a call many times faster than real time.
import { frameMs } from '../../../src/media/frame.ts'
import type { OnTick, Ticker } from '../../../src/platform/clock/ticker.ts'
import { settled } from './outstanding-work.ts'

export function openVirtualTicker(): Ticker {
  const subscribers = new Set<{ readonly onTick: OnTick }>()
  let nowMs = 0
  let running: Promise<void> | undefined
  let closed = false

  async function run(): Promise<void> {
    await settled()
    while (subscribers.size > 0 && !closed) {
      nowMs += frameMs
      for (const subscriber of [...subscribers])
        if (subscribers.has(subscriber) && !closed) subscriber.onTick(nowMs, 0)
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
