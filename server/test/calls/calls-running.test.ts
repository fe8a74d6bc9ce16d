// Claiming and running calls in one process or several, with real services on a real database.
import { CallDetail } from '@parley/contract'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import {
  type CallFixture,
  detailOf,
  eventsOf,
  newAgent,
  openCallFixture,
  placeCall,
  reaches,
} from '../support/call-fixture.ts'
import type { ScriptedRunner, Step } from '../support/scripted-runner.ts'
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

const inProgress: Step = { type: 'status', status: 'in-progress' }
const forever: Step[] = [inProgress, { type: 'until-stopped' }]
const short: Step[] = [inProgress, { type: 'wait', ms: 30 }]

describe('a call', () => {
  it('is left to a process whose engines are loaded, and waits where there is none', async () => {
    const cold = (await fixture.media()).runner
    cold.isLoading = true
    const first = await placeCall(api, agentId, { script: short })
    const warm = (await fixture.media()).runner
    await reaches(api, first, 'completed')
    expect([cold.plans.length, warm.plans.length]).toEqual([0, 1])
    warm.isLoading = true
    const second = await placeCall(api, agentId, { script: short })
    cold.isLoading = false
    await reaches(api, second, 'completed')
    expect([cold.plans.length, warm.plans.length]).toEqual([1, 1])
  })

  it('finds the engines of its agent loaded: a process that starts is told what active agents speak with', async () => {
    const spanish = await newAgent(api, {
      language: 'es',
      transcriber: { provider: 'deepgram', language: 'es' },
      synthesizer: { provider: 'elevenlabs', language: 'es' },
    })
    await newAgent(api, { status: 'inactive', language: 'fr' })
    const { runner: earlier } = await fixture.media()
    for (let n = 0; n < 2; n++)
      await reaches(api, await placeCall(api, spanish, { script: short }), 'completed')
    const of = (language: string | undefined) => ({
      transcriber: { asked: language ? 'deepgram' : null, language },
      synthesizer: { voice: undefined, voiceId: undefined, language },
    })
    const stored = await api.ask('PUT', '/credentials/deepgram', {
      body: { credentials: { api_key: 'k-of-deepgram' } },
    })
    expect(stored.status, stored.text).toBe(200)
    const { runner } = await fixture.media()
    expect(earlier.expected.map(({ synthesizer }) => synthesizer?.language)).toEqual(['es', undefined])
    expect(runner.expected).toEqual([{ ...of('es'), transcriber: undefined }, of(undefined)])
    const { runner: quiet } = await fixture.media({ PARLEY_WARM_ENGINES: 'false' })
    expect(quiet.expected).toEqual([])
  })

  it('is run, recorded in the database, and published as an event', async () => {
    const { runner } = await fixture.media()
    const id = await placeCall(api, agentId, {
      variables: { name: 'Ada', age: 36 },
      from_phone_number: '+15550199',
      agent_overrides: { agent_prompt: 'Be brief.' },
      script: [
        { type: 'status', status: 'initiated' },
        { type: 'status', status: 'ringing' },
        inProgress,
        {
          type: 'outcome',
          outcome: {
            transcript: [
              {
                turn: 1,
                role: 'agent',
                content: 'Hello there',
                startSeconds: 0.1,
                endSeconds: 1,
                interrupted: false,
              },
              {
                turn: 1,
                role: 'tool',
                content: 'sunny',
                startSeconds: 1,
                endSeconds: 1.2,
                interrupted: false,
                tool: { name: 'weather', arguments: { city: 'Rome' } },
              },
            ],
            latency: [1, 2, 3].map((turn) => ({
              turn,
              endpointingMs: 10 * turn,
              sttMs: null,
              llmMs: 100,
              ttsMs: 50,
              totalMs: 200 + turn,
            })),
            engines: [{ part: 'transcriber', asked: 'deepgram', used: 'moonshine', why: 'There is no key.' }],
            provider: 'sandbox',
          },
        },
      ],
    })
    const call = CallDetail.parse(await reaches(api, id, 'completed'))
    expect(call).toMatchObject({
      call_terminated_by: 'user',
      hangup_reason: 'user_hangup',
      answered_by: 'human',
      duration: 1.5,
      call_sid: 'SB1',
      provider: 'sandbox',
      usage: { stt_seconds: 1, llm_input_tokens: 2, llm_output_tokens: 3, tts_characters: 4 },
      engines: [{ part: 'transcriber', asked: 'deepgram', used: 'moonshine', why: 'There is no key.' }],
      error_message: null,
    })
    expect(call.transcript).toEqual([
      {
        turn: 1,
        role: 'agent',
        content: 'Hello there',
        start_time: 0.1,
        end_time: 1,
        interrupted: false,
      },
      {
        turn: 1,
        role: 'tool',
        content: 'sunny',
        start_time: 1,
        end_time: 1.2,
        interrupted: false,
        tool: { name: 'weather', arguments: { city: 'Rome' } },
      },
    ])
    expect(call.latency.p50).toEqual({ endpointing: 20, stt: null, llm: 100, tts: 50, total: 202 })
    expect(call.latency.p95.total).toBe(203)
    expect(runner.plans).toHaveLength(1)
    expect(runner.plans[0]).toMatchObject({
      sessionId: id,
      agentId,
      callType: 'outbound',
      to: '+15550100',
      from: '+15550199',
      variables: { name: 'Ada', age: '36' },
      dialogue: { prompt: 'Be brief.' },
      turn: { longestCallMs: 300_000 },
    })
    await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
    expect((await eventsOf(fixture.database, id))[0]).toMatchObject({
      session_id: id,
      call_status: 'completed',
      transcript: call.transcript,
    })
  })

  it('of an agent that an update made invalid runs without the invalid settings, and notes them', async () => {
    const patch = {
      task_config: { call_terminate: 'soon', hangup_after_silence: 7 },
      synthesizer: { provider: 'acme' },
    }
    await api.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: patch } })
    const { runner } = await fixture.media()
    const id = await placeCall(api, agentId)
    await reaches(api, id, 'completed')
    expect(runner.plans[0]?.turn).toMatchObject({ longestCallMs: 300_000, hangUpAfterSilenceMs: 7_000 })
    const notes = await fixture.database.query<{ note: string }>(
      "SELECT data->>'note' AS note FROM call_events WHERE session_id = $1 AND type = 'note' ORDER BY seq",
      [id],
    )
    expect(notes.map(({ note }) => note).join(' ')).toMatch(
      /synthesizer.*task_config\.call_terminate|task_config\.call_terminate.*synthesizer/,
    )
  })

  it('whose agent was deleted while it waited fails, with its event', async () => {
    const id = await placeCall(api, agentId)
    await api.ask('DELETE', `/agents/${agentId}`)
    const { runner } = await fixture.media()
    expect(await reaches(api, id, 'failed')).toMatchObject({
      hangup_reason: 'dial_failed',
      call_terminated_by: 'system',
      error_message: 'The agent of this call no longer exists.',
    })
    expect(runner.plans).toEqual([])
    await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  })

  it('whose agent was switched off while it waited fails, with its event', async () => {
    const id = await placeCall(api, agentId)
    await api.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: { status: 'inactive' } } })
    const { runner } = await fixture.media()
    expect(await reaches(api, id, 'failed')).toMatchObject({
      hangup_reason: 'dial_failed',
      error_message: 'The agent of this call is inactive.',
    })
    expect(runner.plans).toEqual([])
    await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  })

  it('whose runner fails ends as failed/worker_lost', async () => {
    await fixture.media()
    const id = await placeCall(api, agentId, { script: [inProgress, { type: 'break' }] })
    expect(await reaches(api, id, 'failed')).toMatchObject({ hangup_reason: 'worker_lost' })
  })

  it('that is scheduled starts when it is due, and not before', async () => {
    const { runner } = await fixture.media()
    const at = Date.now() + 700
    const id = await placeCall(api, agentId, { schedule_time: new Date(at).toISOString() })
    expect((await detailOf(api, id)).call_status).toBe('scheduled')
    const call = await reaches(api, id, 'completed')
    expect(Date.parse(call.call_initiated_time)).toBeGreaterThanOrEqual(at)
    expect(runner.plans).toHaveLength(1)
  })
})

describe('stopping', () => {
  it('hangs up a call that another process runs', async () => {
    const { runner } = await fixture.media()
    const id = await placeCall(api, agentId, { script: forever })
    await reaches(api, id, 'in-progress')
    const reply = await api.ask('POST', `/calls/${id}/stop`)
    expect([reply.status, reply.body.data.call_status]).toEqual([200, 'in-progress'])
    expect(await reaches(api, id, 'completed')).toMatchObject({
      call_terminated_by: 'api',
      hangup_reason: 'api_stopped',
    })
    expect(runner.stops.get(id)).toBe('api')
    expect((await api.ask('POST', `/calls/${id}/stop`)).body.code).toBe('CALL_STATE_CONFLICT')
    await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  })

  it('a call at the moment it is claimed either cancels it or hangs it up, with one event', async () => {
    await fixture.media({}, 100)
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => placeCall(api, agentId, { script: forever })),
    )
    await Promise.all(ids.map((id) => api.ask('POST', `/calls/${id}/stop`)))
    for (const id of ids) await reaches(api, id, 'completed', 'canceled')
    for (const id of ids) await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  })
})

/** The most calls running at the same time, over all runners, and by phone number. */
function census(runners: ScriptedRunner[]) {
  const most = new Map<string, number>()
  for (const runner of runners) {
    runner.onRun = () => {
      const live = runners.flatMap((each) => each.plans.filter(({ sessionId }) => each.live.has(sessionId)))
      const note = (name: string, count: number) => most.set(name, Math.max(most.get(name) ?? 0, count))
      note('all', live.length)
      for (const number of new Set(live.map(({ from }) => from ?? 'none'))) {
        note(number, live.filter(({ from }) => (from ?? 'none') === number).length)
      }
    }
  }
  return most
}

describe('limits', () => {
  it('of workspace and number hold exactly across three processes, and every call is run once', async () => {
    const limits = { PARLEY_WORKSPACE_CONCURRENCY: '5', PARLEY_NUMBER_CONCURRENCY: '2' }
    const runners = await Promise.all([1, 2, 3].map(async () => (await fixture.media(limits)).runner))
    const most = census(runners)
    const numbers = ['+15550111', '+15550112', undefined]
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, nth) => {
        const from_phone_number = numbers[nth % numbers.length]
        return placeCall(api, agentId, { script: short, ...(from_phone_number && { from_phone_number }) })
      }),
    )
    for (const id of ids) await reaches(api, id, 'completed')
    expect(most.get('all')).toBe(5)
    expect([most.get('+15550111'), most.get('+15550112')]).toEqual([2, 2])
    const run = runners.flatMap(({ plans }) => plans.map(({ sessionId }) => sessionId))
    expect(run.toSorted()).toEqual(ids.toSorted())
    expect(runners.filter(({ plans }) => plans.length > 0).length).toBeGreaterThan(1)
  })

  it('of a process are never exceeded', async () => {
    const { runner } = await fixture.media({}, 3)
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => placeCall(api, agentId, { script: short })),
    )
    for (const id of ids) await reaches(api, id, 'completed')
    expect(runner.mostLive).toBe(3)
  })

  it('are shared fairly: a workspace with one call does not wait for one with many', async () => {
    const many = await Promise.all(
      Array.from({ length: 30 }, () => placeCall(api, agentId, { script: short })),
    )
    const other = '22222222-2222-4222-8222-222222222222'
    const one = many.pop() ?? ''
    await fixture.database.query('UPDATE calls SET workspace_id = $2, due_at = now() WHERE session_id = $1', [
      one,
      other,
    ])
    const { runner } = await fixture.media({}, 2)
    await expect.poll(() => runner.plans.length).toBeGreaterThan(3)
    const order = await fixture.database.query<{ place: number }>(
      `SELECT place::int FROM (SELECT session_id, rank() OVER (ORDER BY call_initiated_time) AS place FROM calls
       WHERE call_initiated_time IS NOT NULL) AS begun WHERE session_id = $1`,
      [one],
    )
    expect(order[0]?.place).toBeLessThanOrEqual(2)
    for (const id of many) await reaches(api, id, 'completed')
  })
})

describe('a database that becomes unavailable while calls run', () => {
  it('loses the end of no call, and no call is taken for lost', async () => {
    const { runner, log } = await fixture.media()
    await fixture.media()
    const ids = await Promise.all(
      Array.from({ length: 5 }, () =>
        placeCall(api, agentId, {
          script: [inProgress, { type: 'wait', ms: 1_500 }, { type: 'note', note: 'still here' }],
        }),
      ),
    )
    for (const id of ids) await reaches(api, id, 'in-progress')
    const outside = new pg.Client({ host: inject('postgresSocket'), user: 'parley', database: 'postgres' })
    await outside.connect()
    const name = fixture.database.url.split('/').at(-1) ?? ''
    await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await outside.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    await expect.poll(() => runner.live.size).toBe(0)
    await expect.poll(() => log.some((line) => line.includes('wait for the database'))).toBe(true)
    await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    await outside.end()
    const status = async (id: string) => detailOf(api, id).then((call) => call?.hangup_reason)
    for (const id of ids) await expect.poll(() => status(id).catch(() => null)).toBe('user_hangup')
    const notes = await fixture.database.query("SELECT 1 FROM call_events WHERE type = 'note'")
    expect(notes).toHaveLength(5)
    for (const id of ids) await expect.poll(() => eventsOf(fixture.database, id)).toHaveLength(1)
  })
})

describe('a process that is stopped', () => {
  it('lets running calls end within its grace period, and claims no more', async () => {
    const media = await fixture.media({ PARLEY_DRAIN_SECONDS: '30' })
    const id = await placeCall(api, agentId, { script: [inProgress, { type: 'wait', ms: 500 }] })
    await reaches(api, id, 'in-progress')
    const stopping = media.close()
    const later = await placeCall(api, agentId)
    await stopping
    expect((await detailOf(api, id)).hangup_reason).toBe('user_hangup')
    expect(media.runner.stops.size).toBe(0)
    expect(media.runner.closed).toBe(true)
    expect((await detailOf(api, later)).call_status).toBe('queued')
  })

  it('hangs up calls that do not end in time, and stores their end', async () => {
    const media = await fixture.media({ PARLEY_DRAIN_SECONDS: '0.2' })
    const id = await placeCall(api, agentId, { script: forever })
    await reaches(api, id, 'in-progress')
    await media.close()
    expect(media.runner.stops.get(id)).toBe('draining')
    expect(await detailOf(api, id)).toMatchObject({ call_status: 'completed', call_terminated_by: 'system' })
  })
})
