// Creating batches from JSON: what is stored, and what is refused.
import { randomUUID } from 'node:crypto'
import { CreatedBatch, limits, Recipient } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBatch, newBatch, recipients, recipientsOf, storedIn } from '../support/batch-fixture.ts'
import { newAgent } from '../support/call-fixture.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let agentId: string
beforeAll(async () => {
  service = await openService({ PARLEY_ROLES: 'api' })
  agentId = await newAgent(service)
})
afterAll(() => service.close())

const stranger = '99999999-9999-4999-8999-999999999999'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const create = (more: object = {}) =>
  createBatch(service, { agent_id: agentId, recipients: recipients(3), ...more })
const stored = () => storedIn(service.database)

describe('creating a batch', () => {
  it('stores the recipients and places no call', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(CreatedBatch.parse(body.data)).toEqual({
      batch_id: expect.any(String),
      name: 'Reminders',
      agent_id: agentId,
      status: 'created',
      recipient_count: 3,
      schedule_id: null,
      schedule_time: null,
    })
    expect(await service.database.query('SELECT 1 FROM calls')).toEqual([])
  })

  it('with a start time schedules it', async () => {
    const schedule_time = inAnHour()
    const { data } = (await create({ schedule_time })).body
    expect(data).toMatchObject({
      status: 'scheduled',
      schedule_time,
      schedule_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('takes null for what it leaves open', async () => {
    const nothing = {
      schedule_time: null,
      from_phone_number: null,
      phone_number_id: null,
      max_concurrency: null,
      calling_window: null,
      retry_config: null,
    }
    const id = await newBatch(service, {
      agent_id: agentId,
      recipients: [{ to_phone_number: '+15550100', name: null, timezone: null }],
      ...nothing,
    })
    const { phone_number_id: _, ...answered } = nothing
    const { body } = await service.ask('GET', `/batch-calls/${id}`)
    expect(body.data).toMatchObject({ status: 'created', ...answered })
    expect((await recipientsOf(service, id))[0]).toMatchObject({ name: null, timezone: null })
  })

  it('stores every field of every recipient', async () => {
    const given = {
      to_phone_number: '+15550142',
      recipient_id: 'tab\tand \\ and "quote"',
      name: 'Zoë\nÅ',
      variables: { amount: 3.5, 'back\\slash': 'line\nfeed', vip: true },
      timezone: 'europe/paris',
      metadata: { deep: { er: [1, null] } },
    }
    const id = await newBatch(service, {
      agent_id: agentId,
      recipients: [given, { to_phone_number: '+15550100' }],
    })
    const [first, second] = (await recipientsOf(service, id)).map((row: object) => Recipient.parse(row))
    expect(first).toMatchObject({
      ...given,
      row: 1,
      timezone: 'Europe/Paris',
      status: 'pending',
      attempts: 0,
    })
    expect(second).toMatchObject({ row: 2, name: null, timezone: null, variables: {}, session_id: null })
    expect(second.recipient_id).not.toBe('')
  })

  it.each([
    ['name', { name: '' }],
    ['agent_id', { agent_id: 'ada' }],
    ['recipients', { recipients: [] }],
    ['recipients', { recipients: 'all of them' }],
    ['recipients', { recipients: undefined }],
    ['schedule_time', { schedule_time: '2020-01-01T00:00:00Z' }],
    ['schedule_time', { schedule_time: '2099-01-01T00:00:00' }],
    ['schedule_time', { schedule_time: '9999-12-31T23:59:59-23:59' }],
    ['max_concurrency', { max_concurrency: 0 }],
    [
      'calling_window.timezone',
      { calling_window: { timezone: 'Mars/Base', start_time: '09:00', end_time: '10:00' } },
    ],
    ['calling_window.end_time', { calling_window: { start_time: '09:00', end_time: '09:00' } }],
    ['retry_config.retry_on.0', { retry_config: { retry_on: ['completed'] } }],
    ['phone_number_id', { from_phone_number: '+15550199', phone_number_id: randomUUID() }],
    ['nonsense', { nonsense: 1 }],
  ])('refuses a bad %s with 400 and stores nothing', async (path, more) => {
    const before = await stored()
    const { status, body } = await create(more)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((fault: { path: string }) => fault.path)).toContain(path)
    expect(await stored()).toEqual(before)
  })

  it('names every invalid row with its number and field, and stores nothing', async () => {
    const before = await stored()
    const list = recipients(5)
    Object.assign(list[1] as object, { to_phone_number: '12' })
    Object.assign(list[3] as object, { recipient_id: 'r0', surprise: 1 })
    Object.assign(list[4] as object, { recipient_id: 'r2', timezone: 'Nowhere' })
    const { status, body } = await create({
      recipients: [...list, { recipient_id: 'r2', to_phone_number: '+15550100' }],
    })
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details).toEqual([
      { path: 'recipients.1.to_phone_number', message: expect.stringMatching(/^Row 2: /) },
      { path: 'recipients.3.surprise', message: 'Row 4: This key is not part of the interface.' },
      { path: 'recipients.4.timezone', message: 'Row 5: Must be a time zone, such as Europe/Paris.' },
      { path: 'recipients.5.recipient_id', message: 'Row 6: Is the same as in row 3.' },
    ])
    expect(await stored()).toEqual(before)
  })

  it('lists every error of the first hundred invalid rows', async () => {
    const list = recipients(5_000, (place) => (place % 2 ? { to_phone_number: 'x', name: 7 } : {}))
    const { body } = await create({ recipients: list })
    expect(body.message).toContain('first 100 faulty rows')
    expect(body.details).toHaveLength(200)
    expect(body.details.at(-1)).toMatchObject({
      path: expect.stringMatching(/^recipients\.199\./),
      message: expect.stringMatching(/^Row 200: /),
    })
  })

  it('limits the errors listed for one row', async () => {
    const nonsense = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key${at}`, at]))
    const { body } = await create({ recipients: recipients(3, () => nonsense) })
    expect(body.details).toHaveLength(limits.toldFaults)
  })

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"recipients":[{}',
    '{"recipients":[,{}]}',
    '{"recipients":[{},]}',
    '{"recipients":[{}}}',
    '\0',
  ])('refuses %j in a documented way', async (body) => {
    const reply = await service.ask('POST', '/batch-calls', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(reply.status, reply.text).toBe(400)
    expect(['INVALID_JSON', 'VALIDATION_ERROR']).toContain(reply.body.code)
  })

  it('refuses an agent or a phone number that does not exist with 404', async () => {
    expect((await create({ agent_id: stranger })).body.code).toBe('AGENT_NOT_FOUND')
    expect((await create({ phone_number_id: stranger })).body.code).toBe('PHONE_NUMBER_NOT_FOUND')
  })

  it('twice with one key creates one batch, concurrently and afterwards', async () => {
    const before = await stored()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { name: 'Once', agent_id: agentId, recipients: recipients(50) }
    const again = () => service.ask('POST', '/batch-calls', { body, headers })
    const answers = [...(await Promise.all([again(), again(), again()])), await again()]
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(3)
    expect(await stored()).toEqual({
      batches: (before?.batches ?? 0) + 1,
      recipients: (before?.recipients ?? 0) + 50,
    })
  })

  it('twice with one key in two processes creates one batch', async () => {
    const other = await openService({ PARLEY_ROLES: 'api' }, service.database)
    const before = await stored()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { name: 'Once', agent_id: agentId, recipients: recipients(2_000) }
    const answers = await Promise.all(
      [service, other].map((each) => each.ask('POST', '/batch-calls', { body, headers })),
    )
    await other.close()
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await stored())?.recipients).toBe((before?.recipients ?? 0) + 2_000)
  })
})
