// Limits failed authentication per client address, whichever door it was tried at. Only failures count and only
// failures are refused: a valid credential works whatever its neighbours behind the same address do.
import { networkOf } from '../../platform/network-of.ts'
import { Failure } from '../failure.ts'

const windowMs = 60_000
// Attempts from ever more addresses must not fill the memory.
const mostAddresses = 10_000

interface Window {
  failures: number
  readonly endsAtMs: number
}

export interface FailureCounter {
  countFailedAuthentication(status: 401 | 429): void
}

export class FailedAuthentications {
  readonly #perMinute: number
  readonly #counter: FailureCounter
  readonly #nowMs: () => number
  /** Two generations: when the recent one is full, the older one is forgotten. */
  #recent = new Map<string, Window>()
  #older = new Map<string, Window>()

  constructor(perMinute: number, counter: FailureCounter, nowMs = () => performance.now()) {
    this.#perMinute = perMinute
    this.#counter = counter
    this.#nowMs = nowMs
  }

  get addresses(): number {
    return this.#recent.size + this.#older.size
  }

  /** Returns the failure to answer with: this one, or that there were too many. */
  limit(failure: Failure, address: string): Failure {
    if (failure.status !== 401) return failure
    const window = this.#windowOf(networkOf(address))
    window.failures++
    const isOver = window.failures > this.#perMinute
    this.#counter.countFailedAuthentication(isOver ? 429 : 401)
    return isOver ? this.#refusal(window) : failure
  }

  #windowOf(network: string): Window {
    const nowMs = this.#nowMs()
    const known = this.#recent.get(network) ?? this.#older.get(network)
    const window = known && known.endsAtMs > nowMs ? known : { failures: 0, endsAtMs: nowMs + windowMs }
    if (this.#recent.size >= mostAddresses / 2 && !this.#recent.has(network)) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#older.delete(network)
    this.#recent.set(network, window)
    return window
  }

  #refusal({ endsAtMs }: Window): Failure {
    const seconds = Math.max(1, Math.ceil((endsAtMs - this.#nowMs()) / 1000))
    return new Failure('RATE_LIMITED', {
      message: 'Too many failed authentications from this address; retry after the time in Retry-After.',
      headers: { 'retry-after': String(seconds) },
    })
  }
}
