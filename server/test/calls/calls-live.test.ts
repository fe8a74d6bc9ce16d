// Watching calls over server-sent events: from the start and live, whichever process runs the call.
import { callEvents } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import { eventText, LiveCalls } from '../../src/resources/calls/listening/live-calls.ts'
import { type CallFixture, newAgent, openCallFixture, placeCall, reaches } from '../support/call-fixture.ts'
import type { Step } from '../support/scripted-runner.ts'
import { boundKey, type TestService } from '../support/service.ts'

let fixture: CallFixture
let api: TestService
let agentId: string
beforeEach(async () => {
  fixture = await openCallFixture()
  api = await fixture.api()
  agentId = await newAgent(api)
})
afterEach(() => fixture.close())

const inProgress: Step = { type: 'status', status: 'in-progress' }
const said = (turn: number, content: string): Step => ({
  type: 'transcript',
  entry: { turn, role: 'user', content, startSeconds: turn, endSeconds: turn + 1, interrupted: false },
})

interface StreamedEvent {
  id: number
  type: keyof typeof callEvents
  data: Record<string, unknown>
}

/** Collects the events of the stream; `ended` resolves when it ends. */
async function watch(sessionId: string, headers: Record<string, string> = {}, on = api) {
  const gone = new AbortController()
  const response = await fetch(`${on.url}/agent/v1/calls/${sessionId}/events`, {
    headers: { 'x-api-key': boundKey, ...headers },
    signal: gone.signal,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const told: StreamedEvent[] = []
  const comments: string[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const type = field('event') as StreamedEvent['type'] | undefined
        if (type === undefined) comments.push(block)
        else told.push({ id: Number(field('id')), type, data: JSON.parse(field('data') ?? '') })
      }
    }
  }
  const ended = read().catch((error) => {
    if (!gone.signal.aborted) throw error
  })
  return { told, comments, ended, leave: () => gone.abort() }
}

const types = (told: StreamedEvent[]) => told.map(({ type }) => type)

describe('a watcher', () => {
  it('gets every event from the start, live, to the end', async () => {
    await fixture.media()
    const id = await placeCall(api, agentId, {
      schedule_time: new Date(Date.now() + 500).toISOString(),
      script: [
        { type: 'status', status: 'ringing' },
        inProgress,
        { type: 'partial', role: 'user', text: 'I wou' },
        { type: 'wait', ms: 300 },
        { type: 'partial', role: 'user', text: 'I would like' },
        { type: 'wait', ms: 300 },
        said(1, 'I would like a table'),
        {
          type: 'latency',
          latency: { turn: 1, endpointingMs: 500, sttMs: 100, llmMs: null, ttsMs: 20, totalMs: 620 },
        },
        { type: 'tool', name: 'book', phase: 'started', detail: null },
        { type: 'note', note: 'The caller interrupted.' },
      ],
    })
    const { told, ended } = await watch(id)
    await expect.poll(() => types(told)).toContain('partial')
    await ended
    expect(types(told)).toEqual([
      ...['status', 'status', 'status', 'status', 'partial', 'partial'],
      ...['transcript', 'latency', 'tool', 'note', 'ended'],
    ])
    const statuses = told.filter(({ type }) => type === 'status').map(({ data }) => data.call_status)
    expect(statuses).toEqual(['scheduled', 'initiated', 'ringing', 'in-progress'])
    for (const { type, data } of told) {
      const { at, ...rest } = data
      expect(at).toMatch(/^\d{4}-.*Z$/)
      callEvents[type].parse(rest)
    }
    expect(told.at(-1)?.data).toMatchObject({ call_status: 'completed', hangup_reason: 'user_hangup' })
    const ids = told.map((event) => event.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('gets the end of a call that is stopped in the middle of a sentence', async () => {
    await fixture.media()
    const script = [
      inProgress,
      { type: 'partial', role: 'agent', text: 'Hello, do you' } as const,
      { type: 'until-stopped' } as const,
    ]
    const id = await placeCall(api, agentId, { script })
    const { told, ended } = await watch(id)
    await expect.poll(() => types(told)).toContain('partial')
    await api.ask('POST', `/calls/${id}/stop`)
    await ended
    expect(types(told).slice(-2)).toEqual(['partial', 'ended'])
  })

  it('after the end gets the same without partials', async () => {
    await fixture.media()
    const id = await placeCall(api, agentId, {
      script: [inProgress, { type: 'partial', role: 'user', text: 'He' }, said(1, 'Hello')],
    })
    await reaches(api, id, 'completed')
    const { told, ended } = await watch(id)
    await ended
    expect(types(told)).toEqual(['status', 'status', 'status', 'transcript', 'ended'])
    expect(told[3]?.data).toMatchObject({ role: 'user', content: 'Hello', start_time: 1 })
  })

  it('that was disconnected resumes where it was, also at another process', async () => {
    await fixture.media()
    const elsewhere = await fixture.api()
    const script = [inProgress, said(1, 'one'), { type: 'until-stopped' } as const, said(2, 'two')]
    const id = await placeCall(api, agentId, { script })
    const first = await watch(id)
    await expect.poll(() => types(first.told)).toContain('transcript')
    first.leave()
    const last = first.told.at(-1)?.id ?? 0
    const second = await watch(id, { 'last-event-id': String(last) }, elsewhere)
    await api.ask('POST', `/calls/${id}/stop`)
    await second.ended
    expect(second.told.map((event) => event.type)).toEqual(['transcript', 'ended'])
    expect(second.told[0]?.data.content).toBe('two')
    expect(second.told[0]?.id).toBeGreaterThan(last)
  })

  it('gets the end of a call that is cancelled while it waits', async () => {
    const id = await placeCall(api, agentId)
    const { told, ended } = await watch(id)
    await expect.poll(() => types(told)).toEqual(['status'])
    await api.ask('POST', `/calls/${id}/stop`)
    await ended
    expect(told.at(-1)).toMatchObject({
      type: 'ended',
      data: { call_status: 'canceled', call_terminated_by: 'api' },
    })
  })

  it('with an invalid Last-Event-ID starts at the beginning', async () => {
    const id = await placeCall(api, agentId)
    await api.ask('POST', `/calls/${id}/stop`)
    const { told, ended } = await watch(id, { 'last-event-id': 'yesterday' })
    await ended
    expect(types(told)).toEqual(['status', 'ended'])
  })

  it('gets a thousand events in order, each once', async () => {
    await fixture.media()
    const lines = Array.from({ length: 1_000 }, (_, turn) => said(turn, 'x'.repeat(500)))
    const id = await placeCall(api, agentId, { script: [inProgress, ...lines] })
    const { told, ended } = await watch(id)
    await ended
    const turns = told.filter(({ type }) => type === 'transcript').map(({ data }) => data.turn)
    expect(turns).toEqual(lines.map((_, turn) => turn))
  })

  it('does not keep a process from stopping', async () => {
    const other = await fixture.api({ PARLEY_DRAIN_SECONDS: '60' })
    const { ended, told } = await watch(await placeCall(api, agentId), {}, other)
    await expect.poll(() => told.length).toBe(1)
    await other.close()
    await ended
  })
})

describe('the event stream', () => {
  it('sends keep-alive comments, and releases clients that disconnect', async () => {
    const db = openDb({ connectionString: fixture.database.url }, 2, () => {})
    const live = await new LiveCalls(db, { heartbeatMs: 20 }).open()
    const id = await placeCall(api, agentId)
    const leaving = new AbortController()
    const seen: string[] = []
    for await (const text of eventText(live, id, 0)(leaving.signal)) {
      seen.push(text)
      if (seen.length === 2) expect(live.watched).toBe(1)
      if (seen.length === 5) leaving.abort()
    }
    expect(seen.map((text) => text.slice(0, 5))).toEqual(['retry', 'id: 1', ': sti', ': sti', ': sti'])
    expect(live.watched).toBe(0)
    await live.close()
    await db.close()
  })

  it('resumes after its database connection is lost', async () => {
    await fixture.media()
    const id = await placeCall(api, agentId, { script: [inProgress, { type: 'until-stopped' }] })
    const { told, ended } = await watch(id)
    await expect.poll(() => told.length).toBe(3)
    await fixture.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'parley%'",
    )
    const stop = async () => (await api.ask('POST', `/calls/${id}/stop`)).status
    await expect.poll(stop).toBe(200)
    await ended
    expect(types(told).at(-1)).toBe('ended')
  })
})
