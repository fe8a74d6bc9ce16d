// A simulated call cannot be mistaken for a real one: which numbers are called, and how simulated calls are marked.
import {
  BatchDetail,
  BatchSummary,
  CallDetail,
  CallSummary,
  callCompletedData,
  callEvents,
  Recipient,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  becomes,
  createBatch,
  newBatch,
  recipientsOf,
  startedBatch,
  storedIn,
} from '../support/batch-fixture.ts'
import {
  type CallFixture,
  detailOf,
  eventsOf,
  newAgent,
  openCallFixture,
  placeCall,
  reaches,
} from '../support/call-fixture.ts'
import { boundKey, type TestService } from '../support/service.ts'

const strangers = ['+14155552671', '+15551234567', 'sip:ada@example.com', 'sips:ada@example.com:5061']
const own = '+15550142'

let fixture: CallFixture
let byDefault: TestService
let simulatingAll: TestService
let off: TestService
let agentId: string
beforeAll(async () => {
  fixture = await openCallFixture()
  byDefault = await fixture.api()
  simulatingAll = await fixture.api({ PARLEY_SANDBOX: 'all', PARLEY_ROLES: 'api' })
  off = await fixture.api({ PARLEY_SANDBOX: 'off', PARLEY_ROLES: 'api' })
  agentId = await newAgent(byDefault)
})
afterAll(() => fixture.close())

const place = (service: TestService, to_phone_number: string) =>
  service.ask('POST', '/calls', { body: { agent_id: agentId, to_phone_number } })
const create = (service: TestService, ...numbers: string[]) =>
  createBatch(service, {
    agent_id: agentId,
    recipients: numbers.map((to_phone_number) => ({ to_phone_number })),
  })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const callsStored = () => fixture.database.query('SELECT 1 FROM calls')

describe('a number that nothing can call', () => {
  it.each(strangers)('%s is refused when the call is created, with what to do about it', async (to) => {
    const before = await callsStored()
    const { status, body } = await place(byDefault, to)
    expect([status, body.code]).toEqual([400, 'NO_LINE_TO_NUMBER'])
    expect(body.message).toContain('PARLEY_SANDBOX=all')
    expect(body.details).toEqual([{ path: 'to_phone_number', message: body.message }])
    expect(await callsStored()).toEqual(before)
  })

  it('is any number where the sandbox is off', async () => {
    const { status, body } = await place(off, own)
    expect([status, body.code]).toEqual([400, 'NO_LINE_TO_NUMBER'])
    expect(body.message).toContain('the sandbox is off')
    expect((await create(off, own)).body.code).toBe('NO_LINE_TO_NUMBER')
  })

  it('is refused in a batch by its row, and nothing is stored', async () => {
    const before = await storedIn(fixture.database)
    const { status, body } = await create(byDefault, own, '+14155552671', own, 'sip:ada@example.com')
    expect([status, body.code]).toEqual([400, 'NO_LINE_TO_NUMBER'])
    expect(body.details).toEqual([
      {
        path: 'recipients.1.to_phone_number',
        message: expect.stringMatching(/^Row 2: .*PARLEY_SANDBOX=all/),
      },
      {
        path: 'recipients.3.to_phone_number',
        message: expect.stringMatching(/^Row 4: .*PARLEY_SANDBOX=all/),
      },
    ])
    expect(await storedIn(fixture.database)).toEqual(before)
  })

  it('is listed with the faults of other rows', async () => {
    const { body } = await create(byDefault, '+14155552671', '12')
    expect(body.code).toBe('VALIDATION_ERROR')
    expect(body.details.map((fault: { path: string }) => fault.path)).toEqual([
      'recipients.0.to_phone_number',
      'recipients.1.to_phone_number',
    ])
  })

  it('is refused in a file by its line', async () => {
    const form = new FormData()
    form.set('name', 'Reminders')
    form.set('agent_id', agentId)
    form.set('file', new Blob([`to_phone_number,day\n${own},Monday\n+14155552671,Friday\n`]), 'list.csv')
    const response = await fetch(`${byDefault.url}/agent/v1/batch-calls`, {
      method: 'POST',
      headers: { 'x-api-key': boundKey, 'idempotency-key': 'a file' },
      body: form,
    })
    expect(await response.json()).toMatchObject({
      code: 'NO_LINE_TO_NUMBER',
      details: [
        {
          path: 'recipients.1.to_phone_number',
          message: expect.stringMatching(/^Row 2 \(line 3\): This workspace has no tele/),
        },
      ],
    })
    expect(response.status).toBe(400)
  })

  it('does not stop its agent from being created', async () => {
    const phone = { phone_number: '+14155552671', call_type: 'outbound' }
    expect(await newAgent(byDefault, phone)).toEqual(expect.any(String))
  })
})

describe('where every number is simulated', () => {
  it.each([...strangers, '+123', '+123456789012345', own])('%s can be called', async (to) => {
    const { status, body } = await place(simulatingAll, to)
    expect(status, body.message).toBe(201)
    expect(await detailOf(simulatingAll, body.data.session_id)).toMatchObject({ sandbox: true })
  })

  it('so can a batch of them', async () => {
    const { status, body } = await create(simulatingAll, ...strangers)
    expect(status, body.message).toBe(201)
    expect(
      (await simulatingAll.ask('GET', `/batch-calls/${body.data.batch_id}`)).body.data.sandbox_count,
    ).toBe(4)
  })
})

describe('a simulated call', () => {
  it('is marked from the moment it is created: in its detail, in the list and in its first event', async () => {
    const id = await placeCall(byDefault, agentId, { to_phone_number: own, schedule_time: inAnHour() })
    expect(CallDetail.parse(await detailOf(byDefault, id))).toMatchObject({
      provider: 'sandbox',
      sandbox: true,
    })
    const { data } = (await byDefault.ask('GET', '/calls?call_status=scheduled')).body.data
    expect(CallSummary.parse(data[0])).toMatchObject({ session_id: id, provider: 'sandbox', sandbox: true })
    await byDefault.ask('POST', `/calls/${id}/stop`)
    expect(await toldOf(id)).toEqual([
      ['status', { at: expect.any(String), call_status: 'scheduled', sandbox: true }],
      ['ended', expect.objectContaining({ call_status: 'canceled', sandbox: true })],
    ])
  })

  it('has an event with the keys of every other', async () => {
    const id = await placeCall(byDefault, agentId, { to_phone_number: own, schedule_time: inAnHour() })
    await byDefault.ask('POST', `/calls/${id}/stop`)
    await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
    const [event] = await eventsOf(fixture.database, id)
    expect(Object.keys(event).toSorted()).toEqual(Object.keys(callCompletedData).toSorted())
  })

  it('of a batch is marked, as are the batch and its recipients', async () => {
    const id = await newBatch(byDefault, {
      agent_id: agentId,
      recipients: [{ to_phone_number: own }, { to_phone_number: '+15550143' }],
    })
    const { data } = (await byDefault.ask('GET', '/batch-calls')).body.data
    expect(BatchSummary.parse(data[0])).toMatchObject({ batch_id: id, recipient_count: 2, sandbox_count: 2 })
    const batch = (await byDefault.ask('GET', `/batch-calls/${id}`)).body.data
    expect(BatchDetail.parse(batch)).toMatchObject({ sandbox_count: 2 })
    const people = (await recipientsOf(byDefault, id)).map((row: object) => Recipient.parse(row))
    expect(people.map(({ sandbox }: Recipient) => sandbox)).toEqual([true, true])
  })
})

it('what a batch dials is marked while it runs, at its end and in the results', async () => {
  const media = await fixture.media()
  const id = await startedBatch(byDefault, { agent_id: agentId, recipients: [{ to_phone_number: own }] })
  await becomes(byDefault, id, 'completed')
  expect(media.runner.plans.find(({ to }) => to === own)).toMatchObject({ provider: 'sandbox' })
  const [call] = (await byDefault.ask('GET', `/calls?batch_id=${id}`)).body.data.data
  expect(call).toMatchObject({ provider: 'sandbox', sandbox: true })
  const told = await toldOf(call.session_id)
  expect(told[0]).toEqual(['status', expect.objectContaining({ call_status: 'queued', sandbox: true })])
  expect(told.at(-1)).toEqual(['ended', expect.objectContaining({ sandbox: true })])
  const { text } = await byDefault.ask('GET', `/batch-calls/${id}/results.csv`)
  const [header, line] = text.split('\r\n').map((row) => row.split(','))
  expect(line?.[header?.indexOf('sandbox') ?? -1]).toBe('true')
  await media.close()
})

it('a call from a browser is not simulated', async () => {
  const { session_id } = (await byDefault.ask('POST', '/calls/web', { body: { agent_id: agentId } })).body
    .data
  expect(await reaches(byDefault, session_id, 'queued')).toMatchObject({ provider: null, sandbox: false })
  await byDefault.ask('POST', `/calls/${session_id}/stop`)
  expect((await toldOf(session_id)).map(([, data]) => data.sandbox)).toEqual([false, false])
})

/** Reads every event of a call that has ended. */
async function toldOf(sessionId: string) {
  const { text } = await byDefault.ask('GET', `/calls/${sessionId}/events`)
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type, data]) => {
    const { at, ...rest } = JSON.parse(data as string)
    callEvents[type as keyof typeof callEvents].parse(rest)
    return [type, { at, ...rest }] as const
  })
}
