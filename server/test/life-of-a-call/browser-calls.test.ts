// Calls from a browser: requesting one, joining with a token, and misbehaving browsers.
import type { WebCall } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailOf, eventsOf, newAgent, reaches } from '../support/call-fixture.ts'
import { echoRunner } from '../support/echo-runner.ts'
import { openService, type TestService } from '../support/service.ts'
import { type Browser, connect, join } from '../support/web-socket.ts'

const quick = { PARLEY_CALL_EVENT_DELAY_SECONDS: '0', PARLEY_DRAIN_SECONDS: '0' }
const site = 'https://shop.example.com'

let service: TestService
let agentId: string

beforeAll(async () => {
  service = await openService({ ...quick, PARLEY_BROWSER_ORIGINS: site }, undefined, () => echoRunner())
  agentId = await newAgent(service)
})
afterAll(() => service?.close())

const start = async (at = service, body: object = { agent_id: agentId }): Promise<WebCall> => {
  const reply = await at.ask('POST', '/calls/web', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.data
}

/** A browser that has joined, and its call. */
async function enter(): Promise<{ call: WebCall; browser: Browser }> {
  const call = await start()
  const browser = await join(call.url, call.token)
  await browser.hears('joined')
  return { call, browser }
}

const frame = (value: number) => Buffer.from(new Int16Array(320).fill(value).buffer)

describe('requesting a call', () => {
  it('returns an address, a token and when it expires', async () => {
    const call = await start(service, { agent_id: agentId, variables: { name: 'Ada' }, metadata: { a: 1 } })
    expect(call).toEqual({
      session_id: expect.any(String),
      url: `${service.url.replace('http', 'ws')}/talk/line`,
      token: expect.stringMatching(/^web_[0-9A-Za-z]{40}$/),
      expires_at: expect.any(String),
      ice_servers: [],
    })
    const lifeMs = Date.parse(call.expires_at) - Date.now()
    expect(lifeMs).toBeGreaterThan(60_000)
    expect(lifeMs).toBeLessThanOrEqual(120_000)
    expect(await detailOf(service, call.session_id)).toMatchObject({
      call_type: 'web',
      call_status: 'queued',
      to_phone_number: null,
      variables: { name: 'Ada' },
      metadata: { a: 1 },
    })
  })

  it('does not store the token in a readable form', async () => {
    const { token } = await start()
    const [found] = await service.database.query<{ count: string }>(
      'SELECT count(*) FROM calls WHERE calls::text LIKE $1',
      [`%${token}%`],
    )
    expect(found?.count).toBe('0')
  })

  it.each([
    ['an unknown agent', { agent_id: '99999999-9999-4999-8999-999999999999' }, 404, 'AGENT_NOT_FOUND'],
    [
      'an unknown field',
      { agent_id: '99999999-9999-4999-8999-999999999999', to: 'x' },
      400,
      'VALIDATION_ERROR',
    ],
    ['no agent', {}, 400, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_what, body, status, code) => {
    const reply = await service.ask('POST', '/calls/web', { body })
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('refuses an agent that takes no calls', async () => {
    const resting = await newAgent(service, { status: 'inactive' })
    const reply = await service.ask('POST', '/calls/web', { body: { agent_id: resting } })
    expect([reply.status, reply.body.code]).toEqual([400, 'AGENT_NOT_ACTIVE'])
  })

  it('answers a repeated request with the same token', async () => {
    const repeat = { headers: { 'idempotency-key': 'talk-once' }, body: { agent_id: agentId } }
    const first = await service.ask('POST', '/calls/web', repeat)
    const again = await service.ask('POST', '/calls/web', repeat)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('can be cancelled before a browser joins', async () => {
    const { session_id, url, token } = await start()
    expect((await service.ask('POST', `/calls/${session_id}/stop`)).body.data.call_status).toBe('canceled')
    await reaches(service, session_id, 'canceled')
    expect(await (await join(url, token)).hears('refused')).toBeDefined()
  })
})

describe('a token', () => {
  it('admits one browser, once', async () => {
    const { call, browser } = await enter()
    expect(await browser.hears('joined')).toEqual({ type: 'joined', session_id: call.session_id })
    const second = await join(call.url, call.token)
    expect((await second.hears('refused')).message).toMatch(/used already/)
    expect(await second.closed).toBe(1008)
    browser.say({ type: 'bye' })
    expect(await browser.closed).toBe(1000)
  })

  it('admits one of many that join at the same moment', async () => {
    const { url, token } = await start()
    const browsers = await Promise.all(Array.from({ length: 8 }, () => join(url, token)))
    await Promise.all(browsers.map(({ told }) => expect.poll(() => told.length).toBeGreaterThan(0)))
    const inside = browsers.filter(({ told }) => told[0]?.type === 'joined')
    expect(inside).toHaveLength(1)
    for (const { socket } of browsers) socket.terminate()
  })

  it('that is unknown is refused', async () => {
    const { url } = await start()
    const browser = await join(url, 'web_0000000000000000000000000000000000000000')
    expect((await browser.hears('refused')).message).toMatch(/cannot be joined/)
  })

  it('that has expired is refused, and its call ends as unanswered, with its event', async () => {
    const brief = await openService({ ...quick, PARLEY_JOIN_SECONDS: '0.2' }, undefined, () => echoRunner())
    try {
      const call = await start(brief, { agent_id: await newAgent(brief) })
      await expect.poll(() => Date.now() > Date.parse(call.expires_at)).toBe(true)
      expect(await (await join(call.url, call.token)).hears('refused')).toBeDefined()
      expect(await reaches(brief, call.session_id, 'no-answer')).toMatchObject({
        call_terminated_by: 'system',
        hangup_reason: 'dial_no_answer',
        duration: 0,
        error_message: 'No browser joined before the token expired.',
      })
      await expect.poll(() => eventsOf(brief.database, call.session_id)).toHaveLength(1)
    } finally {
      await brief.close()
    }
  })

  it('waits while the workspace is at its limit', async () => {
    const narrow = await openService({ ...quick, PARLEY_WORKSPACE_CONCURRENCY: '1' }, undefined, () =>
      echoRunner(),
    )
    try {
      const agent_id = await newAgent(narrow)
      const [one, other] = [await start(narrow, { agent_id }), await start(narrow, { agent_id })]
      const first = await join(one.url, one.token)
      await first.hears('joined')
      const early = await join(other.url, other.token)
      expect((await early.hears('refused')).message).toMatch(/busy/)
      expect((await narrow.ask('GET', '/workspace/notices')).body.data.data).toMatchObject([
        { kind: 'max_concurrency', limit: 1, message: expect.stringContaining('was turned away') },
      ])
      first.say({ type: 'bye' })
      await reaches(narrow, one.session_id, 'completed', 'no-answer')
      const late = await join(other.url, other.token)
      await late.hears('joined')
      late.socket.terminate()
    } finally {
      await narrow.close()
    }
  })
})

describe('the WebSocket', () => {
  const knock = (origin: string | undefined) =>
    connect(`${service.url.replace('http', 'ws')}/talk/line`, origin === undefined ? {} : { origin }).then(
      ({ socket }) => {
        socket.terminate()
        return 'open'
      },
      (error: Error) => error.message,
    )

  it('accepts our own pages, the origins that the operator allows, and programs', async () => {
    expect(await knock(service.url)).toBe('open')
    expect(await knock(site)).toBe('open')
    expect(await knock(undefined)).toBe('open')
  })

  it('refuses pages of other origins', async () => {
    expect(await knock('https://evil.example.com')).toMatch('403')
    expect(await knock('null')).toMatch('403')
  })

  it('exists at one path only', async () => {
    const at = (path: string) => connect(`${service.url.replace('http', 'ws')}${path}`)
    await expect(at('/nowhere')).rejects.toThrow('404')
    // Everywhere else it is a request like any other.
    await expect(at('/agent/v1/calls')).rejects.toThrow('401')
  })

  it.each([
    ['no JSON', 'hello', 1008],
    ['another message first', '{"type":"bye"}', 1008],
    ['a number as token', '{"type":"join","token":7}', 1008],
    ['an unknown field', '{"type":"join","token":"web_x","admin":true}', 1008],
    ['too much', `{"type":"join","token":"${'x'.repeat(70_000)}"}`, 1009],
  ])('closes on %s', async (_what, message, code) => {
    const browser = await connect(`${service.url.replace('http', 'ws')}/talk/line`)
    browser.say(message)
    expect(await browser.closed).toBe(code)
  })
})

describe('a browser that has joined', () => {
  it('is asked for audio on the socket when none arrives over WebRTC, and hears itself', async () => {
    const { call, browser } = await enter()
    await browser.hears('pcm')
    const speaking = setInterval(() => browser.socket.send(frame(1_000)), 20)
    try {
      await expect.poll(() => browser.heard.some((samples) => samples.includes(1_000))).toBe(true)
      expect((await detailOf(service, call.session_id)).call_status).toBeOneOf(['initiated', 'in-progress'])
    } finally {
      clearInterval(speaking)
      browser.say({ type: 'bye' })
    }
    expect(await reaches(service, call.session_id, 'completed')).toMatchObject({
      hangup_reason: 'user_hangup',
      call_terminated_by: 'user',
    })
  })

  it('may ask for the socket at once', async () => {
    const { browser } = await enter()
    browser.say({ type: 'pcm' })
    await browser.hears('pcm')
    browser.say({ type: 'bye' })
    expect(await browser.closed).toBe(1000)
  })

  it('with an invalid offer is asked to use the socket', async () => {
    const { browser } = await enter()
    browser.say({ type: 'offer', sdp: 'v=0 and so on' })
    browser.say({ type: 'candidate', candidate: 'rubbish', sdp_mid: null, sdp_m_line_index: null })
    await browser.hears('pcm')
    browser.socket.terminate()
  })

  it('may type instead of speaking', async () => {
    const { call, browser } = await enter()
    browser.say({ type: 'pcm' })
    await browser.hears('pcm')
    browser.socket.send(frame(0))
    await reaches(service, call.session_id, 'in-progress')
    browser.say({ type: 'text', text: ' I am Ada ' })
    const typed = () =>
      service.database.query(
        "SELECT data ->> 'note' AS note FROM call_events WHERE session_id = $1 AND type = 'note'",
        [call.session_id],
      )
    await expect.poll(typed).toEqual([{ note: 'typed: I am Ada' }])
    browser.say({ type: 'bye' })
    expect(await browser.closed).toBe(1000)
  })

  it('that disconnects has hung up', async () => {
    const { call, browser } = await enter()
    browser.say({ type: 'pcm' })
    await browser.hears('pcm')
    browser.socket.send(frame(1))
    await reaches(service, call.session_id, 'in-progress')
    browser.socket.terminate()
    expect(await reaches(service, call.session_id, 'completed')).toMatchObject({
      hangup_reason: 'user_hangup',
    })
  })

  it('that no longer answers pings has hung up', async () => {
    const call = await start()
    const browser = await join(call.url, call.token, { autoPong: false })
    await browser.hears('joined')
    expect(await browser.closed).toBe(1006)
    await reaches(service, call.session_id, 'no-answer')
  })

  it.each<[string, (browser: Browser) => void]>([
    ['sends invalid JSON', ({ say }) => say('{')],
    ['sends an unknown type', ({ say }) => say({ type: 'sudo' })],
    ['sends an unknown field', ({ say }) => say({ type: 'pcm', extra: 1 })],
    ['types nothing', ({ say }) => say({ type: 'text', text: ' ' })],
    ['sends half a frame', ({ socket }) => socket.send(Buffer.alloc(320))],
    ['sends an empty frame', ({ socket }) => socket.send(Buffer.alloc(0))],
    [
      'floods',
      ({ socket }) => {
        for (let sent = 0; sent < 2_000; sent++) socket.send(frame(sent))
      },
    ],
  ])('is disconnected when it %s, and its call ends', async (_what, misbehave) => {
    const { call, browser } = await enter()
    misbehave(browser)
    expect(await browser.closed).toBe(1008)
    await reaches(service, call.session_id, 'completed', 'no-answer')
  })

  it('is disconnected when the call is stopped', async () => {
    const { call, browser } = await enter()
    await service.ask('POST', `/calls/${call.session_id}/stop`)
    await browser.hears('bye')
    expect(await browser.closed).toBe(1000)
    expect(await reaches(service, call.session_id, 'completed')).toMatchObject({
      hangup_reason: 'api_stopped',
    })
  })

  it('gets a goodbye when the service stops', async () => {
    const other = await openService(quick, undefined, () => echoRunner())
    const call = await start(other, { agent_id: await newAgent(other) })
    const browser = await join(call.url, call.token)
    await browser.hears('joined')
    await other.close()
    expect(await browser.closed).toBe(1000)
  })
})
