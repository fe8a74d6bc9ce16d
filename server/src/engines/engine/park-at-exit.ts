// A process that exits while a thread is inside a native library is aborted, so the exit waits for such threads.
import type { Worker } from 'node:worker_threads'

// Loading takes longest; a process that takes longer to exit would be killed anyway.
const parkTimeoutMs = 3_000

/** Per thread, the word that is set to 1 once it will not enter a native library again. */
const parkedWords = new Map<Worker, Int32Array<SharedArrayBuffer>>()

export function parkAtExit(worker: Worker, parked: Int32Array<SharedArrayBuffer>): void {
  // One listener for all threads: one per thread could exceed Node's listener limit.
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
