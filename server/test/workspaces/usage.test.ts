// Usage: added up exactly from ended calls, priced by the workspace's own prices, and limited per day.
import { randomUUID } from 'node:crypto'
import { UsageReport } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { claimCalls } from '../../src/resources/calls/queue/backlog.ts'
import { usageSweep } from '../../src/resources/usage/work.ts'
import { newAgent, placeCall, reaches } from '../support/call-fixture.ts'
import { type ScriptedRunner, type Step, scriptedRunner } from '../support/scripted-runner.ts'
import { admin, openService, type TestService, workspaceId } from '../support/service.ts'

let service: TestService
let runner: ScriptedRunner
let agentId: string
beforeAll(async () => {
  runner = scriptedRunner(20)
  service = await openService(
    { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0', PARLEY_WORKSPACE_CONCURRENCY: '8' },
    undefined,
    () => runner,
  )
  agentId = await newAgent(service)
})
afterAll(() => service?.close())

const query = (sql: string, values: unknown[] = []) =>
  service.database.query<Record<string, unknown>>(sql, values)

/** A call of ninety seconds, heard by deepgram, said by elevenlabs and thought by two models. */
const busyCall: Step = {
  type: 'outcome',
  outcome: {
    durationSeconds: 90,
    usage: {
      sttSeconds: 60,
      llmInputTokens: 2_000_000,
      llmOutputTokens: 500_000,
      ttsCharacters: 4_000,
      models: [],
    },
    engines: [
      { part: 'transcriber', asked: null, used: 'deepgram', why: null },
      { part: 'synthesizer', asked: null, used: 'elevenlabs', why: null },
      { part: 'language-model', asked: null, used: 'gpt-4o-mini', why: null },
    ],
  },
}

const unanswered: Step = {
  type: 'outcome',
  outcome: {
    status: 'no-answer',
    durationSeconds: 0,
    usage: { sttSeconds: 0, llmInputTokens: 0, llmOutputTokens: 0, ttsCharacters: 0, models: [] },
  },
}

async function call(script: readonly Step[] = [busyCall], agent = agentId): Promise<string> {
  const sessionId = await placeCall(service, agent, { script })
  await reaches(service, sessionId, 'completed', 'no-answer')
  return sessionId
}

const usage = async (search = ''): Promise<UsageReport> => {
  const reply = await service.ask('GET', `/usage${search}`)
  expect(reply.status, reply.text).toBe(200)
  return UsageReport.parse(reply.body.data)
}

const usageBy = (group: string) => usage(`?group_by=${group}`)

const set = (change: Record<string, unknown>) => {
  const names = Object.keys(change)
  const values = Object.values(change).map((value) =>
    typeof value === 'object' && value ? JSON.stringify(value) : value,
  )
  return query(
    `UPDATE workspaces SET ${names.map((name, at) => `${name} = $${at + 2}`).join()} WHERE workspace_id = $1`,
    [workspaceId, ...values],
  )
}

const prices = {
  currency: 'EUR',
  rows: [
    { part: 'transcriber', name: 'deepgram', per_minute: 0.006 },
    { part: 'synthesizer', name: '*', per_million_characters: 100 },
    {
      part: 'language-model',
      name: 'gpt-4o-mini',
      per_million_input_tokens: 0.15,
      per_million_output_tokens: 0.6,
    },
  ],
}
// 60 s heard, 4,000 characters, 2 M and 0.5 M tokens; the line of the sandbox costs nothing.
const costOfCall = 0.006 + 0.4 + 0.3 + 0.3

async function withDb<T>(run: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb({ connectionString: service.database.url }, 2, () => {})
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

const fold = async () => {
  await withDb((db) => usageSweep(db).run())
  // The service's own sweep may have been faster, and still be working.
  await expect.poll(async () => (await query('SELECT 1 FROM usage_entries')).length).toBe(0)
}

describe('what was used', () => {
  it('is nothing at first, with every day of the time that was asked for', async () => {
    const report = await usage('?from=2026-01-30&to=2026-02-01')
    expect(report.totals).toMatchObject({ calls: 0, minutes: 0, cost: null })
    expect(report.data.map(({ key }) => key)).toEqual(['2026-02-01', '2026-01-31', '2026-01-30'])
  })

  it('is counted with the end of the call, without prices as unpriced', async () => {
    await call()
    expect((await usage()).totals).toEqual({
      calls: 1,
      connected_calls: 1,
      duration_seconds: 90,
      minutes: 1.5,
      stt_seconds: 60,
      tts_characters: 4_000,
      llm_input_tokens: 2_000_000,
      llm_output_tokens: 500_000,
      cost: null,
      unpriced_calls: 1,
    })
  })

  it('is the same before and after it is folded, and when records are deleted', async () => {
    await call([unanswered])
    const before = await usage()
    expect(before.status_counts).toMatchObject({ completed: 1, 'no-answer': 1 })
    await fold()
    expect(await usage()).toEqual(before)
    await query('DELETE FROM calls')
    expect(await usage()).toEqual(before)
  })

  it('follows a call whose record says more after its end', async () => {
    const sessionId = await call()
    const before = (await usage()).totals
    await query(
      `UPDATE calls SET usage = (usage::jsonb || '{"llm_input_tokens": 2000100, "models": [{"provider": "x", "model": "a", "input_tokens": 2000000, "output_tokens": 500000}, {"provider": "x", "model": "b", "input_tokens": 100, "output_tokens": 0}]}')::json
       WHERE session_id = $1`,
      [sessionId],
    )
    const after = (await usage()).totals
    expect(after).toEqual({ ...before, llm_input_tokens: before.llm_input_tokens + 100 })
    const { data } = await usage('?group_by=vendor')
    expect(data.find(({ key }) => key === 'x/b')).toMatchObject({
      part: 'language-model',
      llm_input_tokens: 100,
      calls: 1,
    })
  })

  it('counts calls that ended before there was a count', async () => {
    const { calls } = (await usage()).totals
    await query('ALTER TABLE calls DISABLE TRIGGER calls_count')
    await call()
    await query('ALTER TABLE calls ENABLE TRIGGER calls_count')
    expect((await usage()).totals.calls).toBe(calls)
    await fold()
    expect((await usage()).totals.calls).toBe(calls + 1)
  })
})

describe('groups', () => {
  it('of agents, batches, numbers and vendors add up, with names', async () => {
    const other = await newAgent(service, { agent_name: 'Bo' })
    await call([busyCall], other)
    const { totals } = await usage()
    for (const group of ['agent', 'batch', 'number']) {
      const { data } = await usage(`?group_by=${group}`)
      expect(data.reduce((sum, row) => sum + row.calls, 0)).toBe(totals.calls)
    }
    const { data } = await usage('?group_by=agent')
    expect(data.find(({ key }) => key === other)).toMatchObject({ name: 'Bo', calls: 1, minutes: 1.5 })
    expect((await usage('?group_by=batch')).data).toMatchObject([{ key: null, name: null }])
    expect((await usage(`?agent_id=${other}`)).totals.calls).toBe(1)
    expect((await usage(`?group_by=vendor&agent_id=${other}`)).data).toMatchObject(
      [
        ['deepgram', 'transcriber'],
        ['elevenlabs', 'synthesizer'],
        ['gpt-4o-mini', 'language-model'],
        ['sandbox', 'line'],
      ]
        .toSorted()
        .map(([key, part]) => ({ key, part, calls: 1 }))
        .toSorted((a, b) => `${a.part}`.localeCompare(`${b.part}`)),
    )
  })

  it('are paged, and days are in the time zone that was asked for', async () => {
    await query(`UPDATE usage_entries SET at = '2026-03-28T20:00Z'`)
    await query('DELETE FROM usage_rollups')
    await fold()
    const inIndia = await usage('?from=2026-03-28&to=2026-03-29&timezone=Asia/Kolkata')
    expect(inIndia.from).toBe('2026-03-27T18:30:00.000Z')
    expect(inIndia.data).toMatchObject([
      { key: '2026-03-29', calls: inIndia.totals.calls },
      { key: '2026-03-28', calls: 0 },
    ])
    const second = await usage('?from=2026-03-28&to=2026-03-29&page=2&limit=1')
    expect(second.data).toMatchObject([{ key: '2026-03-28', calls: inIndia.totals.calls }])
    expect(second.pagination).toMatchObject({ total: 2, has_next_page: false })
  })

  it('as CSV have all rows, by format or by Accept', async () => {
    const asked = await service.ask('GET', '/usage?from=2026-03-01&to=2026-03-28&format=csv&limit=1')
    expect(asked.headers.get('content-type')).toContain('text/csv')
    const lines = asked.text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(29)
    expect(lines[0]).toBe(
      'day,name,part,calls,connected_calls,duration_seconds,minutes,stt_seconds,tts_characters,llm_input_tokens,llm_output_tokens,cost,unpriced_calls,currency',
    )
    const accepted = await service.ask('GET', '/usage?from=2026-03-01&to=2026-03-28', {
      headers: { accept: 'text/csv' },
    })
    expect(accepted.text).toBe(asked.text)
    const both = await service.ask('GET', '/usage', { headers: { accept: 'application/json, text/csv' } })
    expect(both.body.status).toBe('success')
  })

  it.each([
    ['?from=2026-02-02&to=2026-02-01', 'to'],
    ['?from=2020-01-01', 'from'],
    ['?from=yesterday', 'from'],
    ['?timezone=Mars/Olympus', 'timezone'],
    ['?group_by=moon', 'group_by'],
  ])('%s is refused by its field', async (search, path) => {
    const reply = await service.ask('GET', `/usage${search}`)
    expect([reply.status, reply.body.details[0].path]).toEqual([400, path])
  })

  it('of another workspace are not seen', async () => {
    const elsewhere = randomUUID()
    await query('UPDATE usage_rollups SET workspace_id = $1', [elsewhere])
    await query('DELETE FROM usage_entries')
    expect((await usage('?from=2026-03-28&to=2026-03-28')).totals.calls).toBe(0)
  })
})

describe('costs', () => {
  it('are those of the prices at the end of the call; what has no price is told', async () => {
    await set({ prices })
    await call()
    expect((await usage()).totals).toMatchObject({ cost: costOfCall, unpriced_calls: 0 })
    await set({ prices: { ...prices, rows: prices.rows.slice(1) } })
    await call()
    expect((await usage()).totals).toMatchObject({ calls: 2, cost: costOfCall, unpriced_calls: 1 })
    const { data, currency } = await usage('?group_by=vendor')
    expect(currency).toBe('EUR')
    expect(data.find(({ key }) => key === 'deepgram')).toMatchObject({ cost: 0.006, unpriced_calls: 1 })
    expect((await service.ask('GET', '/usage/prices')).body.data).toEqual({
      ...prices,
      rows: prices.rows.slice(1),
    })
  })

  it('are in the record of the call, part by part, and stay when prices change', async () => {
    await set({ prices })
    const sessionId = await call()
    const record = async () => (await service.ask('GET', `/call/detail/${sessionId}`)).body.data
    const { cost } = await record()
    const tokens = { input_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0 }
    const none = { seconds: 0, characters: 0, ...tokens }
    expect(cost).toEqual({
      currency: 'EUR',
      amount: costOfCall,
      parts: [
        { ...none, part: 'transcriber', name: 'deepgram', seconds: 60, cost: 0.006 },
        { ...none, part: 'synthesizer', name: 'elevenlabs', characters: 4_000, cost: 0.4 },
        {
          ...none,
          part: 'language-model',
          name: 'gpt-4o-mini',
          cost: 0.6,
          input_tokens: 2_000_000,
          output_tokens: 500_000,
        },
        { ...none, part: 'line', name: 'sandbox', seconds: 90, cost: 0 },
      ],
    })
    const { totals: before } = await usage()
    await set({ prices: { ...prices, rows: prices.rows.slice(1) } })
    expect((await record()).cost).toEqual(cost)
    // Its analysis has used something more: what was counted is taken back, not what it would be now.
    await query(
      `UPDATE calls SET usage = (usage::jsonb || '{"tts_characters": 4001}')::json WHERE session_id = $1`,
      [sessionId],
    )
    expect((await record()).cost).toMatchObject({ amount: null })
    const { totals: after } = await usage()
    expect(Number(before.cost) - Number(after.cost)).toBeCloseTo(costOfCall)
    expect(after.unpriced_calls).toBe(before.unpriced_calls + 1)
    const unknown = await call([unanswered])
    expect((await service.ask('GET', `/call/detail/${unknown}`)).body.data.cost).toEqual({
      currency: 'EUR',
      amount: 0,
      parts: [],
    })
  })

  it('of speech are those of each engine that worked, for what it was given', async () => {
    await set({
      prices: {
        ...prices,
        rows: [...prices.rows, { part: 'transcriber', name: 'moonshine', per_minute: 0 }],
      },
    })
    const speech = [
      { part: 'transcriber', name: 'deepgram', seconds: 30, characters: 0 },
      { part: 'transcriber', name: 'moonshine', seconds: 30, characters: 0 },
      { part: 'synthesizer', name: 'elevenlabs', seconds: 0, characters: 1_000 },
    ] as const
    const used = {
      sttSeconds: 60,
      llmInputTokens: 0,
      llmOutputTokens: 0,
      ttsCharacters: 4_000,
      models: [],
      speech,
    }
    const { totals: before } = await usage()
    await call([{ type: 'outcome', outcome: { durationSeconds: 60, usage: used } }])
    const { totals } = await usage()
    expect(Number(totals.cost) - Number(before.cost)).toBeCloseTo(0.103)
    expect(totals.unpriced_calls).toBe(before.unpriced_calls)
    expect((await service.ask('GET', '/usage/prices/public')).body.data).toMatchObject({ currency: 'USD' })
  })

  it('of a model are those of its vendor, else of the model, with prices of their own for tokens that are kept', async () => {
    const model = (provider: string, cachedTokens: number) => ({
      provider,
      model: 'm',
      requests: 1,
      abortedRequests: 0,
      inputTokens: 1_000_000,
      outputTokens: 0,
      cachedTokens,
      cacheWriteTokens: 100_000,
    })
    const row = { part: 'language-model', per_million_output_tokens: 1 }
    const rows = [
      {
        ...row,
        name: 'm',
        per_million_input_tokens: 10,
        per_million_cached_tokens: 1,
        per_million_cache_write_tokens: 12,
      },
      { ...row, name: 'near/m', per_million_input_tokens: 3 },
    ]
    await set({ prices: { currency: 'EUR', rows } })
    const models = [model('far', 500_000), model('near', 500_000)]
    const usage = { sttSeconds: 0, llmInputTokens: 2_000_000, llmOutputTokens: 0, ttsCharacters: 0, models }
    await call([{ type: 'outcome', outcome: { durationSeconds: 1, usage } }])
    const { data } = await usageBy('vendor')
    expect(data.find(({ key }) => key === 'far/m')?.cost).toBe(4 + 0.5 + 1.2)
    expect(data.find(({ key }) => key === 'near/m')?.cost).toBe(2.9)
    await set({ prices })
  })
})

describe('limits of a day', () => {
  const place = () =>
    service.ask('POST', '/calls', { body: { agent_id: agentId, to_phone_number: '+15550100' } })
  const notices = async () => (await service.ask('GET', '/workspace/notices')).body.data.data

  it('on minutes stop new calls with a clear error, and let running ones go on', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    runner.mayEnd = promise
    const running = await placeCall(service, agentId)
    await expect.poll(() => runner.live.size).toBe(1)
    await set({ minutes_per_day: 3 })
    const refused = await place()
    expect([refused.status, refused.body.code]).toEqual([400, 'MINUTES_PER_DAY_REACHED'])
    const web = await service.ask('POST', '/calls/web', { body: { agent_id: agentId } })
    expect(web.body.code).toBe('MINUTES_PER_DAY_REACHED')
    resolve()
    runner.mayEnd = Promise.resolve()
    expect(await reaches(service, running, 'completed')).toMatchObject({ call_status: 'completed' })
    const limits = (await service.ask('GET', '/usage/limits')).body.data
    expect(limits).toMatchObject({ minutes_per_day: { limit: 3, remaining: 0 }, reached: 'minutes_per_day' })
    expect(await notices()).toMatchObject([
      { kind: 'minutes_per_day', limit: 3, message: expect.stringContaining('3 minutes') },
    ])
  })

  it('let the calls of a batch wait instead of using up its recipients', async () => {
    const recipients = [{ to_phone_number: '+15550111' }, { to_phone_number: '+15550112' }]
    const body = { name: 'Waits', agent_id: agentId, recipients }
    const { batch_id: id } = (await service.ask('POST', '/batch-calls', { body })).body.data
    await service.ask('POST', `/batch-calls/${id}/execute`)
    const waiting = () => query('SELECT 1 FROM calls WHERE batch_id = $1 AND due_at IS NOT NULL', [id])
    await expect.poll(async () => (await waiting()).length).toBe(2)
    const claiming = { claimantId: 1, workspaceId, most: 9, perWorkspace: 9, perNumber: 9 }
    expect(await withDb((db) => claimCalls(db, claiming))).toEqual([])
    await set({ minutes_per_day: null })
    await query('NOTIFY calls')
    const batch = async () => (await service.ask('GET', `/batch-calls/${id}`)).body.data
    await expect.poll(async () => (await batch()).status).toBe('completed')
    const statuses = await query('SELECT status, attempts FROM batch_recipients WHERE batch_id = $1', [id])
    expect(statuses).toEqual(Array(2).fill({ status: 'completed', attempts: 1 }))
  })

  it('on cost do the same', async () => {
    await set({ cost_per_day: 0.5 })
    const refused = await place()
    expect([refused.status, refused.body.code]).toEqual([400, 'COST_PER_DAY_REACHED'])
    expect((await notices())[0]).toMatchObject({ kind: 'cost_per_day', limit: 0.5 })
    await set({ cost_per_day: null })
    expect((await place()).status).toBe(201)
  })

  it('are set by an administrator', async () => {
    const login = await service.bare('POST', '/dashboard/api/session', { body: admin })
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] as string
    const headers = { cookie, 'x-csrf-token': login.body.data.csrf_token }
    const change = { minutes_per_day: 100, cost_per_day: 2.5, memory_days: 30, prices }
    const path = `/dashboard/api/workspaces/${workspaceId}`
    const reply = await service.bare('PATCH', path, { headers, body: change })
    expect(reply.body.data).toMatchObject(change)
    const wrong = { prices: { currency: 'euro', rows: [{ part: 'line', name: '*' }] } }
    const refused = await service.bare('PATCH', path, { headers, body: wrong })
    expect(refused.status).toBe(400)
    const limits = await service.bare('GET', `${path}/usage/limits`, { headers })
    expect(limits.body.data).toMatchObject({ minutes_per_day: { limit: 100 }, cost_per_day: { limit: 2.5 } })
    await set({ minutes_per_day: null, cost_per_day: null })
  })
})

it('says how many calls there are at once, and how many there have been', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  runner.mayEnd = promise
  await Promise.all(Array.from({ length: 3 }, () => placeCall(service, agentId)))
  await expect.poll(() => runner.live.size).toBe(3)
  const concurrency = async () => (await service.ask('GET', '/usage/concurrency')).body.data
  expect(await concurrency()).toMatchObject({ limit: 8, in_use: 3, remaining: 5 })
  resolve()
  runner.mayEnd = Promise.resolve()
  await expect.poll(async () => (await concurrency()).in_use).toBe(0)
  expect((await concurrency()).peak.calls).toBeGreaterThanOrEqual(3)
  await set({ max_concurrency: 2 })
  expect(await concurrency()).toMatchObject({ limit: 2, remaining: 2 })
})
