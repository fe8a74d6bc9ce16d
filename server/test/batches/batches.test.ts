// Batches over the API: reading, commands and changes, with a whole service that runs no calls.
import { BatchDetail, BatchSummary } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, command, execute, newBatch, recipients, recipientsOf } from '../support/batch-fixture.ts'
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
const created = (more: object = {}) =>
  newBatch(service, { agent_id: agentId, recipients: recipients(3), ...more })

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

  it('of another workspace is 404, in the same words as for one that does not exist', async () => {
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
  it('are changed by commands, which answer without an envelope', async () => {
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

  it('change to running only while the agent takes calls', async () => {
    const agent = await newAgent(service)
    const id = await created({ agent_id: agent })
    await service.ask('PATCH', `/agents/${agent}`, { body: { agent_config: { status: 'inactive' } } })
    expect((await command(service, id, 'execute')).body.code).toBe('AGENT_NOT_ACTIVE')
  })

  it('become cancelled when the agent is deleted', async () => {
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
