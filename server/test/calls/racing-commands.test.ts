// Racing commands: the statement that updates the row decides, so one succeeds and the others are refused with the
// reason. Half of the requests go to another process.
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { alike, batchOf, execute, newBatch, recipients, startedBatch } from '../support/batch-fixture.ts'
import { type CallFixture, detailOf, newAgent, openCallFixture, placeCall } from '../support/call-fixture.ts'
import { mediaProcess, type RunningProcess, startProcess } from '../support/process.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { inRounds, interleaved, oneOf, outcomes } from '../support/requests/race.ts'
import type { ScriptedRunner } from '../support/scripted-runner.ts'
import { boundKey, type Reply, type TestService } from '../support/service.ts'

let fixture: CallFixture
let service: TestService
let media: TestService & { runner: ScriptedRunner }
let other: RunningProcess
let agentId: string
let otherData: string
let receiver: Receiver

const ofBoth = { PARLEY_RATE_LIMIT: '1000000', PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true' }
beforeAll(async () => {
  fixture = await openCallFixture()
  receiver = await openReceiver()
  service = await fixture.api({ ...ofBoth, PARLEY_ROLES: 'api' })
  media = await fixture.media({}, 200)
  agentId = await newAgent(service)
  otherData = await mkdtemp(join(tmpdir(), 'parley-other-'))
  other = await startProcess(
    {
      DATABASE_URL: fixture.database.url,
      PARLEY_SECRET: 'a secret for tests only',
      PARLEY_DATA_DIR: otherData,
      ...ofBoth,
      PARLEY_ROLES: 'api',
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
    },
    { program: mediaProcess },
  )
})
afterAll(async () => {
  await other?.end()
  await fixture?.close()
  await receiver?.close()
  if (otherData) await rm(otherData, { recursive: true, force: true })
})

interface RacingRequest {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}

/** Concurrently, alternating between two processes. */
const race = (requests: readonly RacingRequest[]): Promise<Pick<Reply, 'status' | 'body'>[]> =>
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

const five = (sent: RacingRequest): RacingRequest[] => Array.from({ length: 5 }, () => sent)
const conflict = '400 BATCH_STATE_CONFLICT'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

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
    await inRounds(async () => {
      const id = await make()
      const replies = await race(five({ path: `/batch-calls/${id}/${name}` }))
      expect(outcomes(replies)).toEqual(oneOf(conflict))
      expect((await batchOf(service, id)).status).toBe(status)
    })
  })

  it('one deletion succeeds, and the others find nothing', async () => {
    await inRounds(async () => {
      const id = await created()
      const replies = await race(five({ method: 'DELETE', path: `/batch-calls/${id}` }))
      expect(outcomes(replies)).toEqual(oneOf('404 BATCH_NOT_FOUND'))
    })
  })

  it('different ones succeed only if some order of them is valid', async () => {
    await inRounds(async () => {
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
    })
  })

  it('a deletion and an execution exclude each other', async () => {
    await inRounds(async () => {
      const id = await created()
      const [executed, deleted] = await race([
        { path: `/batch-calls/${id}/execute` },
        { method: 'DELETE', path: `/batch-calls/${id}` },
      ])
      const won = executed?.status === 200 ? ['success', conflict] : ['404 BATCH_NOT_FOUND', 'success']
      expect(outcomes([executed as Reply, deleted as Reply])).toEqual(won.toSorted())
    })
  })
})

describe('concurrent changes of a batch', () => {
  it('of different fields are all kept', async () => {
    await inRounds(async () => {
      const id = await created()
      const schedule = inAnHour()
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
    })
  })

  it('never revive a cancelled batch', async () => {
    await inRounds(async () => {
      const id = await created()
      const schedule_time = inAnHour()
      const [cancelled] = await race([
        { path: `/batch-calls/${id}/cancel` },
        { method: 'PATCH', path: `/batch-calls/${id}`, body: { schedule_time } },
      ])
      expect(cancelled?.status).toBe(200)
      expect((await batchOf(service, id)).status).toBe('cancelled')
    })
  })
})

describe('of five concurrent requests to stop a call', () => {
  const conflicts = oneOf('400 CALL_STATE_CONFLICT')

  it('one succeeds while the call is queued', async () => {
    await inRounds(async () => {
      const schedule_time = inAnHour()
      const id = await placeCall(service, agentId, { schedule_time })
      const replies = await race(five({ path: `/calls/${id}/stop` }))
      expect(outcomes(replies)).toEqual(conflicts)
      expect(replies.find(({ status }) => status === 200)?.body.data.call_status).toBe('canceled')
      expect((await detailOf(service, id)).call_status).toBe('canceled')
    })
  })

  it('one succeeds while the call runs, and the others answer that it is being stopped', async () => {
    // Otherwise a call could have ended before the last request.
    const ends = Promise.withResolvers<void>()
    media.runner.mayEnd = ends.promise
    onTestFinished(() => ends.resolve())
    const script = [{ type: 'status', status: 'in-progress' }, { type: 'until-stopped' }] as const
    await inRounds(async () => {
      const id = await placeCall(service, agentId, { script })
      await expect.poll(() => media.runner.live.has(id)).toBe(true)
      const replies = await race(five({ path: `/calls/${id}/stop` }))
      expect(outcomes(replies)).toEqual(conflicts)
      for (const { body } of replies.filter(({ status }) => status === 400))
        expect(body.message).toBe('This call is already being stopped.')
    })
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
      else await expect.poll(() => media.runner.stops.get(session_id)).toBe('api')
    }
  })
})

it('a concurrent repetition of a command gets the response of the first', async () => {
  await inRounds(async () => {
    const id = await newBatch(service, { agent_id: agentId, recipients: alike(2) })
    await execute(service, id)
    const replies = await race(five({ path: `/batch-calls/${id}/pause`, key: `pause ${id}` }))
    expect(new Set(outcomes(replies))).toEqual(new Set(['success']))
  })
})

describe('an agent', () => {
  it('is deleted by one of five concurrent requests, and the others find nothing', async () => {
    await inRounds(async () => {
      const id = await newAgent(service)
      const replies = await race(five({ method: 'DELETE', path: `/agents/${id}` }))
      expect(outcomes(replies)).toEqual(oneOf('404 AGENT_NOT_FOUND'))
    })
  })

  it('that is deleted takes no calls, also of requests that had found it before', async () => {
    const to_phone_number = '+15550100'
    await inRounds(async () => {
      const agent_id = await newAgent(service)
      const place = { path: '/calls', body: { agent_id, to_phone_number, schedule_time: inAnHour() } }
      const [deleted, ...placed] = await race([
        { method: 'DELETE', path: `/agents/${agent_id}` },
        place,
        place,
      ])
      expect(deleted?.status).toBe(200)
      for (const { status } of placed) expect([201, 404]).toContain(status)
    })
    const agent_id = await newAgent(service)
    const reply = await interleaved(fixture.database, {
      hold: 'LOCK TABLE calls IN SHARE MODE',
      waitingIn: 'INSERT INTO calls',
      request: () => service.ask('POST', '/calls', { body: { agent_id, to_phone_number } }),
      meanwhile: async () => {
        expect((await service.ask('DELETE', `/agents/${agent_id}`)).status).toBe(200)
      },
    })
    expect([reply.status, reply.body.code]).toEqual([404, 'AGENT_NOT_FOUND'])
  })

  it('that is deleted leaves no batch that waits for it', async () => {
    await inRounds(async () => {
      const agent_id = await newAgent(service)
      const body = { name: 'Late', agent_id, recipients: recipients(1), schedule_time: inAnHour() }
      const create = { path: '/batch-calls', body }
      const [deleted, ...made] = await race([
        { method: 'DELETE', path: `/agents/${agent_id}` },
        create,
        create,
        create,
      ])
      expect(deleted?.status).toBe(200)
      for (const { status, body } of made) {
        expect([201, 404]).toContain(status)
        if (status === 201) expect((await batchOf(service, body.data.batch_id)).status).toBe('cancelled')
      }
    })
  })
})

it('a batch that is executed while its agent is deleted is cancelled', async () => {
  await inRounds(async () => {
    const agent_id = await newAgent(service)
    const id = await newBatch(service, { agent_id, recipients: recipients(1) })
    const [deleted, ...executed] = await race([
      { method: 'DELETE', path: `/agents/${agent_id}` },
      { path: `/batch-calls/${id}/execute` },
      { path: `/batch-calls/${id}/execute` },
    ])
    expect(deleted?.status).toBe(200)
    for (const [outcome] of executed.map((reply) => outcomes([reply])))
      expect(['success', conflict, '404 AGENT_NOT_FOUND']).toContain(outcome)
    expect((await batchOf(service, id)).status).toBe('cancelled')
  })
})

describe('a webhook', () => {
  const subscribed = async (): Promise<string> => {
    const body = { url: receiver.url, events: ['call.completed'] }
    return (await service.ask('POST', '/webhooks', { body })).body.data.webhook_id
  }
  const delivered = async () => {
    const id = await subscribed()
    const { delivery_id } = (await service.ask('POST', `/webhooks/${id}/test`)).body.data
    return { id, replay: `/webhooks/${id}/deliveries/${delivery_id}/replay` }
  }

  it('is deleted by one of five concurrent requests, and the others find nothing', async () => {
    await inRounds(async () => {
      const id = await subscribed()
      const replies = await race(five({ method: 'DELETE', path: `/webhooks/${id}` }))
      expect(outcomes(replies)).toEqual(oneOf('404 WEBHOOK_NOT_FOUND'))
    })
  })

  it('that gets five new secrets at once signs with one of them', async () => {
    await inRounds(async () => {
      const id = await subscribed()
      const replies = await race(five({ path: `/webhooks/${id}/rotate-secret` }))
      const secrets = new Set<string>(replies.map(({ body }) => body.data.secret))
      expect(secrets.size).toBe(5)
      await service.ask('POST', `/webhooks/${id}/test`)
      const sent = receiver.received.find(({ headers }) => headers['x-svc-webhook-id'] === id)
      const signs = (secret: string) =>
        sent?.headers['x-svc-signature']?.includes(
          createHmac('sha256', secret)
            .update(`${sent.headers['x-svc-timestamp']}.${sent.body}`)
            .digest('hex'),
        )
      expect([...secrets].filter(signs)).toHaveLength(1)
    })
  })

  it('that is deleted gets no new secret, also by a request that had found it before', async () => {
    const id = await subscribed()
    const reply = await interleaved(fixture.database, {
      hold: `DELETE FROM webhooks WHERE webhook_id = '${id}'`,
      request: () => service.ask('POST', `/webhooks/${id}/rotate-secret`),
    })
    expect([reply.status, reply.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    await inRounds(async () => {
      const id = await subscribed()
      const [deleted, rotated] = await race([
        { method: 'DELETE', path: `/webhooks/${id}` },
        { path: `/webhooks/${id}/rotate-secret` },
      ])
      expect(deleted?.status).toBe(200)
      expect([200, 404]).toContain(rotated?.status)
    })
  })

  it.each([
    ['disabled', "UPDATE webhooks SET status = 'disabled'", '400 WEBHOOK_DISABLED'],
    ['deleted', 'DELETE FROM webhooks', '404 WEBHOOK_NOT_FOUND'],
  ])('that is %s gets no replay, also by a request that had found it before', async (_what, sql, refusal) => {
    const { id, replay } = await delivered()
    const reply = await interleaved(fixture.database, {
      hold: `${sql} WHERE webhook_id = '${id}'`,
      request: () => service.ask('POST', replay),
    })
    expect(outcomes([reply])).toEqual([refusal])
  })

  it('that is disabled while deliveries are replayed has none queued', async () => {
    await inRounds(async () => {
      const { id, replay } = await delivered()
      const [changed, ...replayed] = await race([
        { method: 'PATCH', path: `/webhooks/${id}`, body: { status: 'disabled' } },
        { path: replay },
        { path: replay },
      ])
      expect(changed?.status).toBe(200)
      for (const [outcome] of replayed.map((reply) => outcomes([reply])))
        expect(['success', '400 WEBHOOK_DISABLED']).toContain(outcome)
      const { body } = await service.ask('GET', `/webhooks/${id}/deliveries?status=queued`)
      expect(body.data.data).toEqual([])
    })
  })

  it('keeps concurrent changes of different fields', async () => {
    await inRounds(async () => {
      const id = await subscribed()
      const changes = [{ description: 'Ours' }, { url: `${receiver.url}/2` }, { status: 'disabled' }]
      const replies = await race(changes.map((body) => ({ method: 'PATCH', path: `/webhooks/${id}`, body })))
      expect(new Set(outcomes(replies))).toEqual(new Set(['success']))
      const { body } = await service.ask('GET', `/webhooks/${id}`)
      expect(body.data).toMatchObject(Object.assign({}, ...changes))
    })
  })
})
