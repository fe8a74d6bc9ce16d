// A process that exits while a thread is inside a native library is aborted by it, so such threads are waited for.
import type { Worker } from 'node:worker_threads'

// Loading takes the longest; an exit that hangs for longer would be killed anyway.
const parkTimeoutMs = 3_000

/** By thread, the word that becomes 1 when it will not enter a native library again. */
const parkedWords = new Map<Worker, Int32Array<SharedArrayBuffer>>()

export function parkAtExit(worker: Worker, parked: Int32Array<SharedArrayBuffer>): void {
  // One listener for all threads: there may be more of them than Node thinks sane for one event.
  if (parkedWords.size === 0) process.on('exit', parkAll)
  parkedWords.set(worker, parked)
  worker.once('exit', () => {
    parkedWords.delete(worker)
    if (parkedWords.size === 0) process.off('exit', parkAll)
  })
}

function parkAll(): void {
  for (const worker of parkedWords.keys()) {
    for (const type of ['cancel', 'close'] as const) worker.postMessage({ type })
  }
  const untilMs = performance.now() + parkTimeoutMs
  for (const parked of parkedWords.values()) {
    Atomics.wait(parked, 0, 0, Math.max(0, untilMs - performance.now()))
  }
}
