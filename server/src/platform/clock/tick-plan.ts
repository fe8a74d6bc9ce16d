// When the ticker ticks, and whom each tick is for. Arithmetic only: the thread brings the clock.
//
//   tick    0   1   2   3   4   5   6  …    one every 4 ms
//   phase   0   1   2   3   4   0   1  …    a call has one phase, so its tick comes every 20 ms
//
// Five phases, so that the frames of many calls do not leave in one heap.

export const tickMs = 4
export const phases = 5
// A frame's length.
export const periodMs = tickMs * phases

/** The place of a tick in time; never the tick before plus 4, so errors do not add up. */
export const dueAtMs = (originMs: number, tick: number): number => originMs + tick * tickMs

/** The next tick to wait for. After a stall it is the newest that is due: those before it are dropped. */
export const tickAfter = (last: number, originMs: number, nowMs: number): number =>
  Math.max(last + 1, Math.floor((nowMs - originMs) / tickMs))

/** Counts the ticks that its owner sees, which may be fewer than there were. */
export class PhaseBook {
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  /** The newest tick, from the lower 32 bits of it: those last for 99 days, a service for longer. */
  full(lowBits: number): number {
    return this.#last + ((lowBits - this.#last) | 0)
  }

  /** Nothing up to this tick is run any more. */
  passOver(tick: number): void {
    this.#last = Math.max(this.#last, tick)
  }

  /**
   * Runs what is due up to `tick`: each phase at most once, however long nobody looked. Later than a whole period a tick
   * is dropped, as its phase's next one is due too.
   */
  catchUp(tick: number, run: (phase: number, tick: number) => void): void {
    const first = Math.max(this.#last + 1, tick - phases + 1)
    this.passOver(tick)
    for (let due = first; due <= tick; due++) run(due % phases, due)
  }
}
