// A call from the request to the event: placed over HTTP, run in the media thread, recorded, published.
//
// Calls with speech run on the virtual clock. A call that is stopped from outside runs in real time, without checks of
// its speech.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { detailOf, newAgent, reaches } from '../support/call-fixture.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { lengthMs, loudIntervals } from '../support/recording/intervals.ts'
import { readRecording } from '../support/recording/recording.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'
import { openVirtualRunner } from '../support/virtual-runner.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const settings = { PARLEY_MODELS_DIR: folder, PARLEY_TTS: 'wren' }
const agent = {
  agent_welcome_message: 'Hello {name}, this is the city library.',
  agent_prompt:
    'You are the desk of the city library. We are open from nine to five. Ask for the name of the caller.',
}
const talk = [{ say: 'When are you open?' }, { wait_for: 'agent_done', hang_up: true, after_ms: 300 }]

describeUnless(absent, 'a call', () => {
  let service: TestService
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await openReceiver()
    service = await openService(
      {
        ...settings,
        PARLEY_CALL_EVENT_DELAY_SECONDS: '0.1',
        PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
        PARLEY_DRAIN_SECONDS: '1',
      },
      undefined,
      openVirtualRunner,
    )
    const hook = { url: receiver.url, events: ['call.completed'] }
    expect((await service.ask('POST', '/webhooks', { body: hook })).status).toBe(201)
  })
  afterAll(async () => {
    await service?.close()
    await receiver?.close()
  })

  const place = async (body: object): Promise<string> =>
    (await service.ask('POST', '/calls', { body })).body.data.session_id
  const detail = (id: string) => detailOf(service, id)
  const eventOf = (id: string) =>
    receiver.received.map(({ body }) => JSON.parse(body)).find(({ data }) => data.session_id === id)

  it('is spoken, transcribed, answered, recorded and published as an event', async () => {
    const agent_id = await newAgent(service, agent)
    const variables = { name: 'Ada' }
    const metadata = { sandbox: { ring_ms: 1_500, steps: talk } }
    const id = await place({ agent_id, to_phone_number: '+15550100', variables, metadata })

    const live = await fetch(`${service.url}/agent/v1/calls/${id}/events`, {
      headers: { 'x-api-key': boundKey },
    })
    const story = await live.text()
    const order = ['queued', 'initiated', 'ringing', 'in-progress', 'completed'].map((word) =>
      story.indexOf(word),
    )
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(order).not.toContain(-1)

    const call = await detail(id)
    expect(call).toMatchObject({
      call_status: 'completed',
      hangup_reason: 'user_hangup',
      call_terminated_by: 'user',
      answered_by: 'human',
      provider: 'sandbox',
      sandbox: true,
      error_message: null,
    })
    const said = call.transcript.map(
      ({ role, content }: { role: string; content: string }) => `${role}: ${content}`,
    )
    expect(said[0]).toBe('agent: Hello Ada, this is the city library.')
    expect(said[1]).toMatch(/^user: .*open/i)
    expect(said[2]).toMatch(/^agent: .*nine to five/)
    expect(call.latency.turns).toHaveLength(1)
    expect(call.latency.turns[0].total).toBeGreaterThanOrEqual(call.latency.turns[0].endpointing)
    expect(call.usage.stt_seconds).toBeCloseTo(call.duration, 0)
    expect(call.usage.tts_characters).toBeGreaterThan(20)
    expect(call.engines.map(({ used }: { used: string }) => used)).toEqual([
      'moonshine',
      'wren',
      'built-in dialogue policy, not a language model',
    ])

    const { url } = call.recording
    const wav = new Uint8Array(await (await fetch(url)).arrayBuffer())
    const { caller, agent: voice, rateHz } = readRecording(wav)
    expect(Math.abs(caller.length / rateHz - call.duration)).toBeLessThan(0.1)
    for (const side of [caller, voice]) {
      const spokenMs = loudIntervals(side, rateHz).reduce((sum, interval) => sum + lengthMs(interval), 0)
      expect(spokenMs).toBeGreaterThan(500)
    }

    await expect.poll(() => eventOf(id)).toBeDefined()
    const { data } = eventOf(id)
    expect(data).toMatchObject({ agent_id, call_status: 'completed', duration: call.duration })
    expect(data.transcript).toEqual(call.transcript)
    expect(data.recording.url).toMatch(/^http/)

    const { text } = await service.bare('GET', '/metrics')
    expect(text).toContain('parley_calls_live 0')
    expect(text).toContain('parley_calls_ended_total{status="completed",reason="user_hangup"} 1')
    expect(text).toContain('parley_turn_seconds_count{part="total"} 1')
  })

  it.each([
    ['+15550101', 'busy', 'dial_busy'],
    ['+15550103', 'failed', 'dial_failed'],
    ['+15550119', 'failed', 'trunk_unreachable'],
  ])('to %s ends as %s', async (to_phone_number, call_status, hangup_reason) => {
    const id = await place({ agent_id: await newAgent(service, agent), to_phone_number })
    await reaches(service, id, call_status)
    expect(await detail(id)).toMatchObject({
      call_status,
      hangup_reason,
      duration: 0,
      recording: { url: null },
    })
    await expect.poll(() => eventOf(id)).toBeDefined()
  })

  it('to a number that the sandbox no longer simulates is not made', async () => {
    const id = await place({
      agent_id: await newAgent(service, agent),
      to_phone_number: '+15550100',
      schedule_time: new Date(Date.now() + 3_600_000).toISOString(),
    })
    // As if every number was simulated when it was created.
    await service.database.query(
      "UPDATE calls SET to_phone_number = '+14155552671', due_at = now() WHERE session_id = $1",
      [id],
    )
    expect(await reaches(service, id, 'failed')).toMatchObject({
      provider: 'sandbox',
      sandbox: true,
      call_sid: null,
      hangup_reason: 'dial_failed',
      error_message: expect.stringContaining('created for the sandbox'),
    })
  })

  it('with an invalid script says what is wrong with it', async () => {
    const metadata = { sandbox: { steps: [{ shout: 'Hello' }] } }
    const id = await place({
      agent_id: await newAgent(service, agent),
      to_phone_number: '+15550100',
      metadata,
    })
    await reaches(service, id, 'failed')
    expect((await detail(id)).error_message).toMatch(/^metadata\.sandbox cannot be played: steps/)
  })

  it('is stopped while it runs, in real time', async () => {
    const live = await openService({ ...settings, PARLEY_DRAIN_SECONDS: '1' }, undefined, openMediaRunner)
    try {
      const body = { agent_id: await newAgent(live, agent), to_phone_number: '+15550106' }
      const id = (await live.ask('POST', '/calls', { body })).body.data.session_id
      await reaches(live, id, 'in-progress')
      expect((await live.ask('POST', `/calls/${id}/stop`)).status).toBe(200)
      await reaches(live, id, 'completed')
      expect(await detailOf(live, id)).toMatchObject({
        hangup_reason: 'api_stopped',
        call_terminated_by: 'api',
      })
    } finally {
      await live.close()
    }
  })

  it('of an agent that names vendors records which engines it got instead, and why', async () => {
    const vendors = { transcriber: { provider: 'deepgram' }, synthesizer: { provider: 'elevenlabs' } }
    const id = await place({
      agent_id: await newAgent(service, { ...agent, ...vendors }),
      to_phone_number: '+15550105',
    })
    await reaches(service, id, 'completed')
    const { engines } = await detail(id)
    expect(engines).toMatchObject([
      {
        part: 'transcriber',
        asked: 'deepgram',
        used: 'moonshine',
        why: expect.stringContaining('credentials'),
      },
      {
        part: 'synthesizer',
        asked: 'elevenlabs',
        used: 'wren',
        why: expect.stringContaining('credentials'),
      },
      { part: 'language-model' },
    ])
  })

  it('of an agent that names vendors fails if the operator forbids substitutes', async () => {
    const strict = await openService({ PARLEY_ENGINE_FALLBACK: 'fail' }, undefined, openMediaRunner)
    try {
      const agent_id = await newAgent(strict, { ...agent, transcriber: { provider: 'deepgram' } })
      const body = { agent_id, to_phone_number: '+15550100' }
      const id = (await strict.ask('POST', '/calls', { body })).body.data.session_id
      await reaches(strict, id, 'failed')
      const call = await detailOf(strict, id)
      expect(call).toMatchObject({ hangup_reason: 'stt_error', call_terminated_by: 'system' })
      expect(call.error_message).toContain('deepgram')
    } finally {
      await strict.close()
    }
  })
})
