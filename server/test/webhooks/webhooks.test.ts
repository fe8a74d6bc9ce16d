// Webhook endpoints, events and deliveries, through a whole service and over real sockets.
import { createHmac, randomUUID } from 'node:crypto'
import { CallCompleted } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import { type CallEnd, calls } from '../../src/resources/calls/calls.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type TestService, workspaceId } from '../support/service.ts'

const quick = {
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_WEBHOOK_BACKOFF_SECONDS: '0.2',
  PARLEY_WEBHOOK_TIMEOUT_SECONDS: '1',
}

let service: TestService
let receiver: Receiver
let db: ReturnType<typeof openDb>
beforeAll(async () => {
  service = await openService(quick)
  db = openDb({ connectionString: service.database.url }, 2, () => {})
})
afterAll(async () => {
  await db.close()
  await service.close()
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await service.database.query('DELETE FROM webhooks')
  await receiver.close()
})

const subscribe = async (more: object = {}) => {
  const body = { url: receiver.url, events: ['call.completed'], ...more }
  const reply = await service.ask('POST', '/webhooks', { body })
  expect(reply.status).toBe(201)
  return reply.body.data as { webhook_id: string; secret: string }
}

const makeAgent = async (config: object = {}): Promise<string> => {
  const body = { agent_config: { agent_name: 'Ada', llm_agent: {}, ...config } }
  return (await service.ask('POST', '/agents', { body })).body.data.agent_id
}

const ending: CallEnd = {
  callStatus: 'completed',
  duration: 12.5,
  callSid: 'CA123',
  completedAt: new Date('2026-01-31T09:30:12.500Z'),
  terminatedBy: 'user',
  transcript: [{ turn: 1, role: 'agent', content: 'Grüß Gott' }],
  recording: null,
  analytics: { summary: 'Short.' },
}

/** A call of that agent ends. */
const endCall = async (
  agentId: string = randomUUID(),
  end: Partial<CallEnd> = {},
  workspace = workspaceId,
) => {
  const book = calls(db, 0)
  const sessionId = await book.begin({
    workspaceId: workspace,
    agentId,
    callType: 'outbound',
    toPhoneNumber: '+15550100',
  })
  await book.finish(sessionId, { ...ending, ...end })
  return sessionId
}

const log = async (webhookId: string, query = '') =>
  (await service.ask('GET', `/webhooks/${webhookId}/deliveries${query}`)).body.data.data
const settled = (webhookId: string, status: string) =>
  expect.poll(async () => (await log(webhookId)).map((d: { status: string }) => d.status)).toEqual([status])

describe('an endpoint', () => {
  it('is created with a secret that is shown once', async () => {
    const { status, body } = await service.ask('POST', '/webhooks', {
      body: { url: 'https://hooks.example.com/x', events: ['call.completed'], description: 'mine' },
    })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: 'https://hooks.example.com/x',
      events: ['call.completed'],
      agent_id: null,
      description: 'mine',
      status: 'active',
      secret_rotated_at: expect.any(String),
      last_delivery: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret: _, ...rest } = body.data
    expect((await service.ask('GET', `/webhooks/${body.data.webhook_id}`)).body.data).toEqual(rest)
    expect((await service.ask('GET', '/webhooks')).text).not.toContain('whsec_')
  })

  it.each([
    'call.started',
    'call.answered',
    'call.ended',
    'call.record',
    'batch.completed',
    'transcript.ready',
    'CALL.COMPLETED',
  ])('cannot subscribe to %s', async (name) => {
    const { status, body } = await service.ask('POST', '/webhooks', {
      body: { url: receiver.url, events: ['call.completed', name] },
    })
    expect([status, body.code, body.details[0].path]).toEqual([400, 'UNSUPPORTED_EVENT', 'events.1'])
  })

  it.each<[string, object, string]>([
    ['no url', { events: ['call.completed'] }, 'url'],
    ['no events', { url: 'https://example.com' }, 'events'],
    ['an empty list of events', { url: 'https://example.com', events: [] }, 'events'],
    [
      'a malformed agent',
      { url: 'https://example.com', events: ['call.completed'], agent_id: 'x' },
      'agent_id',
    ],
    ['an unknown key', { url: 'https://example.com', events: ['call.completed'], x: 1 }, 'x'],
    ['an address that is none', { url: 'example', events: ['call.completed'] }, 'url'],
  ])('is refused with %s', async (_what, body, path) => {
    const reply = await service.ask('POST', '/webhooks', { body })
    expect([reply.status, reply.body.code, reply.body.details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      path,
    ])
  })

  it('at an address that is never public is refused when it is registered and when it is changed', async () => {
    const strict = await openService({ PARLEY_TRUSTED_HOSTS: 'trusted.localdomain' }, service.database)
    onTestFinished(() => strict.close())
    const register = (url: string) =>
      strict.ask('POST', '/webhooks', { body: { url, events: ['call.completed'] } })
    const tooLong = `https://${'a'.repeat(64)}.example.com/`
    for (const url of ['https://localhost.localdomain/', 'https://db.lan/', tooLong]) {
      const { status, body } = await register(url)
      expect([url, status, body.code]).toEqual([url, 400, 'WEBHOOK_URL_NOT_PUBLIC'])
      expect(body.details[0].path).toBe('url')
      expect(body.details[0].message.includes('PARLEY_TRUSTED_HOSTS')).toBe(url !== tooLong)
    }
    const wherePrivateOnesAreAllowed = await service.ask('POST', '/webhooks', {
      body: { url: tooLong, events: ['call.completed'] },
    })
    expect(wherePrivateOnesAreAllowed.body.code).toBe('WEBHOOK_URL_NOT_PUBLIC')
    const trusted = await register('https://trusted.localdomain/')
    expect(trusted.status).toBe(201)
    const changed = await strict.ask('PATCH', `/webhooks/${trusted.body.data.webhook_id}`, {
      body: { url: 'https://localhost.localdomain/' },
    })
    expect(changed.body.code).toBe('WEBHOOK_URL_NOT_PUBLIC')
  })

  it('stores each event once, also when it is changed', async () => {
    const events = ['call.completed', 'call.completed']
    const { webhook_id } = await subscribe({ events })
    const path = `/webhooks/${webhook_id}`
    expect((await service.ask('GET', path)).body.data.events).toEqual(['call.completed'])
    const changed = await service.ask('PATCH', path, { body: { events } })
    expect(changed.body.data.events).toEqual(['call.completed'])
    expect((await service.ask('GET', path)).body.data.events).toEqual(['call.completed'])
  })

  it('takes a description, null for none, and null to clear it', async () => {
    const { webhook_id } = await subscribe({ description: null })
    const path = `/webhooks/${webhook_id}`
    expect((await service.ask('GET', path)).body.data.description).toBeNull()
    await service.ask('PATCH', path, { body: { description: 'Ours' } })
    expect((await service.ask('GET', path)).body.data.description).toBe('Ours')
    await service.ask('PATCH', path, { body: { description: null } })
    expect((await service.ask('GET', path)).body.data.description).toBeNull()
  })

  it('is listed by agent and by status, changed and removed', async () => {
    const agentId = await makeAgent()
    const all = await subscribe()
    const one = await subscribe({ agent_id: agentId })
    const ids = async (query: string) =>
      (await service.ask('GET', `/webhooks?${query}`)).body.data.data.map(
        (hook: { webhook_id: string }) => hook.webhook_id,
      )
    expect(await ids('')).toEqual([one.webhook_id, all.webhook_id])
    expect(await ids(`agent_id=${agentId}`)).toEqual([one.webhook_id])

    const path = `/webhooks/${one.webhook_id}`
    const changed = await service.ask('PATCH', path, {
      body: { status: 'disabled', description: 'later', agent_id: null },
    })
    expect(changed.body.data).toMatchObject({ status: 'disabled', description: 'later', agent_id: null })
    expect(await ids('status=disabled')).toEqual([one.webhook_id])
    expect((await service.ask('PATCH', path, { body: { events: ['call.started'] } })).body.code).toBe(
      'UNSUPPORTED_EVENT',
    )
    expect((await service.ask('PATCH', path, { body: { status: 'asleep' } })).body.code).toBe(
      'VALIDATION_ERROR',
    )
    expect((await service.ask('DELETE', path)).body.data).toEqual({
      webhook_id: one.webhook_id,
      deleted: true,
    })
    expect((await service.ask('GET', path)).body.code).toBe('WEBHOOK_NOT_FOUND')
  })

  it('is not created for an agent that does not exist', async () => {
    const { status, body } = await service.ask('POST', '/webhooks', {
      body: { url: receiver.url, events: ['call.completed'], agent_id: randomUUID() },
    })
    expect([status, body.code, body.details[0].path]).toEqual([404, 'AGENT_NOT_FOUND', 'agent_id'])
  })
})

describe('the event of a finished call', () => {
  it('is the bare envelope with exactly the documented keys, signed over its exact bytes', async () => {
    const { webhook_id, secret } = await subscribe()
    const agentId = await makeAgent()
    const sessionId = await endCall(agentId)
    await expect.poll(() => receiver.received.length).toBe(1)
    const { headers, body } = receiver.received[0] as (typeof receiver.received)[0]
    const event = CallCompleted.parse(JSON.parse(body))
    expect(event.data).toMatchObject({
      session_id: sessionId,
      agent_id: agentId,
      call_status: 'completed',
      to_phone_number: '+15550100',
      call_type: 'outbound',
      duration: 12.5,
      call_sid: 'CA123',
      call_completed_time: '2026-01-31T09:30:12.500Z',
      call_terminated_by: 'user',
      transcript: [{ turn: 1, role: 'agent', content: 'Grüß Gott' }],
      recording: { url: null, expiry: null },
      analytics: { summary: 'Short.', sentiment: null, disposition: null, data_extraction: null },
    })
    const t = headers['x-svc-timestamp'] as string
    const digest = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-webhook-id': webhook_id,
      'x-svc-event': 'call.completed',
      'x-svc-delivery-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-svc-signature': `t=${t},v1=${digest}`,
    })
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60)
    expect(JSON.stringify(headers)).not.toContain('svc_bound')
    await settled(webhook_id, 'delivered')
    expect((await log(webhook_id))[0]).toMatchObject({
      event_id: event.id,
      http_status: 200,
      attempts: [{ attempt: 1, http_status: 200, error: null }],
    })
    expect((await service.ask('GET', `/webhooks/${webhook_id}`)).body.data.last_delivery).toMatchObject({
      status: 'delivered',
      http_status: 200,
    })
  })

  it('goes to every endpoint of the workspace and of that agent, with one event id and a delivery id each', async () => {
    const agentId = await makeAgent()
    const other = await makeAgent()
    const wanted = [await subscribe(), await subscribe({ agent_id: agentId })]
    await subscribe({ agent_id: other })
    const disabled = await subscribe()
    await service.ask('PATCH', `/webhooks/${disabled.webhook_id}`, { body: { status: 'disabled' } })
    await endCall(agentId)
    for (const { webhook_id } of wanted) await settled(webhook_id, 'delivered')
    expect(receiver.received.map(({ headers }) => headers['x-svc-webhook-id']).sort()).toEqual(
      wanted.map(({ webhook_id }) => webhook_id).sort(),
    )
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(2)
  })

  it('stays within its workspace', async () => {
    const { webhook_id } = await subscribe()
    await endCall(undefined, {}, randomUUID())
    await endCall()
    await settled(webhook_id, 'delivered')
    expect(receiver.received.length).toBe(1)
  })

  it('is created once, however often the end of the call is reported', async () => {
    const { webhook_id } = await subscribe()
    const book = calls(db, 0)
    const sessionId = await book.begin({
      workspaceId,
      agentId: randomUUID(),
      callType: 'outbound',
      toPhoneNumber: null,
    })
    await Promise.all([book.finish(sessionId, ending), book.finish(sessionId, ending)])
    await settled(webhook_id, 'delivered')
    // Also after it was published, as by a process that missed the first success.
    await book.finish(sessionId, { ...ending, callStatus: 'failed' })
    await endCall()
    await expect.poll(async () => (await log(webhook_id)).length).toBe(2)
    expect(receiver.received.filter(({ body }) => body.includes(sessionId)).length).toBe(1)
  })

  it('waits for the delay', async () => {
    const { webhook_id } = await subscribe()
    const book = calls(db, 0.5)
    const sessionId = await book.begin({
      workspaceId,
      agentId: randomUUID(),
      callType: 'outbound',
      toPhoneNumber: null,
    })
    await book.finish(sessionId, ending)
    const [due] = await service.database.query<{ due_at: Date }>(
      'SELECT due_at FROM calls_to_tell WHERE session_id = $1',
      [sessionId],
    )
    await settled(webhook_id, 'delivered')
    const event = JSON.parse(receiver.received[0]?.body ?? '{}')
    expect(new Date(event.created_at).getTime()).toBeGreaterThanOrEqual(Number(due?.due_at) - 5)
  })

  it('is sent to the legacy address of the agent once, unsigned, whatever the result', async () => {
    const legacy = await openReceiver()
    legacy.answers.push(500)
    const { webhook_id } = await subscribe()
    await endCall(await makeAgent({ webhook_url: legacy.url }))
    await settled(webhook_id, 'delivered')
    await expect.poll(() => legacy.received.length).toBe(1)
    expect(legacy.received[0]?.body).toBe(receiver.received[0]?.body)
    expect(Object.keys(legacy.received[0]?.headers ?? {}).filter((name) => name.startsWith('x-svc'))).toEqual(
      [],
    )
    const status = async () =>
      (
        await service.database.query<{ status: string }>(
          'SELECT status FROM deliveries WHERE legacy_url = $1',
          [legacy.url],
        )
      )[0]?.status
    await expect.poll(status).toBe('failed')
    expect(legacy.received.length).toBe(1)
    await legacy.close()
  })
})

it('an event is delivered when the receiver answers 200, though its body never ends', async () => {
  receiver.answers.push(-200)
  const { webhook_id } = await subscribe()
  await endCall()
  await settled(webhook_id, 'delivered')
  const [delivery] = await log(webhook_id)
  expect(delivery).toMatchObject({ http_status: 200, attempts: [{ http_status: 200, error: null }] })
  expect(receiver.received.length).toBe(1)
})

describe('a delivery that fails', () => {
  it.each([
    ['a 500', 500, 'answered 500'],
    ['a 404', 404, 'answered 404'],
    ['a 410', 410, 'answered 410'],
    ['a 429', 429, 'answered 429'],
    ['a redirect', 302, 'answered 302'],
    ['a 304', 304, 'answered 304'],
    ['a hang-up', 0, 'the connection was reset'],
    ['silence', -1, 'timed out after 1 s'],
  ])(
    'with %s is tried again with the same ids and bytes and a fresh signature',
    async (_what, status, error) => {
      receiver.answers.push(status)
      const { webhook_id, secret } = await subscribe()
      await endCall()
      await settled(webhook_id, 'delivered')
      expect(receiver.received.length).toBe(2)
      const [first, second] = receiver.received as [Receiver['received'][0], Receiver['received'][0]]
      expect(second.path).toBe('/hook')
      expect(second.body).toBe(first.body)
      expect(second.headers['x-svc-delivery-id']).toBe(first.headers['x-svc-delivery-id'])
      for (const { headers, body } of receiver.received) {
        const t = headers['x-svc-timestamp']
        expect(headers['x-svc-signature']).toBe(
          `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
        )
      }
      const [delivery] = await log(webhook_id)
      expect(delivery.attempts).toMatchObject([
        { attempt: 1, http_status: status > 0 ? status : null, error },
        { attempt: 2, http_status: 200, error: null },
      ])
    },
  )

  it('three times has failed for good, with twice the delay before the third attempt', async () => {
    receiver.answers.push(500, 500, 500, 500)
    const { webhook_id } = await subscribe()
    await endCall()
    await settled(webhook_id, 'failed')
    expect(receiver.received.length).toBe(3)
    const [one, two, three] = receiver.received.map(({ atMs }) => atMs) as [number, number, number]
    // The delays are 200 and 400 ms here; never shorter.
    expect(two - one).toBeGreaterThanOrEqual(200)
    expect(three - two).toBeGreaterThanOrEqual(400)
    expect((await log(webhook_id, '?status=failed')).length).toBe(1)
    expect(await log(webhook_id, '?status=delivered')).toEqual([])
  })

  it.each(['disabled', 'removed', 'given another scope'])(
    'is cancelled, visibly, when its endpoint is %s',
    async (change) => {
      receiver.answers.push(500, 500, 500)
      const agentId = await makeAgent()
      const { webhook_id } = await subscribe()
      await endCall(agentId)
      await expect.poll(() => receiver.received.length).toBe(1)
      const path = `/webhooks/${webhook_id}`
      if (change === 'removed') await service.ask('DELETE', path)
      else if (change === 'disabled') await service.ask('PATCH', path, { body: { status: 'disabled' } })
      else await service.ask('PATCH', path, { body: { agent_id: await makeAgent() } })
      const status = async () =>
        (
          await service.database.query<{ status: string }>(
            'SELECT status FROM deliveries WHERE webhook_id = $1',
            [webhook_id],
          )
        )[0]?.status
      await expect.poll(status).toBe('cancelled')
      if (change !== 'removed') expect((await log(webhook_id, '?status=cancelled')).length).toBe(1)
    },
  )

  it('resumes with new events when its endpoint is active again', async () => {
    const { webhook_id } = await subscribe()
    const set = (status: string) => service.ask('PATCH', `/webhooks/${webhook_id}`, { body: { status } })
    await set('disabled')
    const missed = await endCall()
    const told = () => service.database.query('SELECT 1 FROM calls_to_tell WHERE session_id = $1', [missed])
    await expect.poll(async () => (await told()).length).toBe(0)
    await set('active')
    await endCall()
    await settled(webhook_id, 'delivered')
    expect(receiver.received.length).toBe(1)
  })
})

describe('a secret', () => {
  it('is replaced at once', async () => {
    const { webhook_id, secret } = await subscribe()
    const { body } = await service.ask('POST', `/webhooks/${webhook_id}/rotate-secret`)
    expect(body.data.secret).toMatch(/^whsec_/)
    expect(body.data.secret).not.toBe(secret)
    await endCall()
    await settled(webhook_id, 'delivered')
    const { headers, body: sent } = receiver.received[0] as (typeof receiver.received)[0]
    const sign = (key: string) =>
      createHmac('sha256', key).update(`${headers['x-svc-timestamp']}.${sent}`).digest('hex')
    expect(headers['x-svc-signature']).toContain(sign(body.data.secret))
    expect(headers['x-svc-signature']).not.toContain(sign(secret))
  })

  it('is returned again to a repeated request, and only to that', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { url: receiver.url, events: ['call.completed'] }
    const once = await service.ask('POST', '/webhooks', { headers, body })
    expect((await service.ask('POST', '/webhooks', { headers, body })).text).toBe(once.text)
  })
})

describe('a test delivery', () => {
  it('is signed, sent once and at once, and answered with its result', async () => {
    const { webhook_id, secret } = await subscribe()
    const { status, body } = await service.ask('POST', `/webhooks/${webhook_id}/test`)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      status: 'success',
      http_status: 200,
      delivery_id: receiver.received[0]?.headers['x-svc-delivery-id'],
    })
    const { headers, body: sent } = receiver.received[0] as (typeof receiver.received)[0]
    CallCompleted.parse(JSON.parse(sent))
    expect(headers['x-svc-signature']).toContain(
      createHmac('sha256', secret).update(`${headers['x-svc-timestamp']}.${sent}`).digest('hex'),
    )
    expect((await log(webhook_id))[0]).toMatchObject({
      test: true,
      status: 'delivered',
      delivery_id: body.data.delivery_id,
    })
  })

  it.each([
    [500, 500],
    [301, 301],
    [0, null],
    [-1, null],
  ])('that gets %i has failed, still answers 200, and is not retried', async (answer, http_status) => {
    receiver.answers.push(answer)
    const { webhook_id } = await subscribe()
    const { status, body } = await service.ask('POST', `/webhooks/${webhook_id}/test`)
    expect([status, body.data.status, body.data.http_status]).toEqual([200, 'failed', http_status])
    await endCall()
    await expect.poll(() => receiver.received.length).toBe(2)
    expect((await log(webhook_id)).filter((delivery: { test: boolean }) => delivery.test).length).toBe(1)
  })

  it.each([
    [-200, 'success', 200],
    [-503, 'failed', 503],
  ])(
    'that gets %i is answered by the status, though the body never ends',
    async (answer, result, http_status) => {
      receiver.answers.push(answer)
      const { webhook_id } = await subscribe()
      const { body } = await service.ask('POST', `/webhooks/${webhook_id}/test`)
      expect([body.data.status, body.data.http_status]).toEqual([result, http_status])
    },
  )

  it('to a disabled endpoint is refused, and nothing is sent', async () => {
    const { webhook_id } = await subscribe()
    await service.ask('PATCH', `/webhooks/${webhook_id}`, { body: { status: 'disabled' } })
    const reply = await service.ask('POST', `/webhooks/${webhook_id}/test`)
    expect([reply.status, reply.body.code]).toEqual([400, 'WEBHOOK_DISABLED'])
    await service.ask('PATCH', `/webhooks/${webhook_id}`, { body: { status: 'active' } })
    await service.ask('POST', `/webhooks/${webhook_id}/test`)
    expect(receiver.received.length).toBe(1)
    expect((await log(webhook_id)).length).toBe(1)
  })

  it('is sent once for concurrent duplicates, also across two processes', async () => {
    const second = await openService(quick, service.database)
    const { webhook_id } = await subscribe()
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(
      [service, second, service, second].map((at) =>
        at.ask('POST', `/webhooks/${webhook_id}/test`, { headers }),
      ),
    )
    await second.close()
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(receiver.received.length).toBe(1)
  })
})

describe('the log', () => {
  it('shows the payload and sends a delivery again under a new id', async () => {
    receiver.answers.push(500, 500, 500)
    const { webhook_id } = await subscribe()
    await endCall()
    await settled(webhook_id, 'failed')
    const [failed] = await log(webhook_id)
    const path = `/webhooks/${webhook_id}/deliveries/${failed.delivery_id}`
    const { payload } = (await service.ask('GET', path)).body.data
    expect(payload).toEqual(JSON.parse(receiver.received[0]?.body ?? ''))

    const replay = await service.ask('POST', `${path}/replay`)
    expect(replay.status).toBe(201)
    expect(replay.body.data).toMatchObject({ event_id: failed.event_id, status: 'queued', attempts: [] })
    expect(replay.body.data.delivery_id).not.toBe(failed.delivery_id)
    await expect.poll(() => receiver.received.length).toBe(4)
    expect(receiver.received[3]?.body).toBe(receiver.received[0]?.body)
    expect(receiver.received[3]?.headers['x-svc-delivery-id']).toBe(replay.body.data.delivery_id)
  })

  it('marks a test as a test, also when it is sent again', async () => {
    const { webhook_id } = await subscribe()
    await service.ask('POST', `/webhooks/${webhook_id}/test`)
    const [first] = await log(webhook_id)
    await service.ask('POST', `/webhooks/${webhook_id}/deliveries/${first.delivery_id}/replay`)
    await expect.poll(() => receiver.received.length).toBe(2)
    expect((await log(webhook_id)).map(({ test }: { test: boolean }) => test)).toEqual([true, true])
  })

  it('does not replay to a disabled endpoint', async () => {
    const { webhook_id } = await subscribe()
    await service.ask('POST', `/webhooks/${webhook_id}/test`)
    const [delivery] = await log(webhook_id)
    await service.ask('PATCH', `/webhooks/${webhook_id}`, { body: { status: 'disabled' } })
    const reply = await service.ask(
      'POST',
      `/webhooks/${webhook_id}/deliveries/${delivery.delivery_id}/replay`,
    )
    expect([reply.status, reply.body.code]).toEqual([400, 'WEBHOOK_DISABLED'])
  })

  it('does not show deliveries of another endpoint', async () => {
    const { webhook_id } = await subscribe()
    const other = await subscribe({ agent_id: await makeAgent() })
    await endCall()
    await settled(webhook_id, 'delivered')
    const [delivery] = await log(webhook_id)
    const reply = await service.ask('GET', `/webhooks/${other.webhook_id}/deliveries/${delivery.delivery_id}`)
    expect([reply.status, reply.body.code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
  })

  it('is deleted after its retention, except for pending deliveries', async () => {
    const { webhook_id } = await subscribe()
    await endCall()
    await settled(webhook_id, 'delivered')
    receiver.answers.push(...Array.from({ length: 50 }, () => 500))
    await service.database.query("UPDATE deliveries SET created_at = now() - interval '31 days'")
    await service.database.query("UPDATE events SET created_at = now() - interval '31 days'")
    const second = await openService(quick, service.database)
    await expect.poll(async () => (await log(webhook_id)).length).toBe(0)
    await second.close()
  })
})
