// Whether this thread keeps time: by how late its own ticks come, whatever the load of the machine is said to be.
//
// A second in which too many ticks were late is a bad one. Three bad ones of five, and the thread no longer keeps time; five good ones in
// a row, and it does again. One long stall, as when an engine is loaded, is one bad second.
import { periodMs } from './tick-plan.ts'
import type { Ticker, TickSubscription } from './ticker.ts'

const windowSeconds = 5
const badSeconds = 3
const ticksPerSecond = 1_000 / periodMs

export interface PunctualityParts {
  readonly ticker: Pick<Ticker, 'add'>
  /** A second with a larger share of late ticks is a bad one. */
  readonly mostLateShare: number
  readonly onChange: (keepsTime: boolean) => void
}

export class Punctuality {
  readonly #parts: PunctualityParts
  /** The last seconds, the newest last: whether each was bad. */
  readonly #seconds: boolean[] = []
  #ticks = 0
  #lateTicks = 0
  #lastMs: number | undefined
  #calls = 0
  #keepsTime = true
  #ticking: TickSubscription | undefined

  constructor(parts: PunctualityParts) {
    this.#parts = parts
  }

  /** Ticks are watched while there are calls, and after the last one until the thread keeps time again. */
  callBegan(): void {
    this.#calls++
    this.#ticking ??= this.#parts.ticker.add((dueMs, lateMs) => this.#tick(dueMs, lateMs))
  }

  callEnded(): void {
    this.#calls--
    this.#rest()
  }

  #tick(dueMs: number, lateMs = 0): void {
    const passed = this.#lastMs === undefined ? 1 : Math.round((dueMs - this.#lastMs) / periodMs)
    this.#lastMs = dueMs
    this.#ticks += passed
    this.#lateTicks += passed - 1 + (lateMs > periodMs ? 1 : 0)
    if (this.#ticks < ticksPerSecond) return
    this.#judge(this.#lateTicks > this.#parts.mostLateShare * this.#ticks)
    this.#ticks = 0
    this.#lateTicks = 0
  }

  #judge(wasBad: boolean): void {
    this.#seconds.push(wasBad)
    if (this.#seconds.length > windowSeconds) this.#seconds.shift()
    const bad = this.#seconds.filter(Boolean).length
    const keepsTime = this.#keepsTime ? bad < badSeconds : bad === 0 && this.#seconds.length === windowSeconds
    if (keepsTime !== this.#keepsTime) {
      this.#keepsTime = keepsTime
      this.#parts.onChange(keepsTime)
    }
    this.#rest()
  }

  #rest(): void {
    if (this.#calls > 0 || !this.#keepsTime) return
    this.#ticking?.end()
    this.#ticking = undefined
    this.#lastMs = undefined
    this.#seconds.length = 0
    this.#ticks = 0
    this.#lateTicks = 0
  }
}
