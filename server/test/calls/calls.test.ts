// Calls over the API, with a whole service that runs none: they stay queued.
import { randomUUID } from 'node:crypto'
import {
  CallCompleted,
  CallDetail,
  CallOverview,
  CallSummary,
  PlacedCall,
  SharedCall,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import { lastId } from '../../src/platform/retention/expiring-log.ts'
import { keepLog } from '../../src/platform/retention/keep-log.ts'
import { callLog } from '../../src/resources/calls/record/call-log.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

let service: TestService
let agentId: string
beforeAll(async () => {
  service = await openService({ PARLEY_CALL_EVENT_DELAY_SECONDS: '0' })
  agentId = await newAgent()
})
afterAll(() => service.close())

const newAgent = async (more: object = {}): Promise<string> => {
  const body = { agent_config: { agent_name: 'Ada', llm_agent: {}, ...more } }
  return (await service.ask('POST', '/agents', { body })).body.data.agent_id
}
const place = (more: object = {}, headers: Record<string, string> = {}) =>
  service.ask('POST', '/calls', {
    headers,
    body: { agent_id: agentId, to_phone_number: '+15550100', ...more },
  })
const placed = async (more: object = {}): Promise<string> => (await place(more)).body.data.session_id
const detail = (id: string) => service.ask('GET', `/call/detail/${id}`)
const stop = (id: string) => service.ask('POST', `/calls/${id}/stop`)
const list = async (query: string) => (await service.ask('GET', `/calls?${query}`)).body.data
const stranger = '99999999-9999-4999-8999-999999999999'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('placing a call', () => {
  it('answers 201 with the call, queued', async () => {
    const { status, body } = await place({ from_phone_number: '+15550199' })
    expect(status).toBe(201)
    expect(PlacedCall.parse(body.data)).toMatchObject({
      agent_id: agentId,
      call_status: 'queued',
      call_type: 'outbound',
      to_phone_number: '+15550100',
      from_phone_number: '+15550199',
      schedule_time: null,
    })
  })

  it('at a later time is scheduled', async () => {
    const schedule_time = inAnHour()
    const { status, body } = await place({ schedule_time })
    expect([status, body.data.call_status, body.data.schedule_time]).toEqual([
      201,
      'scheduled',
      schedule_time,
    ])
  })

  it('takes null for what it leaves open', async () => {
    const nothing = { schedule_time: null, from_phone_number: null, phone_number_id: null }
    const { status, body } = await place(nothing)
    expect([status, body.data.call_status]).toEqual([201, 'queued'])
    expect(body.data).toMatchObject({ schedule_time: null, from_phone_number: null })
  })

  it('at the last time there is comes back with four digits for the year', async () => {
    const { body } = await place({ schedule_time: '9999-12-31T23:59:59.9999Z' })
    expect(body.data.schedule_time).toBe('9999-12-31T23:59:59.999Z')
  })

  it.each([
    ['to_phone_number', { to_phone_number: '15550100' }],
    ['to_phone_number', { to_phone_number: '+1234567890123456' }],
    ['to_phone_number', { to_phone_number: '+12' }],
    ['to_phone_number', { to_phone_number: 'sip:nobody' }],
    ['from_phone_number', { from_phone_number: 'Ada' }],
    ['schedule_time', { schedule_time: '2020-01-01T00:00:00Z' }],
    ['schedule_time', { schedule_time: '2099-01-01T00:00:00' }],
    ['schedule_time', { schedule_time: '9999-12-31T23:59:59-23:59' }],
    ['schedule_time', { schedule_time: '9999-12-31T23:59:59-00:01' }],
    ['schedule_time', { schedule_time: '2099-01-01T00:00:00+16:00' }],
    ['phone_number_id', { from_phone_number: '+15550199', phone_number_id: randomUUID() }],
    ['agent_overrides.voice', { agent_overrides: { voice: 'x' } }],
    ['variables.name', { variables: { name: { first: 'Ada' } } }],
    ['agent_id', { agent_id: 'ada' }],
    ['nonsense', { nonsense: 1 }],
  ])('refuses a bad %s with 400', async (path, more) => {
    const { status, body } = await place(more)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((fault: { path: string }) => fault.path)).toContain(path)
  })

  it('refuses an unknown agent, and one of another workspace, with 404', async () => {
    const { status, body } = await place({ agent_id: stranger })
    expect([status, body.code, body.details[0].path]).toEqual([404, 'AGENT_NOT_FOUND', 'agent_id'])
  })

  it.each(['inactive', 'seeding'])('refuses an agent that is %s with 400 and says so', async (status) => {
    const agent_id = await newAgent({ status: 'inactive' })
    await service.database.query('UPDATE agents SET status = $2 WHERE agent_id = $1', [agent_id, status])
    const { status: answered, body } = await place({ agent_id })
    expect([answered, body.code]).toEqual([400, 'AGENT_NOT_ACTIVE'])
    expect(body.message).toContain(status)
  })

  it("refuses a language of the call's own that no voice here speaks, unless it decides nothing", async () => {
    const inGerman = { agent_overrides: { language: 'de' } }
    const { status, body } = await place(inGerman)
    expect([status, body.code]).toEqual([400, 'OPTION_NOT_SERVED'])
    expect(body.details).toMatchObject([
      { path: 'agent_overrides.language', message: expect.stringContaining('German') },
    ])
    expect((await place({ agent_overrides: { language: 'es' } })).status).toBe(201)
    const vendors = await newAgent({ synthesizer: { provider: 'elevenlabs' } })
    expect((await place({ ...inGerman, agent_id: vendors })).status).toBe(201)
    const recognised = await newAgent({ transcriber: { language: 'es' } })
    expect((await place({ ...inGerman, agent_id: recognised })).status).toBe(201)
  })

  it('refuses a phone number that does not exist with 404', async () => {
    const { status, body } = await place({ phone_number_id: randomUUID() })
    expect([status, body.code]).toEqual([404, 'PHONE_NUMBER_NOT_FOUND'])
  })

  it('twice with the same key places one call', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 5 }, () => place({}, headers)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const id = answers[0]?.body.data.session_id
    const rows = await service.database.query('SELECT 1 FROM call_events WHERE session_id = $1', [id])
    expect(rows.length).toBe(1)
  })
})

describe('the detail of a call', () => {
  it('has the keys of its event and more, and the values of the request', async () => {
    const variables = { name: 'Ada', age: 36, vip: true }
    const metadata = { order: { id: 7 } }
    const { body, status } = await detail(await placed({ variables, metadata }))
    expect(status).toBe(200)
    const call = CallDetail.parse(body.data)
    expect(call).toMatchObject({ variables, metadata, call_status: 'queued', transcript: null, usage: null })
    expect(call.recording).toEqual({ url: null, expiry: null })
    expect(call.latency.p50).toEqual({ endpointing: null, stt: null, llm: null, tts: null, total: null })
    expect(Object.keys(call)).toEqual(expect.arrayContaining(Object.keys(CallCompleted.shape.data.shape)))
  })

  it('is 404 for a call of another workspace, in the same words as for one that does not exist', async () => {
    const mine = await placed()
    await service.database.query('UPDATE calls SET workspace_id = $2 WHERE session_id = $1', [mine, stranger])
    const [theirs, nobodys] = [await detail(mine), await detail(stranger)]
    expect([theirs.status, theirs.body.code]).toEqual([404, 'CALL_NOT_FOUND'])
    expect({ ...theirs.body, request_id: '' }).toEqual({ ...nobodys.body, request_id: '' })
    expect((await stop(mine)).body.code).toBe('CALL_NOT_FOUND')
    expect((await service.ask('GET', `/calls/${mine}/events`)).body.code).toBe('CALL_NOT_FOUND')
  })
})

describe('the list of calls', () => {
  it('is newest first, and its pages contain every call once', async () => {
    const agent = await newAgent()
    const made: string[] = []
    for (let nth = 0; nth < 7; nth++) made.unshift(await placed({ agent_id: agent }))
    // The same timestamp for all: the order is still stable.
    await service.database.query('UPDATE calls SET created_at = now() WHERE agent_id = $1', [agent])
    const ids: string[] = []
    for (const page of [1, 2, 3]) {
      const { data, pagination } = await list(`agent_id=${agent}&limit=3&page=${page}`)
      ids.push(...data.map((call: object) => CallSummary.parse(call).session_id))
      expect(pagination).toMatchObject({ total: 7, total_pages: 3, has_next_page: page < 3 })
    }
    expect(ids).toEqual(made)
  })

  it.each([
    '0000-01-01T00:00:00Z',
    '0000-12-31T23:59:59-15:59',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-31T09:30:00+16:00',
    '2026-01-31T09:30:00-23:59',
  ])('refuses the time %s in from and to', async (time) => {
    const query = new URLSearchParams({ from: time, to: time })
    const { status, body } = await service.ask('GET', `/calls?${query}`)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((fault: { path: string }) => fault.path)).toEqual(['from', 'to'])
  })

  it.each([
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999Z',
    '2026-01-31T09:30:00+15:59',
    '2026-01-31T09:30:00-15:59',
    '2026-01-31T09:30:00.12345678901Z',
    '2024-02-29T00:00:00-00:00',
  ])('takes the time %s in from and to', async (time) => {
    const query = new URLSearchParams({ from: time, to: time })
    expect((await service.ask('GET', `/calls?${query}`)).status).toBe(200)
  })

  it('is filtered by agent, batch, status, type and time', async () => {
    const agent = await newAgent()
    const batch = randomUUID()
    const [first, second] = [
      await placed({ agent_id: agent }),
      await placed({ agent_id: agent, schedule_time: inAnHour() }),
    ]
    await service.database.query(
      "UPDATE calls SET batch_id = $2, call_type = 'inbound', created_at = '2026-01-02T00:00:00Z' WHERE session_id = $1",
      [first, batch],
    )
    const found = async (query: string) =>
      (await list(`agent_id=${agent}&${query}`)).data.map((call: { session_id: string }) => call.session_id)
    expect(await found('')).toEqual([second, first])
    expect(await found(`batch_id=${batch}`)).toEqual([first])
    expect(await found('call_status=scheduled')).toEqual([second])
    expect(await found('call_type=inbound')).toEqual([first])
    expect(await found('from=2026-01-02T00:00:00Z&to=2026-01-03T01:00:00%2B01:00')).toEqual([first])
    expect(await found('to=2026-01-02T00:00:00Z')).toEqual([])
    expect(await found('from=2026-01-03T00:00:00Z')).toEqual([second])
  })
})

describe('what is asked about calls', () => {
  const ended = async (more: object, end: object): Promise<string> => {
    const id = await placed({ agent_id: await newAgent(), ...more })
    const columns = Object.keys(end)
    await service.database.query(
      `UPDATE calls SET finished = true, due_at = NULL, ${columns.map((name, at) => `${name} = $${at + 2}`).join()}
      WHERE session_id = $1`,
      [id, ...Object.values(end)],
    )
    return id
  }

  it('is found by search, and counted no further than asked', async () => {
    const said = JSON.stringify([{ role: 'user', content: 'My umbrella is lost' }])
    const id = await ended({}, { call_status: 'completed', duration: 61, transcript: said })
    const found = await list('search=umbrella&min_duration=60&answered=true&count_up_to=5')
    expect([found.data[0].session_id, found.pagination.total]).toEqual([id, 1])
    expect((await list('count_up_to=1')).pagination.total).toBe(1)
    for (const query of ['answered=perhaps', 'min_duration=-1', 'search=', 'count_up_to=0', 'sentiment=bad'])
      expect((await service.ask('GET', `/calls?${query}`)).status, query).toBe(400)
  })

  it('is summed up for a period', async () => {
    await ended({}, { call_status: 'busy', duration: 0, hangup_reason: 'dial_busy' })
    const { status, body } = await service.ask('GET', '/calls/overview?timezone=Europe/Berlin')
    expect(status).toBe(200)
    const overview = CallOverview.parse(body.data)
    expect(overview.by_reason).toContainEqual({
      hangup_reason: 'dial_busy',
      calls: 1,
      answered: 0,
      minutes: 0,
    })
    expect(overview.calls).toBe(overview.series.reduce((sum, { calls }) => sum + calls, 0))
    const of = async (whose: string) =>
      CallOverview.parse((await service.ask('GET', `/calls/overview?${whose}`)).body.data)
    const [busiest] = overview.by_agent
    expect(await of(`agent_id=${busiest?.agent_id}`)).toMatchObject({
      calls: busiest?.calls,
      by_agent: [busiest],
    })
    for (const whose of ['agent_id', 'phone_number_id'])
      expect((await of(`${whose}=${randomUUID()}`)).calls, whose).toBe(0)
    for (const query of [
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
      'timezone=Nowhere',
    ])
      expect((await service.ask('GET', `/calls/overview?${query}`)).status, query).toBe(400)
  })

  it('is shared by a link that works without a key until it expires or is changed', async () => {
    const id = await placed({ variables: { secret: 'mine' } })
    const { status, body } = await service.ask('POST', `/calls/${id}/share`, { body: { hours: 1 } })
    expect(status).toBe(201)
    const { pathname, search } = new URL(body.data.url)
    const shown = await service.bare('GET', `${pathname}/data${search}`)
    expect(SharedCall.parse(shown.body.data)).toMatchObject({ session_id: id, agent_name: 'Ada' })
    expect(shown.text).not.toContain('mine')
    const later = search.replace(/expires=\d+/, 'expires=9999999999')
    expect((await service.bare('GET', `${pathname}/data${later}`)).body.code).toBe('SHARED_LINK_INVALID')
    expect((await service.ask('POST', `/calls/${id}/share`, { body: { hours: 1000 } })).status).toBe(400)
    expect((await service.ask('POST', `/calls/${stranger}/share`, { body: {} })).status).toBe(404)
  })

  it('has deliveries, or is 404', async () => {
    const deliveries = await service.ask('GET', `/calls/${await placed()}/deliveries`)
    expect([deliveries.status, deliveries.body.data]).toEqual([200, { deliveries: [] }])
    expect((await service.ask('GET', `/calls/${stranger}/deliveries`)).status).toBe(404)
  })
})

describe('stopping a call that waits', () => {
  it.each([
    ['queued', {}],
    ['scheduled', { schedule_time: inAnHour() }],
  ])('cancels one that is %s at once, with its event', async (_status, more) => {
    const id = await placed(more)
    const { status, body } = await stop(id)
    expect([status, body.data.call_status]).toEqual([200, 'canceled'])
    expect((await detail(id)).body.data).toMatchObject({
      call_status: 'canceled',
      call_terminated_by: 'api',
      hangup_reason: 'api_stopped',
      duration: 0,
      call_initiated_time: null,
    })
    const told = async () =>
      (
        await service.database.query<{ payload: string }>(
          'SELECT payload FROM events WHERE payload LIKE $1',
          [`%${id}%`],
        )
      ).map(({ payload }) => CallCompleted.parse(JSON.parse(payload)).data.call_status)
    await expect.poll(told).toEqual(['canceled'])
  })

  it('twice is 400 CALL_STATE_CONFLICT, unless the request is repeated with the same key', async () => {
    const id = await placed()
    const headers = { 'x-api-key': boundKey, 'idempotency-key': randomUUID() }
    const path = `/agent/v1/calls/${id}/stop`
    const first = await service.bare('POST', path, { headers })
    const again = await service.bare('POST', path, { headers })
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    const { status, body } = await stop(id)
    expect([status, body.code]).toEqual([400, 'CALL_STATE_CONFLICT'])
    expect(body.message).toContain('canceled')
  })
})

it('a call is deleted when its retention ends', async () => {
  const db = openDb({ connectionString: service.database.url }, 1, () => {})
  const [old, fresh, waiting] = [await placed(), await placed(), await placed()]
  for (const id of [old, fresh]) await stop(id)
  await service.database.query(
    "UPDATE calls SET created_at = now() - interval '8 days' WHERE session_id = ANY($1::uuid[])",
    [[old, waiting]],
  )
  await keepLog(db, callLog(7), lastId)
  await db.close()
  expect(await Promise.all([old, fresh, waiting].map(async (id) => (await detail(id)).status))).toEqual([
    404, 200, 200,
  ])
  const left = await service.database.query('SELECT 1 FROM call_events WHERE session_id = $1', [old])
  expect(left).toEqual([])
})
