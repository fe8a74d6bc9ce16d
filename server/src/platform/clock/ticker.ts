// The playout clock: calls each subscriber every 20 ms, on its phase, from one drift-free source.
//
// The time is kept in a separate thread, so that neither timer drift nor a long turn of the event loop shifts it. The
// subscribers run in the thread that opened the ticker: while that is busy their ticks are late, and beyond 20 ms they
// are dropped. It never bursts: each subscriber is called once after a stall, however long, and after the sockets have been
// read, so that nothing is taken for missing that has arrived meanwhile.
import { Worker } from 'node:worker_threads'
import { dueAtMs, PhaseBook, phases, tickAfter } from './tick-plan.ts'
import { cell, makeCells, mode, monotonicOffsetMs, type TickerShare } from './ticker-share.ts'

export type OnTick = (dueMs: number, lateMs?: number) => void

export interface TickSubscription {
  end(): void
}

export interface Ticker {
  /**
   * `dueMs` is when the tick was due on this thread's performance.now(): a multiple of 20 ms after the previous one,
   * more than 20 if ticks were dropped. `lateMs` is how much later it came; absent: not at all. `onTick` must not throw:
   * that would silence the other calls.
   */
  add(onTick: OnTick): TickSubscription
  /** No tick follows; resolves when the thread has exited. */
  close(): Promise<void>
}

/** Waits on the clock that calls run on; not past an abort of the signal. */
export const waitOnTicks =
  (ticker: Pick<Ticker, 'add'>) =>
  (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      let untilMs: number | undefined
      const ticks = ticker.add((dueMs) => {
        untilMs ??= dueMs + ms
        if (dueMs < untilMs && !signal.aborted) return
        ticks.end()
        resolve()
      })
    })

/** The ticker does not keep the process alive, and sleeps while it has no subscribers. */
export function openTicker(): Ticker {
  const originMs = performance.now()
  const cells = makeCells()
  const workerData: TickerShare = { cells, originMs: originMs + monotonicOffsetMs() }
  // The thread gets none of this process's flags: some, such as --input-type, would keep it from starting.
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
    const lateMs = performance.now() - dueMs
    for (const { onTick } of subscribers[phase] ?? []) if (!isClosed()) onTick(dueMs, lateMs)
  }
  const newest = () => book.full(Atomics.load(cells, cell.newest))
  const run = () => book.catchUp(newest(), runPhase)
  worker.on('message', () => {
    Atomics.store(cells, cell.bell, 0)
    if (book.hasLostTicks(newest())) setImmediate(run)
    else run()
  })
  // After adding the listener, which references the worker again.
  worker.unref()

  return {
    add(onTick) {
      const subscriber = { onTick }
      if (isClosed()) throw new Error('the ticker is closed')
      if (subscribers.every((phase) => phase.size === 0)) {
        // Ticks without subscribers are not caught up.
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
      // The process must stay alive until the end is awaited.
      worker.ref()
      return gone
    },
  }
}
