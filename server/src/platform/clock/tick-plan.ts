// When the ticker ticks, and which phase each tick is for. Pure arithmetic: the thread supplies the clock.
//
//   tick    0   1   2   3   4   5   6  …    one every 4 ms
//   phase   0   1   2   3   4   0   1  …    a call has one phase, so its tick comes every 20 ms
//
// Five phases spread the frames of many calls, so that they do not leave in one burst.

export const tickMs = 4
export const phases = 5
// The length of a frame.
export const periodMs = tickMs * phases

/** Computed from the origin and not from the previous tick, so that errors do not accumulate. */
export const dueAtMs = (originMs: number, tick: number): number => originMs + tick * tickMs

/** The next tick to wait for. After a stall that is the newest one due; earlier ones are dropped. */
export const tickAfter = (last: number, originMs: number, nowMs: number): number =>
  Math.max(last + 1, Math.floor((nowMs - originMs) / tickMs))

/** Tracks the ticks its owner has seen, which may be fewer than were emitted. */
export class PhaseBook {
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  /** Reconstructs the newest tick from its lower 32 bits, which wrap after 99 days. */
  full(lowBits: number): number {
    return this.#last + ((lowBits - this.#last) | 0)
  }

  /** Skips everything up to this tick. */
  passOver(tick: number): void {
    this.#last = Math.max(this.#last, tick)
  }

  /** Whether so many ticks have passed that some are dropped. */
  hasLostTicks(tick: number): boolean {
    return tick - this.#last > phases
  }

  /**
   * Runs what is due up to `tick`: each phase at most once, however long the stall. A tick later than a whole period is
   * dropped, because the next one of its phase is due too.
   */
  catchUp(tick: number, run: (phase: number, tick: number) => void): void {
    const first = Math.max(this.#last + 1, tick - phases + 1)
    this.passOver(tick)
    for (let due = first; due <= tick; due++) run(due % phases, due)
  }
}
