// A short run of the crash test in faults/, and proof that its checker can fail.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiKey } from '../../../bench/service-process.ts'
import { type AgentsClient, agentsClient } from '../../../faults/agents-client.ts'
import { checkAgents } from '../../../faults/check-agents.ts'
import { killUnderWrites } from '../../../faults/kill-under-writes.ts'
import { Ledger } from '../../../faults/ledger.ts'
import { openService, type TestService } from '../support/service.ts'

it('killed three times under write load, it keeps every acknowledged agent and does nothing twice', async () => {
  const outcome = await killUnderWrites(3, () => {})
  expect(outcome).toMatchObject({ rounds: 3, databaseKills: 1, lost: 0, doubled: 0 })
  expect(outcome.stored).toBe(outcome.acknowledged)
  expect(outcome.acknowledged).toBeGreaterThan(0)
  // Without requests in flight at the kill, the test would prove nothing.
  expect(outcome.retried).toBeGreaterThan(0)
})

describe('the checker', () => {
  let service: TestService
  let client: AgentsClient
  let ledger: Ledger
  beforeEach(async () => {
    service = await openService({ PARLEY_WORKSPACE_API_KEY: apiKey })
    client = agentsClient(service.url)
    ledger = new Ledger(randomUUID)
    const key = ledger.take()
    ledger.acknowledge(key, (await client.create(key)) as string)
  })
  afterEach(async () => {
    client.close()
    await service.close()
  })

  it('accepts evidence without faults', async () => {
    expect(await checkAgents(client, ledger)).toEqual({ acknowledged: 1, stored: 1, lost: 0, doubled: 0 })
  })

  it('counts an acknowledged agent that does not exist as lost', async () => {
    ledger.acknowledge('invented', randomUUID())
    expect(await checkAgents(client, ledger)).toEqual({ acknowledged: 2, stored: 1, lost: 1, doubled: 0 })
  })

  it('counts an agent that was never acknowledged as doubled', async () => {
    await client.create('the same request under another key')
    expect(await checkAgents(client, ledger)).toEqual({ acknowledged: 1, stored: 2, lost: 0, doubled: 1 })
  })

  it('counts a key that is answered with a second agent as doubled', async () => {
    const [key] = ledger.acknowledged.values()
    ledger.acknowledge(key as string, randomUUID())
    expect(await checkAgents(client, ledger)).toMatchObject({ lost: 0, doubled: 1 })
  })
})
