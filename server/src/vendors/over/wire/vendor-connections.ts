// HTTP connections to vendors, kept open between the requests of a call, which are seconds apart.
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'

const keepAliveTimeout = 60_000

const trusted = new Agent({ keepAliveTimeout })
const guarded = new WeakMap<LookupFunction, Agent>()

/** `lookup`: resolves to public addresses only, where a user chose the address. */
export function vendorConnections(lookup: LookupFunction | undefined): Agent {
  if (!lookup) return trusted
  const known = guarded.get(lookup)
  if (known) return known
  const agent = new Agent({ keepAliveTimeout, connect: { lookup } })
  guarded.set(lookup, agent)
  return agent
}
