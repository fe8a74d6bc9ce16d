// The client library against the real service.
import { Parley, ParleyError } from '@parley/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundKey, openService, type TestService, unboundKey, workspaceId } from '../support/service.ts'

let service: TestService
let parley: Parley
beforeAll(async () => {
  service = await openService()
  parley = new Parley({ baseUrl: `${service.url}/agent/v1/`, apiKey: boundKey })
})
afterAll(() => service.close())

describe('agents', () => {
  it('are created, read, changed, listed and deleted', async () => {
    const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
    expect((await parley.agents.get(agent_id)).agent_config.task_config.call_terminate).toBe(300)
    expect(
      (await parley.agents.update(agent_id, { agent_prompt: 'Be brief.' })).agent_config.agent_prompt,
    ).toBe('Be brief.')
    const { data, pagination } = await parley.agents.list({ limit: 1 })
    expect([data[0]?.agent_id, pagination.limit]).toEqual([agent_id, 1])
    expect(await parley.agents.delete(agent_id)).toEqual({ agent_id, deleted: true })
  })

  it('are iterated page by page', async () => {
    await service.database.query('TRUNCATE agents CASCADE')
    await service.database.query(
      `INSERT INTO agents (agent_id, workspace_id, status, config)
       SELECT gen_random_uuid(), $1, 'active', '{"agent_name":"x","llm_agent":{},"agent_type":"other","agent_prompt":"","task_config":{}}'
       FROM generate_series(1, 205)`,
      [workspaceId],
    )
    const ids = new Set<string>()
    for await (const { agent_id } of parley.agents.all()) ids.add(agent_id)
    expect(ids.size).toBe(205)
  })
})

describe('webhooks', () => {
  it('are created, changed, tested, rotated, listed and deleted', async () => {
    const made = await parley.webhooks.create({
      url: 'https://hooks.example.com/x',
      events: ['call.completed'],
    })
    const id = made.webhook_id
    expect(made.secret).toMatch(/^whsec_/)
    expect((await parley.webhooks.update(id, { description: 'mine' })).description).toBe('mine')
    expect((await parley.webhooks.test(id)).status).toBe('failed')
    expect((await parley.webhooks.rotateSecret(id)).secret).not.toBe(made.secret)
    const { data } = await parley.webhooks.deliveries(id, { status: 'failed' })
    const [delivery] = data
    expect((await parley.webhooks.delivery(id, delivery?.delivery_id ?? '')).payload.type).toBe(
      'call.completed',
    )
    const again = await parley.webhooks.replay(id, delivery?.delivery_id ?? '')
    expect(again.event_id).toBe(delivery?.event_id)
    expect((await parley.webhooks.get(id)).last_delivery?.delivery_id).toBe(again.delivery_id)
    expect((await parley.webhooks.list({ status: 'active' })).pagination.total).toBe(1)
    expect((await parley.webhooks.delete(id)).deleted).toBe(true)
  })
})

describe('calls', () => {
  it('from a browser get a token to join with', async () => {
    const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
    const { session_id, url, token } = await parley.calls.startWeb({ agent_id, variables: { name: 'Ada' } })
    expect([url.endsWith('/talk/line'), token.startsWith('web_')]).toEqual([true, true])
    expect(await parley.calls.get(session_id)).toMatchObject({ call_type: 'web', variables: { name: 'Ada' } })
  })

  it('are placed, listed, read, watched to their end and stopped', async () => {
    const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
    const placed = await parley.calls.place({ agent_id, to_phone_number: '+15550100' })
    const { data } = await parley.calls.list({ agent_id, call_status: 'queued' })
    expect(data.map(({ session_id }) => session_id)).toEqual([placed.session_id])
    const seen: string[] = []
    for await (const { id, type, data } of parley.calls.watch(placed.session_id)) {
      seen.push(`${id} ${type} ${'call_status' in data && data.call_status}`)
      if (type === 'status') expect((await parley.calls.stop(placed.session_id)).call_status).toBe('canceled')
    }
    expect(seen).toEqual(['1 status queued', '2 ended canceled'])
    expect((await parley.calls.get(placed.session_id)).hangup_reason).toBe('api_stopped')
    await expect(parley.calls.stop(placed.session_id)).rejects.toMatchObject({ code: 'CALL_STATE_CONFLICT' })
  })

  it('are watched across a lost connection, without duplicate events', async () => {
    const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
    const { session_id } = await parley.calls.place({ agent_id, to_phone_number: '+15550100' })
    let cut = false
    const client = new Parley({
      baseUrl: `${service.url}/agent/v1`,
      apiKey: boundKey,
      async fetch(url, init) {
        const answer = await fetch(url, init)
        if (cut) return answer
        cut = true
        // The first event arrives, then the connection is lost.
        const first = 'id: 1\nevent: status\ndata: {"at":"2026-01-01T00:00:00Z","call_status":"queued"}\n\n'
        await answer.body?.cancel()
        return new Response(first, { headers: answer.headers })
      },
    })
    await parley.calls.stop(session_id)
    const seen: number[] = []
    for await (const { id } of client.calls.watch(session_id)) seen.push(id)
    expect(seen).toEqual([1, 2])
  })

  it('are no longer watched after an abort', async () => {
    const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
    const { session_id } = await parley.calls.place({ agent_id, to_phone_number: '+15550100' })
    const enough = new AbortController()
    let seen = 0
    for await (const _ of parley.calls.watch(session_id, { signal: enough.signal })) {
      seen++
      enough.abort()
    }
    expect(seen).toBe(1)
  })
})

describe('a refusal', () => {
  it('throws an error that names the field', async () => {
    const refused = parley.agents.create({ agent_name: '', llm_agent: {} })
    await expect(refused).rejects.toBeInstanceOf(ParleyError)
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: [{ path: 'agent_config.agent_name' }],
      requestId: expect.any(String),
    })
  })

  it('for a missing workspace is resolved by naming one', async () => {
    const options = { baseUrl: `${service.url}/agent/v1`, apiKey: unboundKey }
    await expect(new Parley(options).agents.list()).rejects.toMatchObject({ status: 411 })
    expect((await new Parley({ ...options, workspaceId }).agents.list()).pagination.page).toBe(1)
  })
})

describe('a transient failure', () => {
  /** Fails after the service has answered: the worst moment for a client. */
  const flaky = (failures: (Response | Error)[]): typeof fetch => {
    return async (url, init) => {
      const answer = await fetch(url, init)
      const failure = failures.shift()
      if (failure instanceof Error) throw failure
      return failure ?? answer
    }
  }
  const count = async () =>
    (await service.database.query<{ n: number }>('SELECT count(*)::int AS n FROM agents'))[0]?.n ?? 0

  it.each([
    ['a lost connection', () => new TypeError('fetch failed')],
    ['a 500', () => Response.json({}, { status: 500 })],
    ['a 429', () => Response.json({}, { status: 429, headers: { 'retry-after': '0' } })],
  ])('such as %s is retried and creates only one agent', async (_what, failure) => {
    const before = await count()
    const client = new Parley({
      baseUrl: `${service.url}/agent/v1`,
      apiKey: boundKey,
      fetch: flaky([failure(), failure()]),
    })
    await client.agents.create({ agent_name: 'once', llm_agent: {} })
    expect(await count()).toBe(before + 1)
  })

  it('that persists is reported in the end', async () => {
    const client = new Parley({
      baseUrl: `${service.url}/agent/v1`,
      apiKey: boundKey,
      maxRetries: 1,
      fetch: flaky([new TypeError('gone'), new TypeError('gone for good')]),
    })
    await expect(client.agents.list()).rejects.toThrow('gone for good')
  })
})

describe('batches', () => {
  it('are created from JSON and CSV, read, changed, started and deleted', async () => {
    const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
    const recipients = [{ to_phone_number: '+15550100', variables: { day: 'Monday' } }]
    const { batch_id } = await parley.batches.create({ name: 'One', agent_id, recipients })
    const csv = 'to_phone_number,day\n+15550100,Monday\n+15550101,Tuesday\n'
    const retry_config = { max_retries: 3 }
    const other = await parley.batches.createFromCsv({ name: 'Two', agent_id, retry_config }, csv)
    expect(other.recipient_count).toBe(2)
    expect((await parley.batches.get(other.batch_id)).retry_config?.max_retries).toBe(3)
    expect((await parley.batches.list({ agent_id })).data.map(({ name }) => name)).toEqual(['Two', 'One'])
    const [first] = (await parley.batches.recipients(batch_id)).data
    expect(first).toMatchObject({ status: 'pending', variables: { day: 'Monday' } })
    expect((await parley.batches.update(batch_id, { max_concurrency: 2 })).max_concurrency).toBe(2)
    for (const move of ['execute', 'pause', 'resume', 'cancel'] as const)
      expect(await parley.batches[move](batch_id)).toMatch(/^The batch/)
    await expect(parley.batches.pause(batch_id)).rejects.toMatchObject({ code: 'BATCH_STATE_CONFLICT' })
    const told = []
    for await (const { type, data } of parley.batches.watch(batch_id)) told.push([type, data.status])
    expect(told).toEqual([['ended', 'cancelled']])
    expect(await (await parley.batches.results(batch_id)).text()).toContain('+15550100')
    expect(await parley.batches.delete(batch_id)).toEqual({ batch_id, deleted: true })
  })
})
