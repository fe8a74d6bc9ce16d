// The resources of this process: memory after a collection, handles, timers, threads.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Holdings {
  readonly heapMb: number
  /** Array buffers: the samples of frames. */
  readonly outsideMb: number
  readonly rssMb: number
  /** Handles, requests and timers that keep the process alive, by kind. */
  readonly resources: readonly string[]
  /** Open files and threads of the process, unreferenced ones too. */
  readonly files: number
  readonly threads: number
}

// A leaked call holds some frames, 5 kB and more: 50 MB over ten thousand calls. A leaked map entry of 100 bytes would
// be 1 MB. Anything below is the JIT's own memory.
const heapMb = 1
const outsideMb = 1
// Resident memory may grow more: the allocator returns pages late, or never.
const rssMb = 24

export const tolerance = `heap ${heapMb} MB, outside it ${outsideMb} MB, RSS ${rssMb} MB, not one handle, timer, file or thread`

// Time for the event loop to close what the last calls left behind.
const settleMs = 500

export async function holdings(): Promise<Holdings> {
  await sleep(settleMs)
  const collect = collector()
  // The collection runs twice: the second one takes what finalizers release.
  collect()
  await sleep(settleMs)
  collect()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return {
    heapMb: heapUsed / 2 ** 20,
    outsideMb: arrayBuffers / 2 ** 20,
    rssMb: rss / 2 ** 20,
    resources: process.getActiveResourcesInfo(),
    files: readdirSync('/proc/self/fd').length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0),
  }
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

/** One sentence per resource that grew beyond its limit. */
export function grown(first: Holdings, last: Holdings): string[] {
  const more = (what: string, by: number, allowed: number) =>
    by > allowed ? [`${what} grew by ${by.toFixed(2)}, ${allowed} is allowed`] : []
  return [
    ...more('heap, in MB,', last.heapMb - first.heapMb, heapMb),
    ...more('memory outside the heap, in MB,', last.outsideMb - first.outsideMb, outsideMb),
    ...more('RSS, in MB,', last.rssMb - first.rssMb, rssMb),
    ...more('handles and timers', last.resources.length - first.resources.length, 0),
    ...more('open files', last.files - first.files, 0),
    ...more('threads', last.threads - first.threads, 0),
  ]
}
