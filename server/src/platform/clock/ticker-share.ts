// Shared between the ticker and its thread: three numbers in shared memory, and a common clock.

export interface TickerShare {
  readonly cells: Int32Array<SharedArrayBuffer>
  /** Time of tick 0 on the machine's monotonic clock. */
  readonly originMs: number
}

/** Index of each number. */
export const cell = {
  mode: 0,
  /** The lower 32 bits of the newest tick. */
  newest: 1,
  /** 1 while a message is pending. */
  bell: 2,
} as const

/** Idle without subscribers: the thread sleeps indefinitely. */
export const mode = { idle: 0, running: 1, closed: 2 } as const

export const makeCells = () => new Int32Array(new SharedArrayBuffer(4 * Object.keys(cell).length))

/**
 * Offset from this thread's performance.now() to the machine's monotonic clock; every thread has its own time origin.
 * Measured several times, since the thread may be preempted between the two readings.
 */
export function monotonicOffsetMs(): number {
  let best = 0
  let bestGapMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 5; attempt++) {
    const beforeMs = performance.now()
    const monotonicMs = Number(process.hrtime.bigint()) / 1e6
    const gapMs = performance.now() - beforeMs
    if (gapMs >= bestGapMs) continue
    bestGapMs = gapMs
    best = monotonicMs - (beforeMs + gapMs / 2)
  }
  return best
}
