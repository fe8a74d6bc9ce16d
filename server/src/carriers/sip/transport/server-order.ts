// Servers of a trunk that were silent or full are tried after the others for a while (RFC 3261 §21.5.4, RFC 3263 §4.3).
import type { After } from './timers.ts'
import { type Destination, destinationKey } from './transport.ts'

/** Where the server itself does not say. */
const defaultSeconds = 30
/** A server that asks for a day is tried sooner: nobody mends such a setting. */
const longestSeconds = 600

export class ServerOrder {
  readonly #after: After
  readonly #avoided = new Map<string, () => void>()

  constructor(after: After) {
    this.#after = after
  }

  avoid(to: Destination, seconds = defaultSeconds): void {
    const key = destinationKey(to)
    this.#avoided.get(key)?.()
    const cancel = this.#after(Math.min(seconds, longestSeconds) * 1_000, () => this.#avoided.delete(key))
    this.#avoided.set(key, cancel)
  }

  /** None is left out: all of them may be ill. */
  order(destinations: readonly Destination[]): Destination[] {
    const isAvoided = (to: Destination) => this.#avoided.has(destinationKey(to))
    return [...destinations.filter((to) => !isAvoided(to)), ...destinations.filter(isAvoided)]
  }

  close(): void {
    for (const cancel of this.#avoided.values()) cancel()
    this.#avoided.clear()
  }
}
