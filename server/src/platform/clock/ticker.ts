// The clock of everything that is played: calls each subscriber every 20 ms, on its phase, from one corrected source.
//
// The time is kept in a thread of its own, so neither timers that drift nor a long turn of the event loop shift it. The
// subscribers run in the thread that opened the ticker: while that is busy their ticks are late, and older than 20 ms
// they are dropped. It never bursts: however long the stall, each subscriber is called once for it.
import { Worker } from 'node:worker_threads'
import { dueAtMs, PhaseBook, phases, tickAfter } from './tick-plan.ts'
import { cell, makeCells, mode, monotonicOffsetMs, type TickerShare } from './ticker-share.ts'

export interface Subscription {
  end(): void
}

export interface Ticker {
  /**
   * `dueMs` is when the tick should have come, on this thread's performance.now(): always a multiple of 20 ms after the
   * one before, and more than 20 where ticks were dropped. `onTick` must not throw: one call would silence the others.
   */
  add(onTick: (dueMs: number) => void): Subscription
  /** No tick comes after it was called; resolves when the thread is gone. */
  close(): Promise<void>
}

type OnTick = (dueMs: number) => void

/** It does not keep the process alive, and sleeps while it has no subscribers. */
export function openTicker(): Ticker {
  const originMs = performance.now()
  const cells = makeCells()
  const workerData: TickerShare = { cells, originMs: originMs + monotonicOffsetMs() }
  // Without the flags of this process: one such as --input-type would keep the thread from starting.
  const worker = new Worker(new URL('./ticker-thread.ts', import.meta.url), { workerData, execArgv: [] })
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const subscribers = Array.from({ length: phases }, () => new Set<{ onTick: OnTick }>())
  const book = new PhaseBook(-1)

  const enter = (next: number) => {
    Atomics.store(cells, cell.mode, next)
    Atomics.notify(cells, cell.mode)
  }
  const isClosed = () => cells[cell.mode] === mode.closed
  const runPhase = (phase: number, tick: number) => {
    const dueMs = dueAtMs(originMs, tick)
    for (const { onTick } of subscribers[phase] ?? []) if (!isClosed()) onTick(dueMs)
  }
  worker.on('message', () => {
    Atomics.store(cells, cell.bell, 0)
    book.catchUp(book.full(Atomics.load(cells, cell.newest)), runPhase)
  })
  // After the listener: adding one holds the process again.
  worker.unref()

  return {
    add(onTick) {
      const subscriber = { onTick }
      if (isClosed()) throw new Error('the ticker is closed')
      if (subscribers.every((phase) => phase.size === 0)) {
        // What nobody waited for is not made up for.
        book.passOver(tickAfter(-1, originMs, performance.now()))
        enter(mode.running)
      }
      const quietest = subscribers.reduce((least, phase) => (phase.size < least.size ? phase : least))
      quietest.add(subscriber)
      return {
        end() {
          quietest.delete(subscriber)
          if (!isClosed() && subscribers.every((phase) => phase.size === 0)) enter(mode.idle)
        },
      }
    },
    close() {
      enter(mode.closed)
      // Whoever awaits the end must live to see it.
      worker.ref()
      return gone
    },
  }
}
