// The checker of agents compares the ledger with what the service has stored.
import type { AgentsClient } from './agents-client.ts'
import type { Ledger } from './ledger.ts'

export interface Findings {
  readonly acknowledged: number
  readonly stored: number
  /** Acknowledged, but missing, or stored under another key. */
  readonly lost: number
  /** Stored without an acknowledgement of its own: a request executed twice. */
  readonly doubled: number
}

// Requests at a time: enough to keep the service busy from one process.
const readers = 16

/** Every key must have its response by now. Those before `from` are only counted, not read one by one. */
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
