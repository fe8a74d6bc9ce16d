// Batches that are too large, or whose upload breaks off: refused with a clear code, and nothing is left behind.
import { randomUUID } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { limits } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBatch, recipients, storedIn } from '../support/batch-fixture.ts'
import { newAgent } from '../support/call-fixture.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

let service: TestService
let agentId: string
beforeAll(async () => {
  service = await openService({ PARLEY_ROLES: 'api' })
  agentId = await newAgent(service)
})
afterAll(() => service.close())

const create = (more: object = {}) =>
  createBatch(service, { agent_id: agentId, recipients: recipients(3), ...more })
const stored = () => storedIn(service.database)

/** A request whose body is not sent yet. */
const begin = (headers: Record<string, string | number> = {}) =>
  request(`${service.url}/agent/v1/batch-calls`, {
    method: 'POST',
    headers: {
      'x-api-key': boundKey,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
      ...headers,
    },
  })

const answerTo = (sending: ClientRequest) =>
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  new Promise<{ status: number | undefined; body: any }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', async (response) => {
      resolve({ status: response.statusCode, body: await json(response) })
      sending.destroy()
    })
  })

describe('a batch', () => {
  it('with too many recipients is refused', async () => {
    const before = await stored()
    const list = Array.from({ length: 100_001 }, () => ({ to_phone_number: '+15550100' }))
    const { status, body } = await create({ recipients: list })
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
    expect(body.message).toContain('100000')
    expect(await stored()).toEqual(before)
  })

  it('that is too large is refused by its Content-Length', async () => {
    const sending = begin({ 'content-length': limits.batchBodyBytes + 1 })
    sending.flushHeaders()
    const { status, body } = await answerTo(sending)
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
  })

  it('that is too large is refused by the bytes received', async () => {
    const before = await stored()
    const fat = JSON.stringify({ to_phone_number: '+15550100', variables: { fat: 'x'.repeat(100_000) } })
    const sending = begin()
    sending.write('{"recipients":[')
    for (let bytes = 0; bytes <= limits.batchBodyBytes; bytes += fat.length) sending.write(`${fat},`)
    const { status, body } = await answerTo(sending)
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
    expect(await stored()).toEqual(before)
  })

  it('with settings or a recipient that are too large is refused', async () => {
    const huge = `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`
    const { status, body } = await service.ask('POST', '/batch-calls', { body: huge })
    expect([status, body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
    const fat = { to_phone_number: '+15550100', variables: { fat: 'x'.repeat(263_000) } }
    expect((await create({ recipients: [fat] })).body.code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('that is cut off in the middle leaves nothing behind', async () => {
    const before = await stored()
    const sending = begin({ 'content-length': 10_000_000 })
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
})
