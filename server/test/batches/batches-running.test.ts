// Running batches: who is called, how many at once, and when not. Real services, a real database.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  alike,
  batchOf,
  becomes,
  callsOf,
  command,
  dialled,
  execute,
  forever,
  newBatch,
  recipients,
  recipientsOf,
  startedBatch,
} from '../support/batch-fixture.ts'
import { type CallFixture, newAgent, openCallFixture } from '../support/call-fixture.ts'
import type { ScriptedRunner } from '../support/scripted-runner.ts'
import type { TestService } from '../support/service.ts'

let fixture: CallFixture
let api: TestService
let agentId: string
beforeEach(async () => {
  fixture = await openCallFixture()
  api = await fixture.api()
  agentId = await newAgent(api)
})
afterEach(() => fixture.close())

const started = (body: object) => startedBatch(api, { agent_id: agentId, ...body })
const liveIn = (...runners: ScriptedRunner[]) => runners.reduce((sum, { live }) => sum + live.size, 0)

describe('a batch', () => {
  it('calls every recipient once, with their variables, and is then completed', async () => {
    const { runner } = await fixture.media()
    const id = await started({
      recipients: recipients(25, (place) => ({ name: `N${place}`, variables: { place } })),
      from_phone_number: '+15550199',
    })
    const batch = await becomes(api, id, 'completed')
    expect(batch).toMatchObject({ counts: { completed: 25, pending: 0 }, completed_at: expect.any(String) })
    expect(new Set(dialled(runner)).size).toBe(25)
    expect(runner.plans).toHaveLength(25)
    expect(runner.plans.find(({ to }) => to === '+15550000007')).toMatchObject({
      from: '+15550199',
      variables: { name: 'N7', place: '7' },
    })
    const [first] = await recipientsOf(api, id)
    expect(first).toMatchObject({ row: 1, status: 'completed', attempts: 1 })
    const { body } = await api.ask('GET', `/call/detail/${first.session_id}`)
    expect(body.data).toMatchObject({ batch_id: id, recipient_id: 'r0', call_status: 'completed' })
    await expect.poll(async () => (await fixture.database.query('SELECT 1 FROM events')).length).toBe(25)
  })

  it('places no call before it is executed, or before its start time', async () => {
    const { runner } = await fixture.media()
    const stored = await newBatch(api, { agent_id: agentId, recipients: alike(2) })
    const schedule_time = new Date(Date.now() + 1_500).toISOString()
    const later = await newBatch(api, { agent_id: agentId, recipients: alike(3), schedule_time })
    expect(runner.plans).toEqual([])
    const batch = await becomes(api, later, 'completed')
    expect(new Date(batch.started_at) >= new Date(schedule_time)).toBe(true)
    expect(runner.plans).toHaveLength(3)
    expect((await batchOf(api, stored)).status).toBe('created')
  })

  it('never exceeds its own limit with several processes', async () => {
    const runners = [await fixture.media(), await fixture.media(), await fixture.media()].map(
      ({ runner }) => runner,
    )
    await fixture.api()
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, liveIn(...runners))), 5)
    const id = await started({ recipients: alike(60, [{ type: 'wait', ms: 20 }]), max_concurrency: 4 })
    await becomes(api, id, 'completed')
    clearInterval(watch)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
    expect(dialled(...runners)).toHaveLength(60)
  })

  it('never exceeds the limits of the workspace and of its number', async () => {
    const limits = { PARLEY_WORKSPACE_CONCURRENCY: '6', PARLEY_NUMBER_CONCURRENCY: '2' }
    const { runner } = await fixture.media(limits)
    const other = await fixture.api(limits)
    await started({ recipients: alike(10, forever), from_phone_number: '+15550199' })
    await started({ recipients: alike(10, forever) })
    await expect.poll(() => runner.live.size).toBe(6)
    expect(runner.plans.filter(({ from }) => from === '+15550199')).toHaveLength(2)
    await other.close()
  })

  it('does not starve a smaller one', async () => {
    const limits = { PARLEY_WORKSPACE_CONCURRENCY: '5' }
    await api.close()
    api = await fixture.api(limits)
    const { runner } = await fixture.media(limits)
    const large = await started({ recipients: alike(800, [{ type: 'wait', ms: 10 }]) })
    await expect.poll(() => runner.plans.length).toBeGreaterThan(20)
    const small = await started({ recipients: alike(10, [{ type: 'wait', ms: 10 }]) })
    await becomes(api, small, 'completed')
    expect((await batchOf(api, large)).counts.pending).toBeGreaterThan(400)
    await command(api, large, 'cancel')
  })

  it('shares capacity fairly, also among many large ones', async () => {
    const limits = { PARLEY_WORKSPACE_CONCURRENCY: '60' }
    await api.close()
    api = await fixture.api(limits)
    const { runner } = await fixture.media(limits, 60)
    for (let nth = 0; nth < 6; nth++) await started({ recipients: alike(200, [{ type: 'wait', ms: 300 }]) })
    await expect.poll(() => runner.plans.length).toBeGreaterThan(180)
    const small = await started({ recipients: alike(3) })
    await becomes(api, small, 'completed')
    const [between] = await fixture.database.query<{ begun: number }>(
      `SELECT count(*)::int AS begun FROM calls c,
         (SELECT min(created_at) AS asked, max(call_initiated_time) AS last FROM calls WHERE batch_id = $1) AS small
       WHERE c.batch_id <> $1 AND c.call_initiated_time BETWEEN small.asked AND small.last`,
      [small],
    )
    // About as many calls wait as run; up to their own limits, the six batches would have queued 300.
    expect(between?.begun).toBeLessThan(180)
  })

  it('pauses at once, and resumes exactly where it was', async () => {
    const { runner } = await fixture.media()
    const id = await started({ recipients: alike(160, [{ type: 'wait', ms: 30 }]), max_concurrency: 8 })
    await expect.poll(() => runner.plans.length).toBeGreaterThan(10)
    const asked = command(api, id, 'pause')
    expect((await asked).status).toBe(200)
    await expect.poll(() => runner.live.size).toBe(0)
    const whenPaused = runner.plans.length
    await expect.poll(async () => (await batchOf(api, id)).counts.completed).toBe(whenPaused)
    // Another batch runs to its end, so the feeder and the dispatcher have both run meanwhile.
    await becomes(api, await started({ recipients: alike(5) }), 'completed')
    expect(runner.plans).toHaveLength(whenPaused + 5)
    await command(api, id, 'resume')
    await becomes(api, id, 'completed')
    expect(new Set(dialled(runner)).size).toBe(160)
    expect(runner.plans).toHaveLength(165)
  })

  it('that is cancelled lets running calls end, and places no other', async () => {
    const { runner } = await fixture.media({}, 3)
    const id = await started({ recipients: alike(30, forever) })
    await expect.poll(() => runner.live.size).toBe(3)
    await expect.poll(async () => (await callsOf(fixture.database, id)).length).toBe(30)
    await command(api, id, 'cancel')
    expect((await batchOf(api, id)).counts).toMatchObject({ in_progress: 3, cancelled: 27, pending: 0 })
    expect(runner.live.size).toBe(3)
    expect(
      (await callsOf(fixture.database, id)).filter(({ call_status }) => call_status === 'canceled'),
    ).toHaveLength(27)
  })

  it('stops when its agent is deleted', async () => {
    const { runner } = await fixture.media({}, 2)
    const id = await started({ recipients: alike(20, forever) })
    await expect.poll(() => runner.live.size).toBe(2)
    await api.ask('DELETE', `/agents/${agentId}`)
    await becomes(api, id, 'cancelled')
    for (const sessionId of runner.live) await api.ask('POST', `/calls/${sessionId}/stop`)
    await expect.poll(() => runner.live.size).toBe(0)
    expect(runner.plans).toHaveLength(2)
  })

  it('whose agent was deleted during its creation is cancelled when it starts', async () => {
    const id = await newBatch(api, { agent_id: agentId, recipients: alike(2) })
    await execute(api, id)
    await fixture.database.query('UPDATE batches SET agent_id = gen_random_uuid() WHERE batch_id = $1', [id])
    expect((await becomes(api, id, 'cancelled')).status_reason).toContain('agent')
  })

  it('holds back its waiting calls while its agent takes no calls, and places them all afterwards', async () => {
    const { runner } = await fixture.media({}, 2)
    const id = await started({ recipients: alike(6, forever) })
    await expect.poll(async () => (await callsOf(fixture.database, id)).length).toBe(6)
    const become = (status: string) =>
      api.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: { status } } })
    await become('inactive')
    const held = () =>
      fixture.database.query(
        "SELECT 1 FROM calls WHERE batch_id = $1 AND due_at > now() + interval '1 year'",
        [id],
      )
    await expect.poll(async () => (await held()).length).toBe(4)
    await become('active')
    await expect.poll(async () => (await held()).length).toBe(0)
    for (const sessionId of [...runner.live]) await api.ask('POST', `/calls/${sessionId}/stop`)
    await expect.poll(() => runner.plans.length).toBe(4)
  })

  it('waits while its agent takes no calls', async () => {
    await fixture.media()
    const schedule_time = new Date(Date.now() + 1_000).toISOString()
    const id = await newBatch(api, { agent_id: agentId, recipients: alike(5), schedule_time })
    const become = (status: string) =>
      api.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: { status } } })
    await become('inactive')
    await becomes(api, id, 'in_progress')
    // Another agent's batch runs to its end meanwhile.
    const other = { agent_id: await newAgent(api), recipients: alike(2) }
    await becomes(api, await started(other), 'completed')
    expect(await callsOf(fixture.database, id)).toEqual([])
    await become('active')
    await becomes(api, id, 'completed')
  })
})

describe('a call that was claimed and released', () => {
  it('waits while its batch is paused, and is cancelled with it', async () => {
    const { runner } = await fixture.media({}, 2)
    const id = await started({ recipients: alike(2, forever) })
    await expect.poll(() => runner.live.size).toBe(2)
    await command(api, id, 'pause')
    const giveBack = () =>
      fixture.database.query<{ held: boolean }>(
        `UPDATE calls SET claimed_by = NULL, due_at = now() WHERE session_id =
         (SELECT session_id FROM calls WHERE batch_id = $1 AND claimed_by IS NOT NULL LIMIT 1)`,
        [id],
      )
    await giveBack()
    const held = await fixture.database.query(
      "SELECT 1 FROM calls WHERE batch_id = $1 AND due_at > now() + interval '1 year'",
      [id],
    )
    expect(held).toHaveLength(1)
    await command(api, id, 'cancel')
    await giveBack()
    expect((await batchOf(api, id)).counts).toMatchObject({ cancelled: 2, in_progress: 0 })
  })
})

describe('a process that dies', () => {
  it('before a phone rang costs its recipients no retry: they are called again', async () => {
    const lost = await fixture.media({}, 5)
    const id = await started({ recipients: alike(5, [{ type: 'until-stopped' }]) })
    await expect.poll(() => lost.runner.live.size).toBe(5)
    // As if it had died: the owner of its claims is not alive.
    await fixture.database.query('UPDATE calls SET claimed_by = 1 WHERE batch_id = $1', [id])
    const { runner } = await fixture.media({}, 5)
    await expect.poll(() => runner.plans.length).toBe(5)
    expect((await recipientsOf(api, id)).map(({ attempts }: { attempts: number }) => attempts)).toEqual([
      2, 2, 2, 2, 2,
    ])
    expect((await callsOf(fixture.database, id)).length).toBe(10)
  })
})
