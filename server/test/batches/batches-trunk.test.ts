// A batch whose trunk is gone: it waits, nobody is lost or counted as not answering, and it goes on. Real services, a real database.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  alike,
  batchOf,
  becomes,
  command,
  ends,
  forever,
  recipients,
  recipientsOf,
  startedBatch,
} from '../support/batch-fixture.ts'
import { type CallFixture, newAgent, openCallFixture } from '../support/call-fixture.ts'
import type { ScriptedRunner, Step } from '../support/scripted-runner.ts'
import type { TestService } from '../support/service.ts'

const silence = ends({
  status: 'failed',
  terminatedBy: 'carrier',
  hangupReason: 'trunk_unreachable',
  errorMessage: 'The trunk did not answer.',
  answeredBy: null,
})

let fixture: CallFixture
let api: TestService
let agentId: string
let runner: ScriptedRunner
/** What calls do now; undefined: what their recipient says. */
let now: Step[] | undefined
beforeEach(async () => {
  fixture = await openCallFixture()
  api = await fixture.api()
  agentId = await newAgent(api)
  ;({ runner } = await fixture.media({}, 8))
  now = silence
  runner.onRun = () => {
    const plan: { metadata: unknown } | undefined = runner.plans.at(-1)
    if (plan && now) plan.metadata = { script: now }
  }
})
afterEach(() => fixture.close())

const started = (body: object) => startedBatch(api, { agent_id: agentId, ...body })
const waitsFor = (id: string) => becomes(api, id, 'paused')

/** As if its pause were over, and that of each of its recipients. */
async function passPause(id: string): Promise<void> {
  await fixture.database.query(
    'UPDATE batch_recipients SET due_at = now() WHERE batch_id = $1 AND due_at > now()',
    [id],
  )
  await fixture.database.query(
    'UPDATE batches SET resume_at = now() WHERE batch_id = $1 AND resume_at > now()',
    [id],
  )
}

const pauses = async (id: string) =>
  (
    await fixture.database.query<{ n: number }>('SELECT trunk_tries AS n FROM batches WHERE batch_id = $1', [
      id,
    ])
  )[0]?.n

describe('a batch whose trunk does not answer', () => {
  it('is paused with its reason, and every recipient waits without having used up a retry', async () => {
    const id = await started({ recipients: alike(30), max_concurrency: 4, retry_config: { max_retries: 1 } })
    const batch = await waitsFor(id)
    expect(batch.status_reason).toMatch(/^The trunk of this batch does not answer, so nobody is called\./)
    expect(new Date(batch.resumes_at).getTime()).toBeGreaterThan(Date.now())
    await expect.poll(async () => (await batchOf(api, id)).counts.pending).toBe(30)
    expect((await batchOf(api, id)).counts).toMatchObject({ failed: 0, 'no-answer': 0, in_progress: 0 })
    expect(runner.plans.length).toBeLessThan(20)
  })

  it('tries it with one call at a time, and waits longer each time', async () => {
    const id = await started({ recipients: alike(6) })
    await waitsFor(id)
    for (const tries of [2, 3, 4]) {
      await expect.poll(() => runner.live.size).toBe(0)
      const before = runner.plans.length
      await passPause(id)
      await expect.poll(() => pauses(id)).toBe(tries)
      expect(runner.plans.length - before).toBe(1)
    }
  })

  it('goes on by itself as soon as a telephone rings, at its full speed, and calls everybody', async () => {
    const id = await started({ recipients: alike(25) })
    await waitsFor(id)
    await expect.poll(() => runner.live.size).toBe(0)
    // The first one talks for as long as the test lasts.
    now = forever
    await passPause(id)
    await expect.poll(() => runner.live.size).toBe(8)
    expect(await batchOf(api, id)).toMatchObject({
      status: 'in_progress',
      status_reason: null,
      resumes_at: null,
    })
    now = undefined
    for (const sessionId of [...runner.live]) await api.ask('POST', `/calls/${sessionId}/stop`)
    const { counts } = await becomes(api, id, 'completed')
    expect(counts).toMatchObject({ completed: 25, failed: 0 })
    expect(new Set(runner.plans.map(({ to }) => to)).size).toBe(25)
  })

  it('goes on by hand, and says meanwhile that the trunk is tried', async () => {
    const id = await started({ recipients: alike(5) })
    await waitsFor(id)
    now = [
      { type: 'wait', ms: 300 },
      { type: 'status', status: 'ringing' },
    ]
    expect((await command(api, id, 'resume')).status).toBe(200)
    expect((await batchOf(api, id)).status_reason).toMatch(
      /^The trunk did not answer; calls are placed one at a time/,
    )
    expect((await becomes(api, id, 'completed')).counts.completed).toBe(5)
  })

  it('stays paused when a person pauses it, and is cancelled like any other', async () => {
    const id = await started({ recipients: alike(5) })
    await waitsFor(id)
    expect((await command(api, id, 'pause')).status).toBe(200)
    expect(await batchOf(api, id)).toMatchObject({ status: 'paused', status_reason: null, resumes_at: null })
    expect((await command(api, id, 'pause')).status).toBe(400)
    expect((await command(api, id, 'cancel')).status).toBe(200)
    expect((await batchOf(api, id)).counts).toMatchObject({ cancelled: 5 })
  })
})

describe('a number for which the trunk never answers', () => {
  const one = (more: object) => {
    const rings: Step[] = [{ type: 'status', status: 'ringing' }]
    return started({
      recipients: recipients(12, (place) => ({ script: place === 0 ? silence : rings })),
      retry_config: { max_retries: 0 },
      ...more,
    })
  }

  it('does not keep the others waiting', async () => {
    now = undefined
    const id = await one({ max_concurrency: 1 })
    await expect.poll(async () => (await batchOf(api, id)).counts.completed).toBe(11)
    expect((await batchOf(api, id)).counts).toMatchObject({ failed: 0, completed: 11 })
    const [first] = await recipientsOf(api, id)
    expect(first).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) })
  })

  it('is given up in the end, and the batch is completed', async () => {
    now = undefined
    const id = await one({})
    const status = async () => {
      await passPause(id)
      return (await batchOf(api, id)).status
    }
    await expect.poll(status, { interval: 50 }).toBe('completed')
    expect((await batchOf(api, id)).counts).toMatchObject({ completed: 11, failed: 1 })
    const [first] = await recipientsOf(api, id)
    expect(first).toMatchObject({ status: 'failed', hangup_reason: 'trunk_unreachable' })
    expect(first.attempts).toBeLessThanOrEqual(40)
  })
})
