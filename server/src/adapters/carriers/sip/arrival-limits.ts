// Who may knock how often: strangers are counted and get no answer, one log line a minute tells of them.
import type { Log } from '../../../platform/log.ts'

/** New calls per second from one address: more than a large trunk sends, less than what would starve the others. */
const callsPerSecond = 300
const callsAtOnce = 600
const mostSources = 10_000
const logEveryMs = 60_000

interface Bucket {
  left: number
  atMs: number
}

export interface ArrivalLimitsParts {
  readonly log: Pick<Log, 'warn'>
  readonly count: (reason: string) => void
  readonly nowMs: () => number
}

export class ArrivalLimits {
  readonly #parts: ArrivalLimitsParts
  readonly #buckets = new Map<string, Bucket>()
  #turnedAway = 0
  #lastLogMs = Number.NEGATIVE_INFINITY

  constructor(parts: ArrivalLimitsParts) {
    this.#parts = parts
  }

  /** False: too many new calls from there. */
  mayCall(address: string): boolean {
    const nowMs = this.#parts.nowMs()
    const bucket = this.#buckets.get(address) ?? { left: callsAtOnce, atMs: nowMs }
    bucket.left = Math.min(callsAtOnce, bucket.left + ((nowMs - bucket.atMs) / 1_000) * callsPerSecond)
    bucket.atMs = nowMs
    this.#buckets.delete(address)
    this.#buckets.set(address, bucket)
    if (this.#buckets.size > mostSources) this.#buckets.delete(this.#buckets.keys().next().value as string)
    if (bucket.left < 1) {
      this.turnAway('too many calls')
      return false
    }
    bucket.left -= 1
    return true
  }

  turnAway(reason: 'stranger' | 'too many calls'): void {
    this.#parts.count(reason)
    this.#turnedAway += 1
    const nowMs = this.#parts.nowMs()
    if (nowMs - this.#lastLogMs < logEveryMs) return
    this.#lastLogMs = nowMs
    this.#parts.log.warn({ requests: this.#turnedAway, last_reason: reason }, 'SIP requests were turned away')
    this.#turnedAway = 0
  }
}
