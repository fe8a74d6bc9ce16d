// The rules of a running batch: calling hours, retries, and a failing carrier.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  alike,
  batchOf,
  becomes,
  callsOf,
  carrierFails,
  dialled,
  ends,
  forever,
  noAnswer,
  recipients,
  recipientsOf,
  startedBatch,
} from '../support/batch-fixture.ts'
import { type CallFixture, newAgent, openCallFixture } from '../support/call-fixture.ts'
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

describe('calling hours', () => {
  const clock = (offsetHours: number) =>
    new Date(Date.now() + offsetHours * 3_600_000).toISOString().slice(11, 16)
  const now = () => ({ start_time: clock(-1), end_time: clock(1) })
  const notNow = () => ({ start_time: clock(2), end_time: clock(3) })

  it('are in the time zone of each recipient', async () => {
    const { runner } = await fixture.media()
    // At UTC+3 the window is over; for recipients without a zone of their own it is not.
    const id = await started({
      recipients: recipients(20, (place) => (place % 2 ? { timezone: 'Etc/GMT-3' } : {})),
      calling_window: { timezone: 'UTC', ...now() },
    })
    await expect.poll(async () => (await batchOf(api, id)).counts.completed).toBe(10)
    expect(await batchOf(api, id)).toMatchObject({ status: 'in_progress', counts: { pending: 10 } })
    expect(runner.plans).toHaveLength(10)
    await api.ask('PATCH', `/batch-calls/${id}`, { body: { calling_window: null } })
    await becomes(api, id, 'completed')
    expect(new Set(dialled(runner)).size).toBe(20)
  })

  it('hold back all recipients before they begin, and calls still waiting for capacity after they end', async () => {
    const { runner } = await fixture.media({}, 2)
    const id = await started({
      recipients: alike(10, forever),
      calling_window: { timezone: 'UTC', ...now() },
    })
    await expect.poll(() => runner.live.size).toBe(2)
    await expect.poll(async () => (await callsOf(fixture.database, id)).length).toBe(10)
    await api.ask('PATCH', `/batch-calls/${id}`, {
      body: { calling_window: { timezone: 'UTC', ...notNow() } },
    })
    const held = () =>
      fixture.database.query(
        "SELECT 1 FROM calls WHERE batch_id = $1 AND due_at > now() + interval '1 year'",
        [id],
      )
    await expect.poll(async () => (await held()).length).toBe(8)
    for (const sessionId of runner.live) await api.ask('POST', `/calls/${sessionId}/stop`)
    await expect.poll(() => runner.live.size).toBe(0)
    expect(runner.plans).toHaveLength(2)
    await api.ask('PATCH', `/batch-calls/${id}`, { body: { calling_window: { timezone: 'UTC', ...now() } } })
    await expect.poll(() => runner.plans.length).toBe(4)
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

  it('are made for the configured outcomes, up to the configured number', async () => {
    const { runner } = await fixture.media()
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
    expect(runner.plans).toHaveLength(11)
    const sessions = (await callsOf(fixture.database, id)).map(({ session_id }) => session_id)
    expect(new Set(sessions).size).toBe(11)
  })

  it('wait for their interval', async () => {
    await fixture.media()
    const id = await started({ recipients: alike(1, noAnswer), ...retry({ intervals_minutes: [30] }) })
    const waiting = async () => (await recipientsOf(api, id))[0]
    await expect.poll(async () => (await waiting()).next_attempt_at).not.toBeNull()
    const { status, attempts, next_attempt_at } = await waiting()
    expect([status, attempts]).toEqual(['pending', 1])
    expect(new Date(next_attempt_at).getTime() - Date.now()).toBeGreaterThan(29 * 60_000)
  })

  it('follow the list of intervals', async () => {
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
          const [row] = await fixture.database.query<{ minutes: number | null }>(
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
    const { runner } = await fixture.media()
    const id = await started({
      recipients: recipients(200, (place) => ({ script: place % 2 ? carrierFails : noAnswer })),
      max_concurrency: 5,
    })
    const batch = await becomes(api, id, 'failed')
    expect(batch.status_reason).toContain('carrier')
    expect(runner.plans.length).toBeGreaterThanOrEqual(20)
    expect(runner.plans.length).toBeLessThan(60)
    await expect.poll(async () => (await batchOf(api, id)).counts.in_progress).toBe(0)
    const { counts } = await batchOf(api, id)
    expect(counts).toMatchObject({ skipped: 200 - runner.plans.length, cancelled: 0, pending: 0 })
  })

  it('now and then does not stop it, nor do recipients who do not answer', async () => {
    const { runner } = await fixture.media()
    const id = await started({
      recipients: recipients(60, (place) => ({ script: place % 3 ? noAnswer : carrierFails })),
    })
    await becomes(api, id, 'completed')
    expect(runner.plans).toHaveLength(60)
  })
})
