// What the ticker and its thread have in common: three numbers in shared memory, and a clock that means the same to both.

export interface TickerShare {
  readonly cells: Int32Array<SharedArrayBuffer>
  /** Tick 0, on the machine's monotonic clock. */
  readonly originMs: number
}

/** What each number is. */
export const cell = {
  mode: 0,
  /** The lower 32 bits of the newest tick. */
  newest: 1,
  /** 1 while a message is under way. */
  bell: 2,
} as const

/** Idle while nobody subscribes: the thread sleeps without end. */
export const mode = { idle: 0, running: 1, closed: 2 } as const

export const makeCells = () => new Int32Array(new SharedArrayBuffer(4 * Object.keys(cell).length))

/**
 * What this thread's performance.now() lacks to the machine's monotonic clock; every thread has its own beginning.
 * Asked several times, as the thread may lose the processor between the two questions.
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
