// Keeps NAT bindings and firewalls on the way to peers open, which forget UDP after 30 s (RFC 5626 §3.5).
import type { After } from './timers.ts'
import { type Destination, destinationKey, type Transports } from './transport.ts'

const everyMs = 25_000

export class KeepAlives {
  readonly #after: After
  readonly #transports: Pick<Transports, 'ping'>
  readonly #held = new Map<string, { holders: number; cancel: () => void }>()

  constructor(after: After, transports: Pick<Transports, 'ping'>) {
    this.#after = after
    this.#transports = transports
  }

  /** Pings the peer until all calls and registrations that hold it have called the returned function. */
  hold(to: Destination): () => void {
    const key = destinationKey(to)
    const held = this.#held.get(key) ?? { holders: 0, cancel: this.#ping(to, key) }
    held.holders += 1
    this.#held.set(key, held)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      held.holders -= 1
      if (held.holders > 0) return
      held.cancel()
      this.#held.delete(key)
    }
  }

  close(): void {
    for (const { cancel } of this.#held.values()) cancel()
    this.#held.clear()
  }

  #ping(to: Destination, key: string): () => void {
    return this.#after(everyMs, () => {
      const held = this.#held.get(key)
      if (!held) return
      this.#transports.ping(to)
      held.cancel = this.#ping(to, key)
    })
  }
}
