// The agents API: create, update and read shapes, merging, lists, and isolation between workspaces.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const minimal = { agent_name: 'Ada', llm_agent: {} }
const create = (config: object) => service.ask('POST', '/agents', { body: { agent_config: config } })
const made = async (config: object = minimal): Promise<string> => (await create(config)).body.data.agent_id
const read = async (id: string) => (await service.ask('GET', `/agents/${id}`)).body.data
const patch = (id: string, config: object) =>
  service.ask('PATCH', `/agents/${id}`, { body: { agent_config: config } })
const faults = (reply: { body: { details: { path: string }[] } }) =>
  reply.body.details.map(({ path }) => path)

const nobody = '99999999-9999-4999-8999-999999999999'

describe('creating', () => {
  it('answers 201 with exactly the id and the name', async () => {
    const { status, body } = await create(minimal)
    expect(status).toBe(201)
    expect(body).toEqual({
      status: 'success',
      data: { agent_id: expect.stringMatching(/^[0-9a-f-]{36}$/), agent_name: 'Ada' },
    })
  })

  it('applies the defaults of the specification', async () => {
    const { agent_config, status } = await read(
      await made({ ...minimal, synthesizer: { provider: 'polly' }, transcriber: {} }),
    )
    expect(status).toBe('active')
    expect(agent_config).toEqual({
      agent_name: 'Ada',
      llm_agent: {},
      agent_type: 'other',
      agent_prompt: '',
      status: 'active',
      synthesizer: { provider: 'polly', stream: false, buffer_size: 40, caching: true },
      transcriber: {
        model: 'nova-2',
        stream: false,
        sampling_rate: 16_000,
        encoding: 'linear16',
        endpointing: 500,
        task: 'transcribe',
        provider: 'deepgram',
      },
      task_config: {
        optimize_latency: true,
        hangup_after_silence: 20,
        incremental_delay: 900,
        number_of_words_for_interruption: 1,
        interruption_backoff_period: 100,
        hangup_after_LLMCall: false,
        backchanneling: false,
        backchanneling_message_gap: 5,
        backchanneling_start_delay: 5,
        ambient_noise: false,
        ambient_noise_track: 'convention_hall',
        call_terminate: 300,
        use_fillers: false,
        trigger_user_online_message_after: 10,
        check_user_online_message: 'Hey, are you still there',
        check_if_user_online: true,
        generate_precise_transcript: false,
      },
    })
  })

  it('names no transcriber or synthesizer for an agent that named none', async () => {
    const { agent_config } = await read(await made())
    expect(agent_config).not.toHaveProperty('transcriber')
    expect(agent_config).not.toHaveProperty('synthesizer')
  })

  it('accepts every field at once and returns it unchanged', async () => {
    const number = { phone_number: '+15550142', provider: 'sandbox' }
    const stored = await service.ask('POST', '/phone-numbers', { body: number })
    const repository = await service.ask('POST', '/knowledge-base', { body: { name: 'Manual' } })
    const config = {
      ...minimal,
      llm_agent: { anything: [{ goes: null }], llm_config: { model: 'm', extra: { deep: true } } },
      agent_welcome_message: 'Hi {name}',
      webhook_url: null,
      agent_type: 'graph_agent',
      agent_prompt: 'Be kind.',
      call_analysis_config: {
        summary: true,
        data_extraction: true,
        sentiment: false,
        summary_prompt: null,
        data_extraction_fields: [{ field_name: 'age', data_type: 'number', description: null }],
        disposition_fields: [{ field_name: 'won', action: { name: 'tell', metadata: [1, { a: 2 }] } }],
        sentiment_prompt: 'How was it?',
      },
      api_tools: { tools: [] },
      call_transfer_config: 'anything',
      status: 'inactive',
      repository_ids: [repository.body.data.repository_id],
      tool_definition_ids: [],
      input: { provider: 'sip', format: 'wav' },
      output: null,
      language: 'en',
      timezone: 'IST_IRAN',
      call_type: 'inbound',
      phone_number: '+15550100',
      phone_number_id: stored.body.data.phone_number_id,
      provider: 'sip',
    }
    const agent = await read(await made(config))
    expect(agent.agent_config).toMatchObject(config)
    expect(agent.status).toBe('inactive')
  })

  it.each<[string, object, string[]]>([
    ['no name and no model', {}, ['agent_config.agent_name', 'agent_config.llm_agent']],
    ['an empty name', { ...minimal, agent_name: '' }, ['agent_config.agent_name']],
    ['an unknown key', { ...minimal, nonsense: 1 }, ['agent_config.nonsense']],
    ['a non-object model', { ...minimal, llm_agent: [] }, ['agent_config.llm_agent']],
    ['an invalid webhook URL', { ...minimal, webhook_url: 'not a url' }, ['agent_config.webhook_url']],
    ['an unknown type', { ...minimal, agent_type: 'robot' }, ['agent_config.agent_type']],
    ['an unknown time zone', { ...minimal, timezone: 'Europe/Berlin' }, ['agent_config.timezone']],
    [
      'an unknown voice provider',
      { ...minimal, synthesizer: { provider: 'acme' } },
      ['agent_config.synthesizer.provider'],
    ],
    ['a voice without a provider', { ...minimal, synthesizer: {} }, ['agent_config.synthesizer.provider']],
    [
      'an unknown key of synthesizer',
      { ...minimal, synthesizer: { provider: 'polly', x: 1 } },
      ['agent_config.synthesizer.x'],
    ],
    [
      'a buffer of zero',
      { ...minimal, synthesizer: { provider: 'polly', buffer_size: 0 } },
      ['agent_config.synthesizer.buffer_size'],
    ],
    ['an unknown transcriber key', { ...minimal, transcriber: { x: 1 } }, ['agent_config.transcriber.x']],
    [
      'an incomplete endpointing',
      { ...minimal, transcriber: { endpointing: 0.5 } },
      ['agent_config.transcriber.endpointing'],
    ],
    [
      'an analysis without its three switches',
      { ...minimal, call_analysis_config: {} },
      [
        'agent_config.call_analysis_config.summary',
        'agent_config.call_analysis_config.data_extraction',
        'agent_config.call_analysis_config.sentiment',
      ],
    ],
    ['an unknown task_config key', { ...minimal, task_config: { x: 1 } }, ['agent_config.task_config.x']],
    ['an input without a format', { ...minimal, input: { provider: 'x' } }, ['agent_config.input.format']],
    ['an invalid id', { ...minimal, repository_ids: ['x'] }, ['agent_config.repository_ids.0']],
    ['a null name', { ...minimal, agent_name: null }, ['agent_config.agent_name']],
    ['a null prompt', { ...minimal, agent_prompt: null }, ['agent_config.agent_prompt']],
  ])('refuses %s, naming every fault', async (_what, config, paths) => {
    const reply = await create(config)
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(faults(reply)).toEqual(paths)
  })

  it('refuses a language that none of its engines serves, with the list of those that would', async () => {
    const reply = await create({ ...minimal, language: 'de-DE' })
    expect([reply.status, reply.body.code]).toEqual([400, 'OPTION_NOT_SERVED'])
    expect(reply.body.details).toEqual([
      {
        path: 'agent_config.language',
        message: expect.stringMatching(
          /^The offline voices do not speak German\. .* vendor in synthesizer that can speak German: .*\.$/,
        ),
      },
    ])
    const heard = await create({ ...minimal, language: 'es', transcriber: { language: 'ko' } })
    expect(faults(heard)).toEqual(['agent_config.transcriber.language'])
    const vendor = await create({ ...minimal, language: 'ar', synthesizer: { provider: 'deepgram' } })
    expect(vendor.body.details[0].message).toMatch(/^Deepgram does not speak Arabic\. Name a vendor .*polly/)
    const spoken = [
      { language: 'es-MX' },
      { language: 'auto' },
      { language: 'any text at all' },
      { language: 'de', synthesizer: { provider: 'elevenlabs' } },
    ]
    for (const config of spoken) expect((await create({ ...minimal, ...config })).status).toBe(201)
  })

  it('refuses a second top-level key', async () => {
    const reply = await service.ask('POST', '/agents', { body: { agent_config: minimal, extra: 1 } })
    expect(faults(reply)).toEqual(['extra'])
  })
})

describe('updating', () => {
  it('merges objects key by key and leaves the rest alone', async () => {
    const id = await made({
      ...minimal,
      llm_agent: { custom: 1, llm_config: { model: 'a', temperature: 0.5 } },
      synthesizer: { provider: 'polly', provider_config: { voice: 'x', engine: 'neural' } },
      transcriber: { language: 'en' },
      input: { provider: 'sip', format: 'wav' },
    })
    const { status, body } = await patch(id, {
      llm_agent: { agent_type: 'simple', llm_config: { model: 'b' } },
      synthesizer: { provider_config: { voice: 'y' } },
      transcriber: { endpointing: 700 },
      task_config: { hangup_after_silence: 30, brand_new: true },
      input: { format: 'pcm' },
    })
    expect(status).toBe(200)
    expect(body.data.agent_config).toMatchObject({
      llm_agent: { custom: 1, agent_type: 'simple', llm_config: { model: 'b', temperature: 0.5 } },
      synthesizer: { provider: 'polly', provider_config: { voice: 'y', engine: 'neural' }, buffer_size: 40 },
      transcriber: { language: 'en', endpointing: 700, provider: 'deepgram' },
      task_config: { hangup_after_silence: 30, brand_new: true, call_terminate: 300 },
      input: { provider: 'sip', format: 'pcm' },
    })
    expect(await read(id)).toEqual(body.data)
  })

  it('warns of a language that another engine serves, or that is not known here', async () => {
    const id = await made()
    const { body } = await patch(id, { language: 'zh', synthesizer: { provider: 'deepgram' } })
    expect(body.data.warnings).toEqual([
      {
        path: 'agent_config.language',
        message: expect.stringMatching(/^Deepgram does not speak Chinese, so the offline voice is used\./),
      },
    ])
    expect((await patch(id, { agent_welcome_message: '你好。' })).body.data).not.toHaveProperty('warnings')
  })

  it('warns of a model that has ended, and of keywords that the transcriber does not take', async () => {
    const id = await made()
    const synthesizer = { provider: 'rime', provider_config: { model: 'arcana' } }
    const { body } = await patch(id, {
      synthesizer,
      transcriber: { provider: 'elevenlabs', keywords: 'Ada, Newcastle upon Tyne Quayside' },
    })
    expect(body.data.warnings).toEqual([
      {
        path: 'agent_config.synthesizer.provider_config.model',
        message: 'Rime ended arcana on 15 August 2026. Use coda instead.',
      },
      {
        path: 'agent_config.transcriber.keywords',
        message:
          'ElevenLabs takes at most 50 keywords, of at most 20 characters each: "Newcastle upon Tyne Quayside" is left out.',
      },
    ])
    expect((await patch(id, { agent_prompt: 'Be brief.' })).body.data).not.toHaveProperty('warnings')
  })

  it('replaces arrays and the analysis', async () => {
    const analysis = { summary: true, data_extraction: true, sentiment: true, summary_prompt: 'short' }
    const { body: repository } = await service.ask('POST', '/knowledge-base', { body: { name: 'Manual' } })
    const repository_ids = [repository.data.repository_id]
    const id = await made({ ...minimal, repository_ids, call_analysis_config: analysis })
    const replaced = { summary: false, data_extraction: false, sentiment: false }
    const { body } = await patch(id, { repository_ids: [], call_analysis_config: replaced })
    expect(body.data.agent_config.repository_ids).toEqual([])
    expect(body.data.agent_config.call_analysis_config).toEqual(replaced)
  })

  it('clears nullable fields with null', async () => {
    const id = await made({ ...minimal, agent_welcome_message: 'Hi', webhook_url: 'https://example.com/x' })
    const { body } = await patch(id, { agent_welcome_message: null, webhook_url: null })
    expect(body.data.agent_config).toMatchObject({ agent_welcome_message: null, webhook_url: null })
  })

  it.each(['input', 'output'])('clears %s with null, and sets it again', async (field) => {
    const id = await made({ ...minimal, [field]: { provider: 'sip', format: 'wav' } })
    expect((await patch(id, { [field]: null })).body.data.agent_config[field]).toBeNull()
    expect((await read(id)).agent_config[field]).toBeNull()
    const again = await patch(id, { [field]: { provider: 'web' } })
    expect(again.body.data.agent_config[field]).toEqual({ provider: 'web' })
  })

  it('changes the status in both places', async () => {
    const { body } = await patch(await made(), { status: 'inactive' })
    expect([body.data.status, body.data.agent_config.status]).toEqual(['inactive', 'inactive'])
  })

  it('with no fields changes only updated_at', async () => {
    const id = await made()
    const before = await read(id)
    const { body } = await patch(id, {})
    expect(body.data).toEqual({ ...before, updated_at: expect.any(String) })
  })

  it('is as lenient as the specification', async () => {
    const id = await made()
    const loose = {
      agent_name: '',
      webhook_url: 'not a url',
      synthesizer: { provider: 'acme', buffer_size: 0.5 },
      transcriber: { model: null, encoding: 'any', sampling_rate: 0 },
      input: {},
    }
    const { status, body } = await patch(id, loose)
    expect(status).toBe(200)
    expect(body.data.agent_config).toMatchObject(loose)
  })

  it.each<[string, object, string]>([
    ['an unknown key', { nonsense: 1 }, 'agent_config.nonsense'],
    ['an unknown key of llm_agent', { llm_agent: { x: 1 } }, 'agent_config.llm_agent.x'],
    [
      'a mistyped key of synthesizer',
      { synthesizer: { bufer_size: 1 } },
      'agent_config.synthesizer.bufer_size',
    ],
    ['an unknown key of transcriber', { transcriber: { x: 1 } }, 'agent_config.transcriber.x'],
    ['an unknown key of input', { input: { x: 1 } }, 'agent_config.input.x'],
    ['an unknown key of output', { output: { x: 1 } }, 'agent_config.output.x'],
    ['a null name', { agent_name: null }, 'agent_config.agent_name'],
    ['a null synthesizer', { synthesizer: null }, 'agent_config.synthesizer'],
    [
      'an incomplete analysis',
      { call_analysis_config: { summary: true, sentiment: true } },
      'agent_config.call_analysis_config.data_extraction',
    ],
    [
      'a stop that is not a list',
      { llm_agent: { llm_config: { stop: 'x' } } },
      'agent_config.llm_agent.llm_config.stop',
    ],
    [
      'an unknown audio format',
      { synthesizer: { audio_format: 'midi' } },
      'agent_config.synthesizer.audio_format',
    ],
  ])('refuses %s', async (_what, config, path) => {
    const reply = await patch(await made(), config)
    expect(reply.status).toBe(400)
    expect(faults(reply)).toEqual([path])
  })

  it.each<[object, string, string]>([
    [{ synthesizer: { bufer_size: 1 } }, 'agent_config.synthesizer.bufer_size', 'buffer_size'],
    [{ transcriber: { endPointing: 1 } }, 'agent_config.transcriber.endPointing', 'endpointing'],
    [{ output: { formt: 'wav' } }, 'agent_config.output.formt', 'format'],
  ])('names the nearest key for %j and stores nothing', async (config, path, nearest) => {
    const id = await made()
    const before = await read(id)
    const { body } = await patch(id, config)
    const message = `This key is not part of the interface. Did you mean ${nearest}?`
    expect(body.details).toEqual([{ path, message }])
    expect(await read(id)).toEqual(before)
  })

  it("keeps vendors' own options, whatever they are called", async () => {
    const id = await made({ ...minimal, synthesizer: { provider: 'polly' } })
    const options = {
      synthesizer: { provider_config: { voice: 'x', stability: 0.5 } },
      llm_agent: { llm_config: { model: 'm', seed: 7 }, routes: { embedding_model: 'e', threshold: 0.8 } },
    }
    const { status, body } = await patch(id, options)
    expect(status).toBe(200)
    expect(body.data.agent_config).toMatchObject(options)
  })

  it('of an agent that holds keys from before they were refused still works', async () => {
    const id = await made({ ...minimal, transcriber: {} })
    await service.database.query(
      `UPDATE agents SET config = jsonb_set(config::jsonb, '{transcriber,modle}', '"x"')::json WHERE agent_id = $1`,
      [id],
    )
    const { status, body } = await patch(id, { transcriber: { language: 'en' } })
    expect([status, body.data.agent_config.transcriber.language]).toEqual([200, 'en'])
  })

  it('keeps both of two concurrent updates', async () => {
    const id = await made()
    const keys = Array.from({ length: 12 }, (_, at) => `k${at}`)
    await Promise.all(keys.map((key) => patch(id, { task_config: { [key]: true } })))
    expect(Object.keys((await read(id)).agent_config.task_config)).toEqual(expect.arrayContaining(keys))
  })
})

describe('the status seeding', () => {
  it('is accepted from a client, and the agent is active as soon as it waits for nothing', async () => {
    const reply = await create({ ...minimal, status: 'seeding' })
    expect(reply.status).toBe(201)
    const id = reply.body.data.agent_id
    expect(await read(id)).toMatchObject({ status: 'active', agent_config: { status: 'active' } })
    await patch(id, { status: 'inactive' })
    const { status, body } = await patch(id, { status: 'seeding' })
    expect([status, body.data.status]).toEqual([200, 'active'])
  })
})

describe('an agent that does not exist', () => {
  it.each(['GET', 'PATCH', 'DELETE'])(
    'is 404 for %s, indistinguishable from one of another workspace',
    async (method) => {
      const elsewhere = '22222222-2222-4222-8222-222222222222'
      const [other] = await service.database.query<{ agent_id: string }>(
        "INSERT INTO agents (agent_id, workspace_id, status, config) VALUES (gen_random_uuid(), $1, 'active', '{}') RETURNING agent_id",
        [elsewhere],
      )
      const body = method === 'PATCH' ? { agent_config: {} } : undefined
      const headers = { 'x-request-id': 'same' }
      const never = await service.ask(method, `/agents/${nobody}`, { body, headers })
      const theirs = await service.ask(method, `/agents/${other?.agent_id}`, { body, headers })
      expect([never.status, never.body.code]).toEqual([404, 'AGENT_NOT_FOUND'])
      expect(theirs.text).toBe(never.text)
    },
  )

  it('is 400 when the id is malformed, and every other error is listed too', async () => {
    const reply = await service.ask('PATCH', '/agents/not-an-id', {
      body: { agent_config: { agent_name: 1 } },
    })
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(faults(reply)).toEqual(['id', 'agent_config.agent_name'])
  })

  it('is gone after DELETE', async () => {
    const id = await made()
    expect((await service.ask('DELETE', `/agents/${id}`)).body.data).toEqual({ agent_id: id, deleted: true })
    expect((await service.ask('GET', `/agents/${id}`)).status).toBe(404)
    expect((await service.ask('DELETE', `/agents/${id}`)).status).toBe(404)
  })

  it('accepts an id in upper case', async () => {
    const id = await made()
    expect((await service.ask('GET', `/agents/${id.toUpperCase()}`)).body.data.agent_id).toBe(id)
  })
})

describe('the list', () => {
  it('is newest first, and its pages contain every agent once', async () => {
    await service.database.query('TRUNCATE agents CASCADE')
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.unshift(await made({ ...minimal, agent_name: `agent ${at}` }))
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => service.ask('GET', `/agents?page=${page}&limit=2`)),
    )
    const data = pages.map(({ body }) => body.data)
    expect(data.flatMap((page) => page.data.map((agent: { agent_id: string }) => agent.agent_id))).toEqual(
      ids,
    )
    expect(data.map(({ pagination }) => pagination)).toEqual([
      { page: 1, limit: 2, total: 5, total_pages: 3, has_next_page: true, has_prev_page: false },
      { page: 2, limit: 2, total: 5, total_pages: 3, has_next_page: true, has_prev_page: true },
      { page: 3, limit: 2, total: 5, total_pages: 3, has_next_page: false, has_prev_page: true },
      { page: 4, limit: 2, total: 5, total_pages: 3, has_next_page: false, has_prev_page: true },
    ])
    expect(data[0].data[0]).toEqual(await read(ids[0] as string))
  })

  it('defaults to page 1 of 20', async () => {
    expect((await service.ask('GET', '/agents')).body.data.pagination).toMatchObject({ page: 1, limit: 20 })
  })

  it.each(['limit=100', 'page=9007199254740991&limit=100'])('takes %s', async (query) => {
    expect((await service.ask('GET', `/agents?${query}`)).status).toBe(200)
  })

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'page=1&page=2',
    'page=9007199254740993',
    'offset=3',
  ])('refuses %s by its name', async (query) => {
    const reply = await service.ask('GET', `/agents?${query}`)
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(faults(reply)).toEqual([query.split('=')[0]])
  })
})
