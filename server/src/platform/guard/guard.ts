// Checks every URL that a user can give us: when it is given, and again at every connection.
import { isIP, type LookupFunction } from 'node:net'
import { Dispatcher } from 'undici'
import { BoundedMap } from '../bounded-map.ts'
import { getOrMake } from '../get-or-make.ts'
import { isPublic } from './addresses.ts'
import { type Connect, connectorOf, lookupPublic, notPublic } from './connector.ts'
import { OriginPool } from './origin-pool.ts'
import { resolveUntrusted } from './resolve.ts'
import { type GuardOptions, hostOf, readRules, refuseUntrusted, type UrlVerdict } from './rules.ts'

export type { GuardOptions, UrlVerdict }

export interface Guard {
  // Outbound connections: kept alive, limited per origin, each opened by the guard's connector.

  /** Checks the text of the address alone. */
  check(address: string): UrlVerdict
  /** Also checks what its name resolves to now, if it does. */
  inspect(address: string): Promise<UrlVerdict>
  /** Connects to checked addresses only. */
  readonly dispatcher: Dispatcher
  /**
   * A lookup for connections that cannot use the dispatcher; it resolves to public addresses only. Undefined: the
   * host is trusted.
   */
  lookupFor(address: string): LookupFunction | undefined
  /** Closes all connections, including those in use. */
  close(): Promise<void>
}

// An endpoint has the same address for thousands of deliveries. A megabyte of text at most.
const mostRemembered = 1_000
const longestRemembered = 1_000

// The user waits for this response, and delivery checks again anyway.
const inspectWaitMs = 2_000

export function openGuard(options: GuardOptions): Guard {
  const rules = readRules(options)
  const closing = new AbortController()
  const dispatcher = new GuardedDispatcher(connectorOf(rules, closing.signal))
  const lookup = lookupPublic(closing.signal)

  return {
    check: remembered(rules.check),

    async inspect(address) {
      const verdict = rules.check(address)
      if (!verdict.ok || rules.isOpen(verdict.url)) return verdict
      const host = hostOf(verdict.url)
      if (isIP(host)) return verdict
      const addresses = await resolveUntrusted(host, AbortSignal.timeout(inspectWaitMs)).catch(() => [])
      return addresses.every(isPublic) ? verdict : refuseUntrusted(notPublic)
    },

    dispatcher,
    lookupFor(address) {
      const verdict = rules.check(address)
      return verdict.ok && rules.isOpen(verdict.url) ? undefined : lookup
    },

    async close() {
      closing.abort()
      await dispatcher.destroy()
    },
  }
}

/** The guard of hosts that users name: private ones are open only if the operator trusts them. */
export const openUserGuard = ({ trustedHosts }: Pick<GuardOptions, 'trustedHosts'>): Guard =>
  openGuard({ allowPrivate: false, trustedHosts })

/** A verdict on an address depends on its text alone, so it can be remembered. */
function remembered(check: (address: string) => UrlVerdict): (address: string) => UrlVerdict {
  const verdicts = new BoundedMap<string, UrlVerdict>(mostRemembered)
  return (address) => {
    const known = verdicts.get(address)
    if (known) return known
    const verdict = check(address)
    if (address.length <= longestRemembered) verdicts.set(address, verdict)
    return verdict
  }
}

/**
 * Replaces undici's Agent, whose pool opens a connection for every request that finds the others busy, and again for
 * one that was closed while others are open; nor does it tell a connector which request it connects for.
 */
class GuardedDispatcher extends Dispatcher {
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
    const open = () => new OriginPool(origin, this.#connect, () => this.#pools.delete(origin))
    return getOrMake(this.#pools, origin, open)
  }
}
