// Creating batches from a CSV file.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, recipientsOf, storedIn } from '../support/batch-fixture.ts'
import { newAgent } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

let service: TestService
let agentId: string
beforeAll(async () => {
  service = await openService({ PARLEY_ROLES: 'api' })
  agentId = await newAgent(service)
})
afterAll(() => service.close())

const stored = () => storedIn(service.database)

const fileOf = (csv: string | Uint8Array<ArrayBuffer>) => new File([csv], 'list.csv', { type: 'text/csv' })

const upload = (csv: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) =>
  send([...Object.entries({ name: 'From a file', agent_id: agentId, ...fields }), ['file', fileOf(csv)]])

/** The parts of the form, in order. */
async function send(parts: readonly (readonly [name: string, value: string | File])[]) {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  const response = await fetch(`${service.url}/agent/v1/batch-calls`, {
    method: 'POST',
    headers: { 'x-api-key': boundKey, 'idempotency-key': randomUUID() },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  return { status: response.status, body: (await response.json()) as any }
}

describe('a CSV file', () => {
  it('becomes recipients, with its other columns as variables', async () => {
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

  it('may have rows without anything, as spreadsheets write them', async () => {
    const { status, body } = await upload(
      ',\nto_phone_number,name\n+15550100,A\n,\n , \n"",""\n+15550101,B\n,,,\n',
    )
    expect([status, body.data?.recipient_count], JSON.stringify(body)).toEqual([201, 2])
    expect((await upload('to_phone_number,name\n,\n0800,B\n')).body.details).toMatchObject([
      { path: 'recipients.0.to_phone_number', message: expect.stringMatching(/^Row 1 \(line 3\): /) },
    ])
  })

  it.each(['\r', '\r\n', '\r\r\n'])('may end its lines with %j', async (end) => {
    const lines = ['to_phone_number,name', '+15550100,"Ada, L."', '', '+15550101,Grace', '']
    const { status, body } = await upload(lines.join(end))
    expect([status, body.data?.recipient_count], JSON.stringify(body)).toEqual([201, 2])
    expect(await recipientsOf(service, body.data.batch_id)).toMatchObject([
      { name: 'Ada, L.' },
      { name: 'Grace' },
    ])
  })

  it('with errors is refused with their rows and lines, and nothing is stored', async () => {
    const before = await stored()
    const { status, body } = await upload('to_phone_number,name\n+15550100,A\n\n0800,B\n,C\n')
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details).toMatchObject([
      { path: 'recipients.1.to_phone_number', message: expect.stringMatching(/^Row 2 \(line 4\): /) },
      { path: 'recipients.2.to_phone_number', message: expect.stringMatching(/^Row 3 \(line 5\): /) },
    ])
    expect(await stored()).toEqual(before)
  })

  it('with many errors is refused with those of the first hundred rows', async () => {
    const { body } = await upload(`to_phone_number\n${'0800\n'.repeat(250)}`)
    expect(body.details).toHaveLength(100)
    expect(body.details[99].message).toMatch(/^Row 100 \(line 101\): /)
  })

  it('may come before the fields, with its columns in any order', async () => {
    const file = fileOf('day,to_phone_number\nMonday,+15550100\n')
    const { status, body } = await send([
      ['file', file],
      ['agent_id', agentId],
      ['name', 'In any order'],
    ])
    expect([status, body.data?.recipient_count], JSON.stringify(body)).toEqual([201, 1])
    expect(await recipientsOf(service, body.data.batch_id)).toMatchObject([{ variables: { day: 'Monday' } }])
  })

  it.each<[string, string, (file: File) => [string, string | File][]]>([
    ['without a file', 'file', () => []],
    [
      'with two',
      'file',
      (file) => [
        ['file', file],
        ['file', file],
      ],
    ],
    [
      'with one elsewhere',
      'list',
      (file) => [
        ['file', file],
        ['list', file],
      ],
    ],
    [
      'with recipients beside it',
      'recipients',
      (file) => [
        ['recipients', '[]'],
        ['file', file],
      ],
    ],
    [
      'with fields of its own',
      'nonsense',
      (file) => [
        ['file', file],
        ['nonsense', '1'],
      ],
    ],
  ])('%s is refused', async (_, path, more) => {
    const before = await stored()
    const { status, body } = await send([
      ['name', 'From a file'],
      ['agent_id', agentId],
      ...more(fileOf('to_phone_number\n+15550100\n')),
    ])
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((fault: { path: string }) => fault.path)).toEqual([path])
    expect(await stored()).toEqual(before)
  })

  it('that is not UTF-8 is refused, wherever the invalid byte is', async () => {
    const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
    for (const csv of ['to_phone_number,name\n+15550100,Zoë\n', `to_phone_number\n+15550100\nZo\u00eb`]) {
      const { status, body } = await upload(latin(csv))
      expect([status, body.details]).toMatchObject([
        400,
        [{ path: 'file', message: expect.stringContaining('UTF-8') }],
      ])
    }
    expect((await upload('to_phone_number,name\n+15550100,Zoë 🙂\n')).status).toBe(201)
  })

  it('with a recipient that is too large is refused', async () => {
    const { status, body } = await upload(`to_phone_number,fat\n+15550100,${'x'.repeat(263_000)}\n`)
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
  })

  it.each([
    ['file', 'number\n+15550100\n'],
    ['file', 'to_phone_number,__proto__\n+15550100,1\n'],
    ['file', 'to_phone_number,a,a\n+15550100,1,2\n'],
    ['recipients.0', 'to_phone_number,a\n+15550100\n'],
    ['file', ''],
    ['recipients.0', 'to_phone_number\n"+15550100\n'],
    ['recipients.1', 'to_phone_number,name\n+15550100,A\n+15550101,B "b"\n+15550102,C\n'],
    ['file', '"to_phone_number\n+15550100\n'],
    ['recipients', 'to_phone_number\n'],
  ])('says what is wrong with the %s', async (path, csv) => {
    const { status, body } = await upload(csv)
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details[0].path).toBe(path)
  })

  it('is refused with the errors of its form fields', async () => {
    const { body } = await upload('to_phone_number\n+15550100\n', { max_concurrency: 'many', metadata: '{' })
    expect(body.details.map((fault: { path: string }) => fault.path)).toEqual(['max_concurrency', 'metadata'])
    const reply = await upload('to_phone_number\n+15550100\n', { metadata: '{"a":"\\u0000"}' })
    expect([reply.status, reply.body.details]).toMatchObject([400, [{ path: 'metadata.a' }]])
  })
})
