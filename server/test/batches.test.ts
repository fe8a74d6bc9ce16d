// Batches as users of the API see them, through a whole service that runs no calls.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { BatchDetail, BatchSummary, CreatedBatch, Recipient } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  batchOf,
  command,
  createBatch,
  execute,
  newBatch,
  recipients,
  recipientsOf,
} from './support/batch-stage.ts'
import { newAgent } from './support/call-stage.ts'
import { boundKey, openService, type TestService } from './support/service.ts'

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
const created = async (more: object = {}): Promise<string> => (await create(more)).body.data.batch_id
const stored = async () =>
  (
    await service.database.query<{ batches: number; recipients: number }>(
      'SELECT (SELECT count(*)::int FROM batches) AS batches, (SELECT count(*)::int FROM batch_recipients) AS recipients',
    )
  )[0]

/** The same as a form. */
async function upload(csv: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: 'From a file', agent_id: agentId, ...fields }))
    form.set(name, value)
  form.set('file', new Blob([csv], { type: 'text/csv' }), 'list.csv')
  const response = await fetch(`${service.url}/agent/v1/batch-calls`, {
    method: 'POST',
    headers: { 'x-api-key': boundKey, 'idempotency-key': randomUUID() },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  return { status: response.status, body: (await response.json()) as any }
}

describe('creating a batch', () => {
  it('stores the recipients and calls nobody', async () => {
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

  it('with a time has a schedule', async () => {
    const schedule_time = inAnHour()
    const { data } = (await create({ schedule_time })).body
    expect(data).toMatchObject({
      status: 'scheduled',
      schedule_time,
      schedule_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('keeps what was given of every recipient', async () => {
    const given = {
      to_phone_number: 'sip:ada@example.com',
      recipient_id: 'tab\tand \\ and "quote"',
      name: 'Zoë\nÅ',
      variables: { amount: 3.5, 'back\\slash': 'line\nfeed', vip: true },
      timezone: 'europe/paris',
      metadata: { deep: { er: [1, null] } },
    }
    const id = await created({ recipients: [given, { to_phone_number: '+15550100' }] })
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
    ['schedule_time', { schedule_time: '2020-01-01T00:00:00Z' }],
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

  it('names every faulty row with its number and field, and stores nothing', async () => {
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

  it('tells the first hundred faults of many', async () => {
    const { body } = await create({ recipients: recipients(5_000, () => ({ to_phone_number: 'x' })) })
    expect(body.details).toHaveLength(100)
    expect(body.message).toContain('first 100')
    expect(body.details[99].path).toBe('recipients.99.to_phone_number')
  })

  it('refuses one recipient too many', async () => {
    const before = await stored()
    const list = Array.from({ length: 100_001 }, () => ({ to_phone_number: '+15550100' }))
    const { status, body } = await create({ recipients: list })
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
    expect(body.message).toContain('100000')
    expect(await stored()).toEqual(before)
  })

  it('refuses a body that is too large, by its length or by what comes', async () => {
    const huge = `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`
    const { status, body } = await service.ask('POST', '/batch-calls', { body: huge })
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
    const fat = { to_phone_number: '+15550100', variables: { fat: 'x'.repeat(300_000) } }
    expect((await create({ recipients: [fat] })).body.code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('that is cut off in the middle leaves nothing behind', async () => {
    const before = await stored()
    const sending = request(`${service.url}/agent/v1/batch-calls`, {
      method: 'POST',
      headers: {
        'x-api-key': boundKey,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
        'content-length': 10_000_000,
      },
    })
    sending.on('error', () => {})
    sending.write(`{"recipients":[${JSON.stringify(recipients(2_000)).slice(1, -1)},`)
    const uploads = async () =>
      (
        await service.database.query(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = 'parley upload'",
        )
      ).length
    await expect.poll(uploads).toBe(1)
    sending.destroy()
    await expect.poll(uploads).toBe(0)
    expect(await stored()).toEqual(before)
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

  it('refuses an agent that is not there with 404, and a number', async () => {
    expect((await create({ agent_id: stranger })).body.code).toBe('AGENT_NOT_FOUND')
    expect((await create({ phone_number_id: stranger })).body.code).toBe('PHONE_NUMBER_NOT_FOUND')
  })

  it('twice with one key makes one batch, at the same time and afterwards', async () => {
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

  it('twice with one key in two processes makes one batch', async () => {
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

describe('a file of CSV', () => {
  it('becomes recipients, its other columns variables', async () => {
    const csv =
      '\uFEFFto_phone_number,recipient_id,name,timezone,amount,"the day"\r\n+15550100,a,"Ada, L.",Asia/Tokyo,12,"Mon\nday"\r\n\r\n+15550101,b,,,,\n'
    const window = JSON.stringify({ start_time: '09:00', end_time: '18:00' })
    const { status, body } = await upload(csv, { max_concurrency: '3', calling_window: window })
    expect([status, body.data?.recipient_count], JSON.stringify(body)).toEqual([201, 2])
    const id = body.data.batch_id
    expect(await batchOf(service, id)).toMatchObject({
      max_concurrency: 3,
      calling_window: { timezone: 'UTC' },
    })
    expect(await recipientsOf(service, id)).toMatchObject([
      {
        recipient_id: 'a',
        name: 'Ada, L.',
        timezone: 'Asia/Tokyo',
        variables: { amount: '12', 'the day': 'Mon\nday' },
      },
      { recipient_id: 'b', name: null, timezone: null, variables: {} },
    ])
  })

  it('with faults is refused row by row and line by line, and nothing is stored', async () => {
    const before = await stored()
    const { status, body } = await upload('to_phone_number,name\n+15550100,A\n\n0800,B\n,C\n')
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details).toMatchObject([
      { path: 'recipients.1.to_phone_number', message: expect.stringMatching(/^Row 2 \(line 4\): /) },
      { path: 'recipients.2.to_phone_number', message: expect.stringMatching(/^Row 3 \(line 5\): /) },
    ])
    expect(await stored()).toEqual(before)
  })

  it.each([
    ['file', 'number\n+15550100\n'],
    ['file', 'to_phone_number,a,a\n+15550100,1,2\n'],
    ['recipients.0', 'to_phone_number,a\n+15550100\n'],
    ['file', ''],
    ['file', 'to_phone_number\n"+15550100\n'],
    ['recipients', 'to_phone_number\n'],
  ])('says what is wrong with the %s', async (path, csv) => {
    const { status, body } = await upload(csv)
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details[0].path).toBe(path)
  })

  it('says what is wrong with the fields beside it', async () => {
    const { body } = await upload('to_phone_number\n+15550100\n', { max_concurrency: 'many', metadata: '{' })
    expect(body.details.map((fault: { path: string }) => fault.path)).toEqual(['max_concurrency', 'metadata'])
  })
})

describe('reading batches', () => {
  it('lists them newest first, by status and agent', async () => {
    const agent = await newAgent(service)
    const ids = [
      await created({ agent_id: agent }),
      await created({ agent_id: agent, schedule_time: inAnHour() }),
    ]
    const list = async (query: string) => (await service.ask('GET', `/batch-calls?${query}`)).body.data
    const { data, pagination } = await list(`agent_id=${agent}`)
    expect(data.map((row: object) => BatchSummary.parse(row).batch_id)).toEqual(ids.toReversed())
    expect(pagination.total).toBe(2)
    expect((await list(`agent_id=${agent}&status=scheduled`)).data).toMatchObject([{ batch_id: ids[1] }])
  })

  it('shows one with its counts', async () => {
    const id = await created({ retry_config: { max_retries: 2 }, metadata: { campaign: 7 } })
    const batch = BatchDetail.parse(await batchOf(service, id))
    expect(batch).toMatchObject({
      counts: { pending: 3, completed: 0 },
      retry_config: { max_retries: 2, retry_on: ['no-answer', 'busy'], intervals_minutes: [30] },
      metadata: { campaign: 7 },
      started_at: null,
    })
  })

  it('of another workspace, or of nobody, is 404 in the same words', async () => {
    const id = await created()
    await service.database.query('UPDATE batches SET workspace_id = $2 WHERE batch_id = $1', [id, stranger])
    for (const path of ['', '/recipients', '/events', '/results.csv']) {
      const [theirs, nobodys] = [
        await service.ask('GET', `/batch-calls/${id}${path}`),
        await service.ask('GET', `/batch-calls/${stranger}${path}`),
      ]
      expect([theirs.status, theirs.body.code]).toEqual([404, 'BATCH_NOT_FOUND'])
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...nobodys.body, request_id: '' })
    }
    expect((await command(service, id, 'execute')).body.code).toBe('BATCH_NOT_FOUND')
  })
})

describe('the states of a batch', () => {
  it('are moved by commands with a bare answer', async () => {
    const id = await created()
    const answers = []
    for (const name of ['execute', 'pause', 'resume', 'cancel'])
      answers.push((await command(service, id, name)).body)
    for (const answer of answers) {
      expect(Object.keys(answer).toSorted()).toEqual(['message', 'status'])
      expect(answer.status).toBe('success')
    }
    const batch = await batchOf(service, id)
    expect(batch).toMatchObject({ status: 'cancelled', counts: { pending: 0, cancelled: 3 } })
    expect(await recipientsOf(service, id, 'status=cancelled')).toHaveLength(3)
    expect(await recipientsOf(service, id, 'status=pending')).toHaveLength(0)
  })

  it.each([
    ['created', ['pause', 'resume']],
    ['scheduled', ['pause', 'resume']],
    ['in_progress', ['execute', 'resume']],
    ['paused', ['execute', 'pause']],
    ['completed', ['execute', 'pause', 'resume', 'cancel']],
    ['cancelled', ['execute', 'pause', 'resume', 'cancel']],
    ['failed', ['execute', 'pause', 'resume', 'cancel']],
  ])('that is %s refuses %j and says why', async (status, names) => {
    const id = await created()
    await service.database.query('UPDATE batches SET status = $2 WHERE batch_id = $1', [id, status])
    for (const name of names) {
      const reply = await command(service, id, name)
      expect([reply.status, reply.body.code]).toEqual([400, 'BATCH_STATE_CONFLICT'])
      expect(reply.body.message).toContain(status)
    }
  })

  it('are only left by an agent that takes calls', async () => {
    const agent = await newAgent(service)
    const id = await created({ agent_id: agent })
    await service.ask('PATCH', `/agents/${agent}`, { body: { agent_config: { status: 'inactive' } } })
    expect((await command(service, id, 'execute')).body.code).toBe('AGENT_NOT_ACTIVE')
  })

  it('end with the agent', async () => {
    const agent = await newAgent(service)
    const ids = [await created({ agent_id: agent }), await created({ agent_id: agent })]
    await execute(service, ids[1] as string)
    await service.ask('DELETE', `/agents/${agent}`)
    for (const id of ids) {
      expect(await batchOf(service, id)).toMatchObject({
        status: 'cancelled',
        status_reason: 'The agent was deleted.',
        counts: { cancelled: 3 },
      })
    }
  })
})

describe('changing a batch', () => {
  const change = (id: string, body: object) => service.ask('PATCH', `/batch-calls/${id}`, { body })

  it('moves its start, to a time and back', async () => {
    const id = await created()
    const schedule_time = inAnHour()
    expect((await change(id, { schedule_time })).body.data).toMatchObject({
      status: 'scheduled',
      schedule_time,
    })
    expect((await change(id, { schedule_time: null })).body.data).toMatchObject({
      status: 'created',
      schedule_id: null,
    })
    await execute(service, id)
    expect((await change(id, { schedule_time })).body.code).toBe('BATCH_STATE_CONFLICT')
  })

  it('changes its pace and its window while it runs, and leaves the rest', async () => {
    const id = await created({ max_concurrency: 3 })
    await execute(service, id)
    const calling_window = { start_time: '09:00', end_time: '17:00' }
    expect((await change(id, { calling_window })).body.data).toMatchObject({
      max_concurrency: 3,
      calling_window,
    })
    expect((await change(id, { max_concurrency: null })).body.data).toMatchObject({
      max_concurrency: null,
      calling_window,
    })
    await command(service, id, 'cancel')
    expect((await change(id, { max_concurrency: 1 })).body.code).toBe('BATCH_STATE_CONFLICT')
  })

  it('deletes one that is not under way, with its recipients', async () => {
    const id = await newBatch(service, { agent_id: agentId, recipients: recipients(4) })
    await execute(service, id)
    expect((await service.ask('DELETE', `/batch-calls/${id}`)).body.code).toBe('BATCH_STATE_CONFLICT')
    await command(service, id, 'cancel')
    expect((await service.ask('DELETE', `/batch-calls/${id}`)).body.data).toEqual({
      batch_id: id,
      deleted: true,
    })
    expect(await service.database.query('SELECT 1 FROM batch_recipients WHERE batch_id = $1', [id])).toEqual(
      [],
    )
  })
})
