// Outbound connections: kept alive, limited per origin, each opened by the guard's connector.
import { Dispatcher } from 'undici'
import type { Connect } from './connector.ts'
import { OriginPool } from './origin-pool.ts'

/**
 * Replaces undici's Agent, whose pool opens a connection for every request that finds the others busy, and again for
 * one that was closed while others are open; nor does it tell a connector which request it connects for.
 */
export class GuardedDispatcher extends Dispatcher {
  readonly #connect: Connect
  readonly #pools = new Map<string, OriginPool>()

  constructor(connect: Connect) {
    super()
    this.#connect = connect
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#poolOf(String(request.origin)).dispatch(request, handler)
    return true
  }

  // undici also has overloads with an error and a callback; they are not used here.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of undici
  override async destroy(): Promise<any> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  #poolOf(origin: string): OriginPool {
    const known = this.#pools.get(origin)
    if (known) return known
    const pool = new OriginPool(origin, this.#connect, () => this.#pools.delete(origin))
    this.#pools.set(origin, pool)
    return pool
  }
}
