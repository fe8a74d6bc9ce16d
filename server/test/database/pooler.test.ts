// A whole service behind PgBouncer in transaction mode: few connections to the server, and nothing that needs its own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { probePooler } from '../../src/platform/db/find-database.ts'
import { describeUnless } from '../props/unless.ts'
import { alike, becomes, startedBatch } from '../support/batch-fixture.ts'
import { newAgent, placeCall } from '../support/call-fixture.ts'
import { knowsNames, noPgbouncer, type Pgbouncer, startPgbouncer } from '../support/database/pgbouncer.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type ScriptedRunner, scriptedRunner } from '../support/scripted-runner.ts'
import { makeDatabase, openService, type TestDatabase, type TestService } from '../support/service.ts'

// Far fewer than the pools of the two processes.
const connections = 4

describeUnless(noPgbouncer, 'behind PgBouncer', () => {
  let database: TestDatabase
  let pgbouncer: Pgbouncer
  let receiver: Receiver
  let services: TestService[]
  let runner: ScriptedRunner
  beforeAll(async () => {
    database = await makeDatabase()
    pgbouncer = await startPgbouncer(database, { connections })
    receiver = await openReceiver()
    runner = scriptedRunner(10)
    const env = {
      DATABASE_URL: pgbouncer.url,
      PARLEY_DATABASE_SESSION_URL: database.url,
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
    }
    services = [
      await openService({ ...env, PARLEY_ROLES: 'api' }, database),
      await openService({ ...env, PARLEY_ROLES: 'worker,media' }, database, () => runner),
    ]
  })
  afterAll(async () => {
    for (const service of services ?? []) await service.close()
    await receiver?.close()
    await pgbouncer?.stop()
    await database?.close()
  })

  it('is noticed whether it keeps named statements, and what it leaves unset', async () => {
    const bare = await startPgbouncer(database, { connections: 1, bare: true })
    try {
      expect(await probePooler({ connectionString: pgbouncer.url })).toEqual({
        keepsNames: knowsNames,
        unset: [],
      })
      const { unset } = await probePooler({ connectionString: bare.url })
      expect(unset).toEqual([
        'enable_seqscan',
        'idle_in_transaction_session_timeout',
        'jit',
        'plan_cache_mode',
        'statement_timeout',
      ])
      // Nothing is left on the connection, or the second one would find its name taken.
      await probePooler({ connectionString: bare.url })
    } finally {
      await bare.stop()
    }
  })

  it('requests, calls, batches, jobs and deliveries do their work over a few connections', async () => {
    const [api] = services as [TestService]
    const subscribed = await api.ask('POST', '/webhooks', {
      body: { url: receiver.url, events: ['call.completed'] },
    })
    expect(subscribed.status, subscribed.text).toBe(201)
    const agentId = await newAgent(api)
    const batchId = await startedBatch(api, { agent_id: agentId, recipients: alike(30) })
    const most = { connections: 0 }
    const watch = setInterval(async () => {
      const [row] = await database.query<{ count: number }>(
        "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'",
      )
      most.connections = Math.max(most.connections, row?.count ?? 0)
    }, 50)
    const placed = await Promise.all(Array.from({ length: 30 }, () => placeCall(api, agentId)))
    const lists = await Promise.all(Array.from({ length: 40 }, () => api.ask('GET', '/agents')))
    expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await becomes(api, batchId, 'completed')).toMatchObject({ counts: { completed: 30 } })
    await expect.poll(() => receiver.received.length).toBe(60)
    clearInterval(watch)
    expect(new Set(placed).size).toBe(30)
    expect(runner.plans).toHaveLength(60)
    expect(most.connections).toBeLessThanOrEqual(connections)
    expect(services.flatMap(({ log }) => log).filter((line) => JSON.parse(line).level >= 40)).toEqual([])
  })
})
