// Clients that create agents as fast as they are answered, and repeat requests without a response.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentsClient } from './agents-client.ts'
import type { Ledger } from './ledger.ts'

// Writers at a time: more than one core serves, so that every step of the pipeline has requests in progress at the kill.
const writers = 16
// The pause before a retry: an immediate one would fail the same way.
const pauseMs = 20
const settleTimeoutMs = 30_000

export interface AgentWriters {
  /** Resolves when every writer has its response, or knows that there will be none. */
  stop(): Promise<void>
}

export function startWriting(client: AgentsClient, ledger: Ledger): AgentWriters {
  let stopping = false
  const write = async () => {
    while (!stopping) if (!(await askOnce(client, ledger, ledger.take()))) await sleep(pauseMs)
  }
  const running = Promise.all(Array.from({ length: writers }, write))
  // A rejection is rethrown by stop().
  running.catch(() => {})
  return {
    async stop() {
      stopping = true
      await running
    },
  }
}

/** Repeats every unanswered key until it has a response. */
export async function settle(client: AgentsClient, ledger: Ledger): Promise<void> {
  const giveUpAt = Date.now() + settleTimeoutMs
  for (let key = ledger.takeUnanswered(); key !== undefined; key = ledger.takeUnanswered()) {
    if (await askOnce(client, ledger, key)) continue
    if (Date.now() > giveUpAt) throw new Error('a request is not answered although the service is up')
    await sleep(pauseMs)
  }
}

/** Repeats acknowledged requests: the response must be the same agent. */
export async function askAgain(client: AgentsClient, ledger: Ledger, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => askOnce(client, ledger, key)))
}

async function askOnce(client: AgentsClient, ledger: Ledger, key: string): Promise<boolean> {
  const agentId = await client.create(key)
  if (agentId === undefined) ledger.giveBack(key)
  else ledger.acknowledge(key, agentId)
  return agentId !== undefined
}
