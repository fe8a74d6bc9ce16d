// Stands before every address that a user can give us: judges it when it is given, and again at every connection.
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { isPublic } from './addresses.ts'
import { connectorOf, notPublic } from './connector.ts'
import { GuardedDispatcher } from './dispatcher.ts'
import { resolveStranger } from './resolve.ts'
import { type GuardOptions, hostOf, readRules, type Verdict } from './rules.ts'

export type { GuardOptions, Verdict }

export interface Guard {
  /** What can be seen of an address in its text alone. */
  check(address: string): Verdict
  /** And what its name resolves to now, if it does. */
  inspect(address: string): Promise<Verdict>
  /** Connects to checked addresses only. */
  readonly dispatcher: Dispatcher
  /** Ends all connections, also those in use. */
  close(): Promise<void>
}

// A person waits for this answer, and sending checks again anyway.
const inspectWaitMs = 2_000

export function openGuard(options: GuardOptions): Guard {
  const rules = readRules(options)
  const closing = new AbortController()
  const dispatcher = new GuardedDispatcher(connectorOf(rules, closing.signal))

  return {
    check: rules.check,

    async inspect(address) {
      const verdict = rules.check(address)
      if (!verdict.ok || rules.isOpen(verdict.url)) return verdict
      const host = hostOf(verdict.url)
      if (isIP(host)) return verdict
      const addresses = await resolveStranger(host, AbortSignal.timeout(inspectWaitMs)).catch(() => [])
      return addresses.every(isPublic) ? verdict : { ok: false, reason: notPublic }
    },

    dispatcher,

    async close() {
      closing.abort()
      await dispatcher.destroy()
    },
  }
}
