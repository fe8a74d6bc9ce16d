// Racing commands: the statement that updates the row decides, so one succeeds and the others are refused with the
// reason. Half of the requests go to another process.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alike, batchOf, execute, newBatch, recipients, startedBatch } from './support/batch-fixture.ts'
import { type CallFixture, detailOf, newAgent, openCallFixture, placeCall } from './support/call-fixture.ts'
import { mediaProcess, type Running, startProcess } from './support/process.ts'
import type { ScriptedRunner } from './support/scripted-runner.ts'
import { boundKey, type Reply, type TestService } from './support/service.ts'

let fixture: CallFixture
let service: TestService
let media: TestService & { runner: ScriptedRunner }
let other: Running
let agentId: string
let otherData: string
beforeAll(async () => {
  fixture = await openCallFixture()
  service = await fixture.api({ PARLEY_ROLES: 'api' })
  media = await fixture.media({}, 200)
  agentId = await newAgent(service)
  otherData = await mkdtemp(join(tmpdir(), 'parley-other-'))
  other = await startProcess(
    {
      DATABASE_URL: fixture.database.url,
      PARLEY_SECRET: 'a secret for tests only',
      PARLEY_DATA_DIR: otherData,
      PARLEY_ROLES: 'api',
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
    },
    undefined,
    mediaProcess,
  )
})
afterAll(async () => {
  await other?.end()
  await fixture?.close()
  if (otherData) await rm(otherData, { recursive: true, force: true })
})

const rounds = 8

interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}

/** Concurrently, alternating between two processes. */
const race = (requests: readonly Sent[]): Promise<Pick<Reply, 'status' | 'body'>[]> =>
  Promise.all(
    requests.map(async ({ method = 'POST', path, body, key = randomUUID() }, at) => {
      const response = await fetch(`${at % 2 === 0 ? service.url : other.url}/agent/v1${path}`, {
        method,
        headers: {
          'x-api-key': boundKey,
          ...(method === 'POST' && { 'idempotency-key': key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    }),
  )

const five = (sent: Sent): Sent[] => Array.from({ length: 5 }, () => sent)
const outcomes = (replies: readonly Pick<Reply, 'status' | 'body'>[]) =>
  replies.map(({ status, body }) => (status < 300 ? 'success' : `${status} ${body.code}`)).toSorted()
const conflict = '400 BATCH_STATE_CONFLICT'
const oneOf = (others: string) => [others, others, others, others, 'success']

const created = () => newBatch(service, { agent_id: agentId, recipients: recipients(3) })
const started = () => startedBatch(service, { agent_id: agentId, recipients: recipients(3) })
const paused = async () => {
  const id = await started()
  await service.ask('POST', `/batch-calls/${id}/pause`)
  return id
}

describe('of five concurrent commands to a batch', () => {
  it.each([
    ['execute', created, 'in_progress'],
    ['pause', started, 'paused'],
    ['resume', paused, 'in_progress'],
    ['cancel', paused, 'cancelled'],
  ])('one %s succeeds', async (name, make, status) => {
    for (let round = 0; round < rounds; round++) {
      const id = await make()
      const replies = await race(five({ path: `/batch-calls/${id}/${name}` }))
      expect(outcomes(replies)).toEqual(oneOf(conflict))
      expect((await batchOf(service, id)).status).toBe(status)
    }
  })

  it('one deletion succeeds, and the others find nothing', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await created()
      const replies = await race(five({ method: 'DELETE', path: `/batch-calls/${id}` }))
      expect(outcomes(replies)).toEqual(oneOf('404 BATCH_NOT_FOUND'))
    }
  })

  it('different ones succeed only if some order of them is valid', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await started()
      const path = `/batch-calls/${id}`
      const names = ['pause', 'cancel', 'pause', 'cancel', 'resume']
      const replies = await race(names.map((name) => ({ path: `${path}/${name}` })))
      const succeeded = names.filter((_, at) => replies[at]?.status === 200)
      expect(succeeded.filter((name) => name === 'cancel')).toHaveLength(1)
      const pauses = succeeded.filter((name) => name === 'pause').length
      const resumptions = succeeded.filter((name) => name === 'resume').length
      expect(resumptions).toBeLessThanOrEqual(pauses)
      expect(pauses).toBeLessThanOrEqual(resumptions + 1)
      expect((await batchOf(service, id)).status).toBe('cancelled')
    }
  })

  it('a deletion and an execution exclude each other', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await created()
      const [executed, deleted] = await race([
        { path: `/batch-calls/${id}/execute` },
        { method: 'DELETE', path: `/batch-calls/${id}` },
      ])
      const won = executed?.status === 200 ? ['success', conflict] : ['404 BATCH_NOT_FOUND', 'success']
      expect(outcomes([executed as Reply, deleted as Reply])).toEqual(won.toSorted())
    }
  })
})

describe('concurrent changes of a batch', () => {
  it('of different fields are all kept', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await created()
      const schedule = new Date(Date.now() + 3_600_000).toISOString()
      const window = { start_time: '09:00', end_time: '17:00', timezone: 'Europe/Paris' }
      const changes = [{ max_concurrency: 7 }, { calling_window: window }, { schedule_time: schedule }]
      const replies = await race(
        changes.map((body) => ({ method: 'PATCH', path: `/batch-calls/${id}`, body })),
      )
      expect(outcomes(replies), JSON.stringify(replies)).toEqual(['success', 'success', 'success'])
      expect(await batchOf(service, id)).toMatchObject({
        status: 'scheduled',
        max_concurrency: 7,
        calling_window: window,
        schedule_time: schedule,
      })
    }
  })

  it('never revive a cancelled batch', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await created()
      const schedule_time = new Date(Date.now() + 3_600_000).toISOString()
      const [cancelled] = await race([
        { path: `/batch-calls/${id}/cancel` },
        { method: 'PATCH', path: `/batch-calls/${id}`, body: { schedule_time } },
      ])
      expect(cancelled?.status).toBe(200)
      expect((await batchOf(service, id)).status).toBe('cancelled')
    }
  })
})

describe('of five concurrent requests to stop a call', () => {
  const conflicts = oneOf('400 CALL_STATE_CONFLICT')

  it('one succeeds while the call is queued', async () => {
    for (let round = 0; round < rounds; round++) {
      const schedule_time = new Date(Date.now() + 3_600_000).toISOString()
      const id = await placeCall(service, agentId, { schedule_time })
      const replies = await race(five({ path: `/calls/${id}/stop` }))
      expect(outcomes(replies)).toEqual(conflicts)
      expect(replies.find(({ status }) => status === 200)?.body.data.call_status).toBe('canceled')
      expect((await detailOf(service, id)).call_status).toBe('canceled')
    }
  })

  it('one succeeds while the call runs, and the others answer that it is being stopped', async () => {
    for (let round = 0; round < rounds; round++) {
      // It ends slowly, so that it still runs at the last request.
      const script = [
        { type: 'status', status: 'in-progress' },
        { type: 'until-stopped' },
        { type: 'wait', ms: 300 },
      ] as const
      const id = await placeCall(service, agentId, { script })
      await expect.poll(() => media.runner.live.has(id), { timeout: 10_000 }).toBe(true)
      const replies = await race(five({ path: `/calls/${id}/stop` }))
      expect(outcomes(replies)).toEqual(conflicts)
      for (const { body } of replies.filter(({ status }) => status === 400))
        expect(body.message).toBe('This call is already being stopped.')
    }
  })

  it('the response has the right state, also if the call starts at that moment', async () => {
    const ids = await Promise.all(
      Array.from({ length: 60 }, () => placeCall(service, agentId, { script: [{ type: 'until-stopped' }] })),
    )
    const replies = await race(ids.map((id) => ({ path: `/calls/${id}/stop` })))
    expect(new Set(outcomes(replies))).toEqual(new Set(['success']))
    const dialled = new Set(media.runner.plans.map(({ sessionId }) => sessionId))
    for (const { body } of replies) {
      const { session_id, call_status } = body.data
      if (call_status === 'canceled') expect(dialled).not.toContain(session_id)
      else await expect.poll(() => media.runner.stops.get(session_id), { timeout: 10_000 }).toBe('api')
    }
  })
})

it('a concurrent repetition of a command gets the response of the first', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await newBatch(service, { agent_id: agentId, recipients: alike(2) })
    await execute(service, id)
    const replies = await race(five({ path: `/batch-calls/${id}/pause`, key: `pause ${id}` }))
    expect(new Set(outcomes(replies))).toEqual(new Set(['success']))
  }
})
