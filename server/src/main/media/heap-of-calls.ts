// A thread of calls sends a frame every 20 ms. Left to itself V8 walks its whole heap every ten seconds, and on a
// machine whose cores are taken by calls that slows all of them for a tenth of a second. With more room it does so
// every few minutes.
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'

/** The heap may grow to five times what is alive: 100 calls keep about 40 MB alive. */
const growth = '--heap-growing-percent=400'
/**
 * With this size the heap is not walked while the first calls begin. It applies to heaps that are made while it is
 * set.
 */
const initialSize = '--initial-old-space-size='
const initialMb = 200

/** The flags of a process that does nothing but run calls. */
export const flagsForCalls = [growth, `${initialSize}${initialMb}`] as const

/** Starts the thread that `start` makes with a heap that has room. */
export function withRoomForCalls(start: () => Worker): Worker {
  for (const flag of flagsForCalls) setFlagsFromString(flag)
  const thread = start()
  const back = () => setFlagsFromString(`${initialSize}0`)
  thread.once('online', back)
  thread.once('exit', back)
  return thread
}
