// The options of vendors' own, from the request that saves an agent to what the vendors are sent in its call.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silero } from '../../src/engines/models/catalogue.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { openCartesiaTts } from '../props/vendors/cartesia-tts.ts'
import { openDeepgramStt } from '../props/vendors/deepgram-stt.ts'
import type { RecordedTts } from '../props/vendors/recorded-tts.ts'
import type { SttServer } from '../props/vendors/stt-suite.ts'
import { placeCall, reaches } from '../support/call-fixture.ts'
import { openService, type TestService } from '../support/service.ts'

const apiKey = 'secret-of-the-vendor'
const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero)

const agent = {
  agent_name: 'Ferry desk',
  llm_agent: {},
  agent_welcome_message: 'The noon ferry is full.',
  synthesizer: {
    provider: 'cartesia',
    provider_config: { emotion: 'apologetic', emotionn: 'calm', volume: 'loud' },
    caching: false,
  },
  transcriber: { provider: 'deepgram', model: 'nova-3' },
  api_tools: { transcriber: { provider_config: { mip_opt_out: true, sample_rate: 44_100 } } },
}

const warnings = [
  {
    path: 'agent_config.synthesizer.provider_config.emotionn',
    message: 'Cartesia has no setting "emotionn". Did you mean "emotion"?',
  },
  {
    path: 'agent_config.synthesizer.provider_config.volume',
    message: '"generation_config.volume" of Cartesia must be a number from 0.5 to 2; it is not sent.',
  },
  {
    path: 'agent_config.api_tools.transcriber.provider_config.sample_rate',
    message: '"sample_rate" is not passed on to Deepgram: Parley sets it, because it reads the answer by it.',
  },
]

describeUnless(absent, 'an agent with options of its vendors’ own', () => {
  let service: TestService
  let voice: RecordedTts
  let ears: SttServer
  beforeAll(async () => {
    voice = await openCartesiaTts(apiKey)
    ears = await openDeepgramStt(apiKey)
    service = await openService(
      { PARLEY_MODELS_DIR: folder, PARLEY_TRUSTED_HOSTS: '127.0.0.1' },
      undefined,
      openMediaRunner,
    )
    const credentials = { api_key: apiKey }
    for (const [vendor, base_urls] of [
      ['cartesia', { synthesizer: voice.baseUrl }],
      ['deepgram', { transcriber: ears.baseUrl, synthesizer: ears.baseUrl }],
    ] as const) {
      const stored = await service.ask('PUT', `/credentials/${vendor}`, { body: { credentials, base_urls } })
      expect(stored.status, stored.text).toBe(200)
    }
  })
  afterAll(async () => {
    await service?.close()
    await voice?.close()
    await ears?.close()
  })

  it('is saved with warnings, and its vendors are sent what they have', async () => {
    const created = await service.ask('POST', '/agents', { body: { agent_config: agent } })
    expect(created.status, created.text).toBe(201)
    expect(created.body.data).toEqual({
      agent_id: expect.any(String),
      agent_name: 'Ferry desk',
      warnings,
    })
    const agentId = created.body.data.agent_id
    const steps = [{ wait_for: 'agent_done', hang_up: true, after_ms: 100 }]
    const session = await placeCall(service, agentId, { metadata: { sandbox: { ring_ms: 0, steps } } })
    const call = await reaches(service, session, 'completed', 'failed')
    expect(call).toMatchObject({ call_status: 'completed', error_message: null })
    expect(call.engines.slice(0, 2).map(({ used }: { used: string }) => used)).toEqual([
      'deepgram',
      'cartesia',
    ])
    expect(JSON.parse(voice.messages[0] ?? '{}')).toMatchObject({
      transcript: expect.stringContaining('ferry'),
      generation_config: { emotion: 'apologetic' },
    })
    expect(voice.messages.join()).not.toMatch(/emotionn|loud/)
    const query = ears.asked.find(({ url }) => url.pathname === '/v1/listen')?.url.searchParams
    expect(query?.get('mip_opt_out')).toBe('true')
    expect(query?.getAll('sample_rate')).toEqual(['16000'])
    const notes = await service.database.query<{ note: string }>(
      "SELECT data ->> 'note' AS note FROM call_events WHERE session_id = $1 AND type = 'note'",
      [session],
    )
    const told = notes.map(({ note }) => note).join(' ')
    for (const { message } of warnings) expect(told).toContain(message)
  })

  it('that is changed is judged again, where the change is about them', async () => {
    const { body } = await service.ask('POST', '/agents', { body: { agent_config: agent } })
    const change = (agent_config: object) =>
      service.ask('PATCH', `/agents/${body.data.agent_id}`, { body: { agent_config } })
    const name = await change({ agent_name: 'Night desk' })
    expect(name.body.data.warnings).toBeUndefined()
    const mended = await change({
      synthesizer: { provider_config: { emotionn: null, volume: 1.2 } },
      api_tools: { transcriber: { provider_config: { mip_opt_out: true } } },
    })
    expect(mended.status, mended.text).toBe(200)
    expect(mended.body.data.warnings).toBeUndefined()
  })
})
