// Batches that are under way: who is called when, how often, and by how many at once. Real services, a real database.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  batchOf,
  becomes,
  command,
  execute,
  newBatch,
  type Recipient,
  recipients,
  recipientsOf,
} from './support/batch-stage.ts'
import { type CallStage, newAgent, setCallStage } from './support/call-stage.ts'
import type { ScriptedRunner, Step } from './support/scripted-runner.ts'
import type { TestService } from './support/service.ts'

let stage: CallStage
let api: TestService
let agentId: string
beforeEach(async () => {
  stage = await setCallStage()
  api = await stage.api()
  agentId = await newAgent(api)
})
afterEach(() => stage.close())

const forever: Step[] = [{ type: 'status', status: 'in-progress' }, { type: 'until-stopped' }]
const ends = (outcome: object): Step[] => [{ type: 'outcome', outcome }]
const noAnswer = ends({
  status: 'no-answer',
  terminatedBy: 'carrier',
  hangupReason: 'dial_no_answer',
  answeredBy: null,
})
const carrierFails = ends({
  status: 'failed',
  terminatedBy: 'carrier',
  hangupReason: 'dial_failed',
  answeredBy: null,
})

const started = async (body: object): Promise<string> => {
  const id = await newBatch(api, { agent_id: agentId, ...body })
  await execute(api, id)
  return id
}
const list = (count: number, script?: Step[], more: Recipient = {}) =>
  recipients(count, () => ({ ...(script && { script }), ...more }))
const dialled = (...runners: ScriptedRunner[]) => runners.flatMap(({ orders }) => orders.map(({ to }) => to))
const callsOf = (batchId: string) =>
  stage.database.query<{ session_id: string; finished: boolean; call_status: string; recipient_id: string }>(
    'SELECT session_id, finished, call_status, recipient_id FROM calls WHERE batch_id = $1 ORDER BY created_at',
    [batchId],
  )
const liveIn = (...runners: ScriptedRunner[]) => runners.reduce((sum, { live }) => sum + live.size, 0)

describe('a batch', () => {
  it('calls everybody once, with their variables, and is then completed', async () => {
    const { runner } = await stage.media()
    const id = await started({
      recipients: recipients(25, (place) => ({ name: `N${place}`, variables: { place } })),
      from_phone_number: '+15550199',
    })
    const batch = await becomes(api, id, 'completed')
    expect(batch).toMatchObject({ counts: { completed: 25, pending: 0 }, completed_at: expect.any(String) })
    expect(new Set(dialled(runner)).size).toBe(25)
    expect(runner.orders).toHaveLength(25)
    expect(runner.orders.find(({ to }) => to === '+15550000007')).toMatchObject({
      from: '+15550199',
      variables: { name: 'N7', place: '7' },
    })
    const [first] = await recipientsOf(api, id)
    expect(first).toMatchObject({ row: 1, status: 'completed', attempts: 1 })
    const { body } = await api.ask('GET', `/call/detail/${first.session_id}`)
    expect(body.data).toMatchObject({ batch_id: id, recipient_id: 'r0', call_status: 'completed' })
    await expect
      .poll(async () => (await stage.database.query('SELECT 1 FROM events')).length, { timeout: 10_000 })
      .toBe(25)
  })

  it('calls nobody before it is executed, or before its time', async () => {
    const { runner } = await stage.media()
    const stored = await newBatch(api, { agent_id: agentId, recipients: list(2) })
    const schedule_time = new Date(Date.now() + 1_500).toISOString()
    const later = await newBatch(api, { agent_id: agentId, recipients: list(3), schedule_time })
    expect(runner.orders).toEqual([])
    const batch = await becomes(api, later, 'completed')
    expect(new Date(batch.started_at) >= new Date(schedule_time)).toBe(true)
    expect(runner.orders).toHaveLength(3)
    expect((await batchOf(api, stored)).status).toBe('created')
  })

  it('keeps to its own limit, exactly, with several processes', async () => {
    const runners = [await stage.media(), await stage.media(), await stage.media()].map(
      ({ runner }) => runner,
    )
    await stage.api()
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, liveIn(...runners))), 5)
    const id = await started({ recipients: list(60, [{ type: 'wait', ms: 20 }]), max_concurrency: 4 })
    await becomes(api, id, 'completed')
    clearInterval(watch)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
    expect(dialled(...runners)).toHaveLength(60)
  })

  it('keeps to the limits of the workspace and of its number', async () => {
    const limits = { PARLEY_WORKSPACE_CONCURRENCY: '6', PARLEY_NUMBER_CONCURRENCY: '2' }
    const { runner } = await stage.media(limits)
    const other = await stage.api(limits)
    await started({ recipients: list(10, forever), from_phone_number: '+15550199' })
    await started({ recipients: list(10, forever) })
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(6)
    expect(runner.orders.filter(({ from }) => from === '+15550199')).toHaveLength(2)
    await other.close()
  })

  it('does not starve a small one', async () => {
    const limits = { PARLEY_WORKSPACE_CONCURRENCY: '5' }
    await api.close()
    api = await stage.api(limits)
    const { runner } = await stage.media(limits)
    const large = await started({ recipients: list(2_000, [{ type: 'wait', ms: 10 }]) })
    await expect.poll(() => runner.orders.length, { timeout: 10_000 }).toBeGreaterThan(20)
    const small = await started({ recipients: list(10, [{ type: 'wait', ms: 10 }]) })
    await becomes(api, small, 'completed')
    expect((await batchOf(api, large)).counts.pending).toBeGreaterThan(1_000)
    await command(api, large, 'cancel')
  })

  it('pauses at once, and goes on exactly where it was', async () => {
    const { runner } = await stage.media()
    const id = await started({ recipients: list(400, [{ type: 'wait', ms: 30 }]), max_concurrency: 8 })
    await expect.poll(() => runner.orders.length, { timeout: 10_000 }).toBeGreaterThan(10)
    const asked = command(api, id, 'pause')
    expect((await asked).status).toBe(200)
    await expect.poll(() => runner.live.size, { timeout: 5_000 }).toBe(0)
    const whenPaused = runner.orders.length
    await expect.poll(async () => (await batchOf(api, id)).counts.completed).toBe(whenPaused)
    // Another one comes and goes: whoever feeds and whoever dials have had their turns meanwhile.
    await becomes(api, await started({ recipients: list(5) }), 'completed')
    expect(runner.orders).toHaveLength(whenPaused + 5)
    await command(api, id, 'resume')
    await becomes(api, id, 'completed')
    expect(new Set(dialled(runner)).size).toBe(400)
    expect(runner.orders).toHaveLength(405)
  })

  it('that is cancelled lets calls under way go on, and calls nobody else', async () => {
    const { runner } = await stage.media({}, 3)
    const id = await started({ recipients: list(30, forever) })
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(3)
    await expect.poll(async () => (await callsOf(id)).length, { timeout: 10_000 }).toBe(30)
    await command(api, id, 'cancel')
    expect((await batchOf(api, id)).counts).toMatchObject({ in_progress: 3, cancelled: 27, pending: 0 })
    expect(runner.live.size).toBe(3)
    expect((await callsOf(id)).filter(({ call_status }) => call_status === 'canceled')).toHaveLength(27)
  })

  it('stops when its agent is deleted', async () => {
    const { runner } = await stage.media({}, 2)
    const id = await started({ recipients: list(20, forever) })
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(2)
    await api.ask('DELETE', `/agents/${agentId}`)
    await becomes(api, id, 'cancelled')
    for (const sessionId of runner.live) await api.ask('POST', `/calls/${sessionId}/stop`)
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(0)
    expect(runner.orders).toHaveLength(2)
  })

  it('whose agent went while it was being made is given up when it starts', async () => {
    const id = await newBatch(api, { agent_id: agentId, recipients: list(2) })
    await execute(api, id)
    await stage.database.query('UPDATE batches SET agent_id = gen_random_uuid() WHERE batch_id = $1', [id])
    expect((await becomes(api, id, 'cancelled')).status_reason).toContain('agent')
  })

  it('waits while its agent takes no calls', async () => {
    await stage.media()
    const schedule_time = new Date(Date.now() + 1_000).toISOString()
    const id = await newBatch(api, { agent_id: agentId, recipients: list(5), schedule_time })
    const become = (status: string) =>
      api.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: { status } } })
    await become('inactive')
    await becomes(api, id, 'in_progress')
    // Another agent's batch comes and goes meanwhile.
    const other = { agent_id: await newAgent(api), recipients: list(2) }
    await becomes(api, await started(other), 'completed')
    expect(await callsOf(id)).toEqual([])
    await become('active')
    await becomes(api, id, 'completed')
  })
})

describe('the hours', () => {
  const clock = (offsetHours: number) =>
    new Date(Date.now() + offsetHours * 3_600_000).toISOString().slice(11, 16)
  const now = () => ({ start_time: clock(-1), end_time: clock(1) })
  const notNow = () => ({ start_time: clock(2), end_time: clock(3) })

  it('of everybody’s own zone count', async () => {
    const { runner } = await stage.media()
    // Where it is three hours later than in UTC, the window is over; where there is no zone of their own, it is not.
    const id = await started({
      recipients: recipients(20, (place) => (place % 2 ? { timezone: 'Etc/GMT-3' } : {})),
      calling_window: { timezone: 'UTC', ...now() },
    })
    await expect.poll(async () => (await batchOf(api, id)).counts.completed, { timeout: 10_000 }).toBe(10)
    expect(await batchOf(api, id)).toMatchObject({ status: 'in_progress', counts: { pending: 10 } })
    expect(runner.orders).toHaveLength(10)
    await api.ask('PATCH', `/batch-calls/${id}`, { body: { calling_window: null } })
    await becomes(api, id, 'completed')
    expect(new Set(dialled(runner)).size).toBe(20)
  })

  it('that have not come let everybody wait, and calls that wait for room too when they are over', async () => {
    const { runner } = await stage.media({}, 2)
    const id = await started({ recipients: list(10, forever), calling_window: { timezone: 'UTC', ...now() } })
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(2)
    await expect.poll(async () => (await callsOf(id)).length, { timeout: 10_000 }).toBe(10)
    await api.ask('PATCH', `/batch-calls/${id}`, {
      body: { calling_window: { timezone: 'UTC', ...notNow() } },
    })
    const held = () =>
      stage.database.query("SELECT 1 FROM calls WHERE batch_id = $1 AND due_at > now() + interval '1 year'", [
        id,
      ])
    await expect.poll(async () => (await held()).length, { timeout: 10_000 }).toBe(8)
    for (const sessionId of runner.live) await api.ask('POST', `/calls/${sessionId}/stop`)
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(0)
    expect(runner.orders).toHaveLength(2)
    await api.ask('PATCH', `/batch-calls/${id}`, { body: { calling_window: { timezone: 'UTC', ...now() } } })
    await expect.poll(() => runner.orders.length, { timeout: 10_000 }).toBe(4)
  })
})

describe('retries', () => {
  const retry = (more: object) => ({
    retry_config: {
      max_retries: 2,
      retry_on: ['no-answer', 'busy', 'voicemail'],
      intervals_minutes: [0],
      ...more,
    },
  })

  it('are made for the outcomes that were named, as often as was said', async () => {
    const { runner } = await stage.media()
    const scripts = [noAnswer, ends({ status: 'busy' }), carrierFails, ends({ answeredBy: 'voicemail' }), []]
    const id = await started({
      recipients: recipients(5, (place) => ({ script: scripts[place] ?? [] })),
      ...retry({}),
    })
    const { counts } = await becomes(api, id, 'completed')
    expect(counts).toMatchObject({ 'no-answer': 1, busy: 1, failed: 1, voicemail: 1, completed: 1 })
    expect((await recipientsOf(api, id)).map(({ attempts }: { attempts: number }) => attempts)).toEqual([
      3, 3, 1, 3, 1,
    ])
    expect(runner.orders).toHaveLength(11)
    const sessions = (await callsOf(id)).map(({ session_id }) => session_id)
    expect(new Set(sessions).size).toBe(11)
  })

  it('wait for their time', async () => {
    await stage.media()
    const id = await started({ recipients: list(1, noAnswer), ...retry({ intervals_minutes: [30] }) })
    const waiting = async () => (await recipientsOf(api, id))[0]
    await expect.poll(async () => (await waiting()).next_attempt_at, { timeout: 10_000 }).not.toBeNull()
    const { status, attempts, next_attempt_at } = await waiting()
    expect([status, attempts]).toEqual(['pending', 1])
    expect(new Date(next_attempt_at).getTime() - Date.now()).toBeGreaterThan(29 * 60_000)
  })

  it('follow the list of intervals, whatever it is', async () => {
    const outcomes = ['no-answer', 'busy', 'failed', 'voicemail'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          max_retries: fc.integer({ min: 0, max: 10 }),
          retry_on: fc.uniqueArray(fc.constantFrom(...outcomes)),
          intervals_minutes: fc.array(fc.integer({ min: 0, max: 10_080 }), { minLength: 1, maxLength: 10 }),
        }),
        fc.constantFrom(...outcomes, 'completed', 'cancelled'),
        fc.integer({ min: 0, max: 12 }),
        async (config, outcome, retries) => {
          const [row] = await stage.database.query<{ minutes: number | null }>(
            'SELECT retry_minutes($1, $2, $3) AS minutes',
            [JSON.stringify(config), outcome, retries],
          )
          const wanted = retries < config.max_retries && (config.retry_on as string[]).includes(outcome)
          const { intervals_minutes: intervals } = config
          expect(row?.minutes).toBe(wanted ? (intervals[retries] ?? intervals.at(-1)) : null)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a carrier that fails', () => {
  it('stops the batch when half of at least twenty dials failed', async () => {
    const { runner } = await stage.media()
    const id = await started({
      recipients: recipients(200, (place) => ({ script: place % 2 ? carrierFails : noAnswer })),
      max_concurrency: 5,
    })
    const batch = await becomes(api, id, 'failed')
    expect(batch.status_reason).toContain('carrier')
    expect(runner.orders.length).toBeGreaterThanOrEqual(20)
    expect(runner.orders.length).toBeLessThan(60)
    await expect.poll(async () => (await batchOf(api, id)).counts.in_progress).toBe(0)
    const { counts } = await batchOf(api, id)
    expect(counts.skipped + counts.cancelled).toBe(200 - runner.orders.length)
  })

  it('now and then, or people who do not answer, do not', async () => {
    const { runner } = await stage.media()
    const id = await started({
      recipients: recipients(60, (place) => ({ script: place % 3 ? noAnswer : carrierFails })),
    })
    await becomes(api, id, 'completed')
    expect(runner.orders).toHaveLength(60)
  })
})

describe('whoever watches', () => {
  it('is told how far it is, until it is over', async () => {
    await stage.media()
    const id = await newBatch(api, { agent_id: agentId, recipients: list(5, [{ type: 'wait', ms: 50 }]) })
    const watching = api.ask('GET', `/batch-calls/${id}/events`)
    await execute(api, id)
    const { text, headers } = await watching
    expect(headers.get('content-type')).toContain('text/event-stream')
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type, data = '']) => [
      type,
      JSON.parse(data),
    ])
    expect(events[0]?.[1]).toMatchObject({ recipient_count: 5, at: expect.any(String) })
    expect(events.at(-1)).toMatchObject(['ended', { status: 'completed', counts: { completed: 5 } }])
  })

  it('gets the results as a file', async () => {
    await stage.media()
    const id = await started({
      recipients: recipients(3, (place) => ({
        name: ['Ada "L"', '=1+1', 'x'][place] as string,
        script: place === 2 ? noAnswer : [],
      })),
    })
    await becomes(api, id, 'completed')
    const { text, headers } = await api.ask('GET', `/batch-calls/${id}/results.csv`)
    expect(headers.get('content-disposition')).toContain(`batch-${id}.csv`)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(
      /^1,r0,\+15550000000,"Ada ""L""",completed,1,[0-9a-f-]{36},completed,human,user_hangup,1\.5,/,
    )
    expect(lines[2]).toMatch(/^2,r1,\+15550000001,'=1\+1,completed/)
    expect(lines[3]).toMatch(/^3,r2,\+15550000002,x,no-answer,1,/)
  })
})

describe('a call that was claimed and is given back', () => {
  it('waits while its batch is paused, and is cancelled with it', async () => {
    const { runner } = await stage.media({}, 2)
    const id = await started({ recipients: list(2, forever) })
    await expect.poll(() => runner.live.size, { timeout: 10_000 }).toBe(2)
    await command(api, id, 'pause')
    const giveBack = () =>
      stage.database.query<{ held: boolean }>(
        `UPDATE calls SET claimed_by = NULL, due_at = now() WHERE session_id =
         (SELECT session_id FROM calls WHERE batch_id = $1 AND claimed_by IS NOT NULL LIMIT 1)`,
        [id],
      )
    await giveBack()
    const held = await stage.database.query(
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
  it('before anybody’s telephone rang costs its recipients no retry: they are called again', async () => {
    const lost = await stage.media({}, 5)
    const id = await started({ recipients: list(5, [{ type: 'until-stopped' }]) })
    await expect.poll(() => lost.runner.live.size, { timeout: 10_000 }).toBe(5)
    // As if it were gone: whoever holds its claims is not alive.
    await stage.database.query('UPDATE calls SET claimed_by = 1 WHERE batch_id = $1', [id])
    const { runner } = await stage.media({}, 5)
    await expect.poll(() => runner.orders.length, { timeout: 30_000 }).toBe(5)
    expect((await recipientsOf(api, id)).map(({ attempts }: { attempts: number }) => attempts)).toEqual([
      2, 2, 2, 2, 2,
    ])
    expect((await callsOf(id)).length).toBe(10)
  }, 60_000)
})
