// The ticker's thread: sleeps until the next tick is due, reports it, and does nothing else that could delay it.
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import { dueAtMs, tickAfter } from './tick-plan.ts'
import { cell, mode, monotonicOffsetMs, type TickerShare } from './ticker-share.ts'

assert(parentPort)
const { cells, originMs } = workerData as TickerShare
// The origin on this thread's clock.
const hereMs = originMs - monotonicOffsetMs()

let last = -1
for (;;) {
  const now = Atomics.load(cells, cell.mode)
  if (now === mode.closed) break
  if (now === mode.idle) {
    Atomics.wait(cells, cell.mode, mode.idle)
    continue
  }
  const tick = tickAfter(last, hereMs, performance.now())
  const waitMs = dueAtMs(hereMs, tick) - performance.now()
  // Returns early when the mode changes.
  if (waitMs > 0 && Atomics.wait(cells, cell.mode, mode.running, waitMs) !== 'timed-out') continue
  last = tick
  Atomics.store(cells, cell.newest, tick | 0)
  // At most one pending message: a listener that stalled finds one, not a backlog.
  if (Atomics.exchange(cells, cell.bell, 1) === 0) parentPort.postMessage(undefined)
}
