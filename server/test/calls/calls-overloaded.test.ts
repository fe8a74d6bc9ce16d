// A process whose sound leaves late: it refuses new calls, what is queued waits, and its health says so. The calls are scripted.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { execute, newBatch } from '../support/batch-fixture.ts'
import { newAgent } from '../support/call-fixture.ts'
import { type ScriptedRunner, scriptedRunner } from '../support/scripted-runner.ts'
import { openService, type TestService } from '../support/service.ts'

let api: TestService
let agentId: string
const runner: ScriptedRunner = scriptedRunner()
/** How often it was asked whether its calls would sound well. */
let asked = 0
runner.keepsTime = () => {
  asked++
  return runner.isPunctual
}

beforeAll(async () => {
  api = await openService({ PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }, undefined, () => runner)
  agentId = await newAgent(api)
})
afterAll(() => api?.close())

const place = (key: string, more: object = {}) =>
  api.ask('POST', '/calls', {
    headers: { 'idempotency-key': key },
    body: { agent_id: agentId, to_phone_number: '+15550100', ...more },
  })
const ready = async (role = '') => {
  const { status, body } = await api.bare('GET', `/readyz${role}`)
  return [status, body]
}

it('requests for calls are refused with the time after which they may be sent again, and then they are placed', async () => {
  runner.isPunctual = false
  const refused = await place('key-1')
  expect([refused.status, refused.body.code]).toEqual([500, 'SERVICE_OVERLOADED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const web = await api.ask('POST', '/calls/web', { body: { agent_id: agentId } })
  expect(web.body.code).toBe('SERVICE_OVERLOADED')
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect((await place('key-2', { schedule_time: later })).body.data.call_status).toBe('scheduled')
  runner.isPunctual = true
  const placed = await place('key-1')
  expect(placed.status).toBeLessThan(300)
  const { session_id } = placed.body.data
  await expect.poll(() => runner.plans.some(({ sessionId }) => sessionId === session_id)).toBe(true)
})

it('a batch waits, loses nobody, and goes on', async () => {
  runner.isPunctual = false
  const before = runner.plans.length
  const recipients = Array.from({ length: 7 }, (_, n) => ({ to_phone_number: `+1555010${n}` }))
  const batchId = await newBatch(api, { agent_id: agentId, recipients })
  await execute(api, batchId)
  await expect
    .poll(async () => {
      const rows = await api.database.query('SELECT 1 FROM calls WHERE batch_id = $1 AND due_at <= now()', [
        batchId,
      ])
      return rows.length
    })
    .toBeGreaterThan(0)
  // The dispatcher looks again and again whether it may take them.
  const looked = asked
  await expect.poll(() => asked - looked, { timeout: 20_000 }).toBeGreaterThan(10)
  expect(runner.plans.length).toBe(before)
  runner.isPunctual = true
  await expect.poll(() => runner.plans.length - before, { timeout: 20_000 }).toBe(7)
})

it('its health says it, for calls only', async () => {
  expect((await ready('/media'))[0]).toBe(200)
  runner.isPunctual = false
  expect(await ready('/media')).toEqual([503, expect.objectContaining({ status: 'overloaded', free: 0 })])
  expect(await ready()).toEqual([
    200,
    expect.objectContaining({
      status: 'ready',
      roles: expect.objectContaining({ media: expect.anything() }),
    }),
  ])
  expect((await api.bare('GET', '/metrics')).text).toMatch(/^parley_sound_in_time 0$/m)
  runner.isPunctual = true
  expect((await ready('/media'))[0]).toBe(200)
  expect((await api.bare('GET', '/metrics')).text).toMatch(/^parley_sound_in_time 1$/m)
})
