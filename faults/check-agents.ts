// The checker: holds the promises of the ledger against what the service has.
import type { AgentsClient } from './agents-client.ts'
import type { Ledger } from './ledger.ts'

export interface Findings {
  readonly acknowledged: number
  readonly stored: number
  /** Acknowledged, but not there, or there under another key. */
  readonly lost: number
  /** There without a promise of its own: a request that was carried out twice. */
  readonly doubled: number
}

// Enough to keep the service busy from one process.
const readers = 16

/** Every key must have its answer by now. Promises before `from` are only counted, not asked for one by one. */
export async function checkAgents(client: AgentsClient, ledger: Ledger, from = 0): Promise<Findings> {
  const promises = [...ledger.acknowledged].slice(from).values()
  let lost = 0
  const read = async () => {
    for (const [agentId, key] of promises) if ((await client.nameOf(agentId)) !== key) lost++
  }
  await Promise.all(Array.from({ length: readers }, read))
  const acknowledged = ledger.acknowledged.size
  const stored = await client.count()
  const unpromised = Math.max(0, stored - (acknowledged - lost))
  return { acknowledged, stored, lost, doubled: Math.max(unpromised, ledger.contradicted.length) }
}
