// From a claimed row and a stored configuration to the call's plan.
import { AgentConfig } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import type { ClaimedCall } from '../queue/backlog.ts'
import { type OpenStored, planCall, planOf } from './plan-call.ts'

const now = new Date('2030-01-01T09:00:00Z')
const least = { agent_name: 'A', llm_agent: {} }

const row: ClaimedCall = {
  session_id: 's',
  workspace_id: 'w',
  agent_id: 'a',
  batch_id: null,
  call_type: 'outbound',
  to_phone_number: '+15550100',
  from_phone_number: null,
  provider: 'sandbox',
  phone_number_id: null,
  number_provider: null,
  agent_inactive: false,
  allowed_destinations: null,
  own_countries: null,
  own_hosts: null,
  own_users: null,
  variables: { name: 'Ada', age: 36 },
  metadata: { k: 1 },
  draft: false,
  agent: JSON.stringify(least),
  secrets: null,
  agent_overrides: null,
  tools: null,
  credentials: null,
  memories: null,
  pronunciations: null,
}
const unsealed: OpenStored = {
  openSecrets: (_, config) => config,
  openCredentials: (_, vendor, sealed) => ({ apiKey: `${vendor} ${sealed.toString()}` }),
}
/** Cannot be compared with a number: that throws. */
const longObject = { length: { toString: null } }
const planFor = (agent: object, call: Partial<ClaimedCall> = {}) => {
  const plan = planCall({ ...row, ...call, agent: JSON.stringify({ ...least, ...agent }) }, unsealed, now)
  if (!plan) throw new Error('no plan')
  return plan
}

it('takes a voice of this installation without a vendor, and drops a vendor that is switched off', () => {
  const voice = { provider_config: { voice: 'michael' } }
  const offline = { provider: 'offline' }
  for (const synthesizer of [voice, { ...voice, ...offline }]) {
    const plan = planFor({ synthesizer, transcriber: offline })
    expect(plan.synthesizer).toMatchObject({ asked: null, voice: 'michael' })
    expect(plan.transcriber.asked).toBeNull()
    expect(plan.notes).toEqual([])
  }
})

describe('a bare agent', () => {
  const plan = planFor({})

  it('gets every default', () => {
    expect(plan).toMatchObject({
      sessionId: 's',
      workspaceId: 'w',
      agentId: 'a',
      callType: 'outbound',
      metadata: { k: 1 },
      provider: 'sandbox',
      transcriber: { asked: null, model: '', language: undefined, keyterms: [] },
      synthesizer: { asked: null, voice: undefined, voiceId: undefined, language: undefined },
      dialogue: {
        prompt: '',
        graph: null,
        routes: [],
        mayEndCall: false,
        model: { fallback: [], problems: [] },
      },
      tools: [],
      ambienceTrack: null,
      notes: [],
    })
    expect(plan.transfers).toEqual([])
    expect(plan.turn).toEqual({
      ringingMs: 60_000,
      answering: {
        onVoicemail: 'hang-up',
        voicemailMessage: '',
        screeningAnswer: 'Hello, this is A, calling for the owner of this phone.',
      },
      keys: { pauseMs: 2_000, endKey: '#', most: Number.POSITIVE_INFINITY },
      consent: null,
      endpointingMs: 500,
      unfinishedMs: 900,
      thinkAhead: true,
      wordsToInterrupt: 1,
      backoffMs: 100,
      hangUpAfterSilenceMs: 20_000,
      askIfThereAfterMs: 10_000,
      longestCallMs: 300_000,
      fillers: false,
      backchannels: null,
      overQuestion: null,
      sayings: {
        greeting: '',
        areYouThere: 'Hey, are you still there',
        farewell: '',
        apology: "I'm sorry, I'm having trouble right now. Please call again later.",
        sayAgain: "I'm sorry, something went wrong. Could you say that again, please?",
        connecting: 'Please stay on the line. I will connect you.',
        notConnected: expect.stringContaining('Is there anything else'),
        callerWaits: expect.any(String),
        takeCall: expect.stringContaining('press 1'),
        fillers: expect.arrayContaining(['One moment.']),
        lookups: expect.arrayContaining(['Let me look that up.']),
        backchannels: expect.arrayContaining(['I see.']),
      },
    })
  })

  it('has a plan that can be cloned to another thread', () => expect(structuredClone(plan)).toEqual(plan))

  it('that was deleted has no plan', () =>
    expect(planCall({ ...row, agent: null }, unsealed, now)).toBeUndefined())
})

// An update may have stored it (see measured.ts in the contract).
it.each([
  { llm_agent: { llm_config: { model: longObject } } },
  { llm_agent: { routes: { routes: longObject } } },
  { llm_agent: { routes: { routes: [{ utterances: longObject, response: longObject }] } } },
  {
    llm_agent: {
      agent_type: 'graph_agent',
      nodes: [{ id: longObject }, { id: 'a', edges: [{ to_node_id: longObject }] }],
    },
  },
  { llm_agent: { agent_type: 'graph_agent', llm_config: { nodes: longObject } } },
  { api_tools: { telephone: { voicemail: { message: longObject }, digits: { end_key: longObject } } } },
  { call_transfer_config: { destinations: longObject } },
])('plans a call for an agent that has an object with a length for a text or a list: %j', (agent) => {
  expect(planFor(agent)).toMatchObject({ agentId: row.agent_id })
})

it.each([
  ['es-MX', undefined, '¿Hola, sigue ahí?', 'Un momento.'],
  ['es', '¿Me oye?', '¿Me oye?', 'Un momento.'],
  ['ko', undefined, 'Hey, are you still there', 'One moment.'],
])('says its own sentences in its language: %s', (language, asked, areYouThere, filler) => {
  const { sayings } = planFor({
    language,
    task_config: asked === undefined ? {} : { check_user_online_message: asked },
  }).turn
  expect(sayings.areYouThere).toBe(areYouThere)
  expect(sayings.fillers).toContain(filler)
})

it('has the variables of the call and of the system; the system’s take precedence', () => {
  const { variables } = planFor({ timezone: 'PST' }, { variables: { name: 'Ada', age: 36, agent_id: 'x' } })
  expect(variables).toEqual({
    name: 'Ada',
    age: '36',
    agent_id: 'a',
    session_id: 's',
    from_phone_number: '',
    to_phone_number: '+15550100',
    current_date: 'Tuesday, January 1, 2030',
    current_time: '1:00 AM',
    timezone: 'PST',
  })
})

it('fills variables in everything the agent says and in its prompts, once', () => {
  const text = '{name} {current_time}'
  const filled = 'Ada 9:00 AM'
  const plan = planFor({
    agent_type: 'graph_agent',
    agent_prompt: text,
    agent_welcome_message: text,
    task_config: {
      check_user_online_message: text,
      call_hangup_message: { en: text },
      hangup_after_LLMCall: true,
      call_cancellation_prompt: text,
    },
    llm_agent: {
      nodes: [{ id: 'n', prompt: text, static_message: text }],
      agent_information: text,
      routes: { routes: [{ utterances: ['x'], response: [text] }] },
    },
    api_tools: {
      tools: [{ name: 't', pre_call_message: text, value: { url: 'https://example.com/{name}' } }],
    },
  })
  const { dialogue, turn, tools } = plan
  expect([
    ...[
      dialogue.prompt,
      dialogue.graph?.information,
      dialogue.graph?.start.prompt,
      dialogue.graph?.start.words,
    ],
    ...[dialogue.routes[0]?.answers[0], tools[0]?.waitingWords, turn.overQuestion],
    ...[turn.sayings.greeting, turn.sayings.areYouThere, turn.sayings.farewell],
  ]).toEqual(Array(10).fill(filled))
  // A tool's address is filled when it is called, because the model's arguments take precedence.
  expect(tools[0]?.target?.url).toBe('https://example.com/{name}')
  expect(plan.notes).toEqual([])
})

describe('notes', () => {
  it('name each variable without a value once, and the sentence still reads well', () => {
    const plan = planFor(
      {
        agent_welcome_message: 'Hello {first}, this is {first} of {company}.',
        agent_prompt: 'Call {first}.',
      },
      { variables: { company: '' } },
    )
    expect(plan.turn.sayings.greeting).toBe('Hello, this is.')
    expect(plan.notes).toEqual([
      'The variable {first} has no value and was left out.',
      'The variable {company} has no value and was left out.',
    ])
  })

  it('name the parts of the configuration that could not be used, in sentences', () => {
    const plan = planFor({
      agent_type: 'graph_agent',
      task_config: { call_terminate: 'soon' },
      llm_agent: { routes: { routes: [{}] } },
      api_tools: { tools: [{ name: 'move', key: 'transfer_call' }] },
    })
    expect(plan.notes).toEqual([
      "The agent's task_config.call_terminate is not valid and was left out.",
      'This is a graph_agent, but llm_agent.nodes is no list of nodes; it goes by its prompt alone.',
      'Route 1 needs utterances and a response and was left out.',
      'The tool transfer_call needs a destination in call_transfer_config and was left out.',
    ])
  })
})

describe('the telephone', () => {
  const telephone = (settings: object, more: object = {}) =>
    planFor({ api_tools: { telephone: settings }, agent_welcome_message: 'This is Maple Dental.', ...more })

  it('is answered for as the agent says, with its variables and in its language', () => {
    const { turn, notes } = telephone(
      {
        ring_timeout_seconds: 25,
        voicemail: { message: { en: 'Hello {name}, call us.', de: 'Hallo {name}, rufen Sie an.' } },
        screening: { answer: 'Maple Dental for {name}.' },
        digits: { pause_seconds: 4, end_key: '*', count: 6 },
      },
      { language: 'de' },
    )
    expect(turn).toMatchObject({
      ringingMs: 25_000,
      answering: {
        onVoicemail: 'leave-message',
        voicemailMessage: 'Hallo Ada, rufen Sie an.',
        screeningAnswer: 'Maple Dental for Ada.',
      },
      keys: { pauseMs: 4_000, endKey: '*', most: 6 },
    })
    expect(notes).toEqual([])
  })

  it('has the greeting as its answer to a screening service, and is not listened to for machines if we are called', () => {
    expect(telephone({}).turn.answering?.screeningAnswer).toBe('This is Maple Dental.')
    expect(planFor({}, { call_type: 'inbound' }).turn.answering).toBeNull()
  })

  it('rings as long as the call says, before the agent', () =>
    expect(planFor({}, { agent_overrides: { ring_timeout_seconds: 12 } }).turn.ringingMs).toBe(12_000))

  it('keeps its defaults where a setting is wrong, and says which', () => {
    const { turn, notes } = telephone({
      ring_timeout_seconds: 1,
      voicemail: { action: 'leave_message' },
      digits: { end_key: 'x' },
      hold: true,
    })
    expect(turn).toMatchObject({ ringingMs: 60_000, answering: { onVoicemail: 'hang-up' } })
    expect(notes).toEqual([
      'api_tools.telephone.hold does not exist and was left aside.',
      expect.stringContaining('voicemail.message is needed to leave a message'),
      expect.stringContaining('ring_timeout_seconds must be a number of seconds from 5 to 300'),
      expect.stringContaining('digits.end_key must be one of'),
    ])
  })
})

describe('transfers', () => {
  const desk = { name: 'Front desk', to_phone_number: '+15550114' }

  it('go to what was configured, with the tool to ask for them', () => {
    const plan = planFor({
      call_transfer_config: { destinations: [{ ...desk, mode: 'warm', message: '{name} calls.' }] },
      api_tools: {
        tools: [
          { name: 'move', key: 'transfer_call' },
          { name: 'keys', key: 'send_dtmf' },
        ],
      },
    })
    expect(plan.transfers).toEqual([
      { name: 'Front desk', to: '+15550114', mode: 'warm', message: 'Ada calls.' },
    ])
    expect(plan.tools.map(({ description }) => description.name)).toEqual(['transfer_call', 'send_dtmf'])
    expect(plan.dialogue.maySendDigits).toBe(true)
    expect(plan.notes).toEqual([])
  })

  it('leave out what cannot be called, with the reason', () => {
    const config = AgentConfig.parse({
      ...least,
      call_transfer_config: {
        destinations: [
          desk,
          desk,
          { name: 'A', to_phone_number: '911' },
          { ...desk, name: 'B', mode: 'hot' },
          {},
        ],
      },
    })
    const call = { ...row, sessionId: 's', workspaceId: 'w', agentId: 'a', callType: 'outbound' as const }
    const given = { ...call, to: null, from: null, number: null, variables: {}, memories: [] }
    const plan = planOf(config, given, now, (to) => (to === desk.to_phone_number ? 'It is premium.' : null))
    expect(plan.transfers).toEqual([])
    expect(plan.notes).toEqual([
      'call_transfer_config.destinations[0] cannot be called (It is premium) and was left out.',
      'call_transfer_config.destinations[1] cannot be called (It is premium) and was left out.',
      expect.stringContaining('destinations[2] needs a to_phone_number in E.164 form'),
      expect.stringContaining('destinations[3] must have the mode cold or warm'),
      expect.stringContaining('destinations[4] needs a name'),
    ])
  })
})

describe('transfers of a call over a trunk', () => {
  const config = {
    call_transfer_config: {
      destinations: [
        '+4930901820',
        '+499001234567',
        '+49110',
        '+442079460018',
        'sip:204@pbx.example.com',
        'sip:a@b.example',
      ].map((to_phone_number, at) => ({ name: `Number ${at}`, to_phone_number })),
    },
  }
  const german = { own_countries: ['DE'], own_hosts: ['pbx.example.com'] }
  const targets = (call: Partial<ClaimedCall>) => planFor(config, call).transfers.map(({ to }) => to)

  it('go where the workspace may call, in both directions', () => {
    const allowed = ['+4930901820', 'sip:204@pbx.example.com']
    expect(targets({ provider: 'sip', ...german })).toEqual(allowed)
    expect(targets({ provider: 'sip', call_type: 'inbound', ...german })).toEqual(allowed)
    const also = { ...german, allowed_destinations: ['DE', 'GB'] }
    expect(targets({ provider: 'sip', ...also })).toEqual([
      '+4930901820',
      '+442079460018',
      'sip:204@pbx.example.com',
    ])
  })

  it('go anywhere in a simulation, but not to the police', () =>
    expect(targets({ provider: 'sandbox' })).toEqual(
      config.call_transfer_config.destinations
        .map(({ to_phone_number }) => to_phone_number)
        .filter((to) => to !== '+49110'),
    ))
})

describe('stored tools', () => {
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
  const config = {
    name: 'find',
    description: 'Finds.',
    parameters: null,
    url: 'https://x.example/',
    method: 'PUT' as const,
    headers: { A: 'b' },
    query: { q: '{x}' },
    body: '{"n": %(n)i}',
    tool_names: null,
    timeout_seconds: 3,
    pre_call_message: 'Looking for {thing}.',
    save: { state: 'order.state' },
  }
  const tool = { tool_id: ids[0], type: 'http' as const, config, secrets: null }
  const agent = { tool_definition_ids: [ids[0]], agent_prompt: 'It is {state} for {name}, {thing}.' }

  it('become tools of the plan, key by key', () => {
    expect(planFor(agent, { tools: [tool] }).tools).toEqual([
      {
        description: { name: 'find', description: 'Finds.', parameters: { type: 'object', properties: {} } },
        waitingWords: 'Looking for {thing}.',
        target: {
          url: config.url,
          method: 'PUT',
          headers: { A: 'b' },
          query: { q: '{x}' },
          timeoutMs: 3_000,
          body: { n: '%(n)i' },
          answer: { save: { state: 'order.state' }, secrets: [] },
        },
      },
    ])
  })

  it('that save variables leave the filling of prompts to the call, which may have them by then', () => {
    const late = planFor(agent, { tools: [tool] })
    expect([late.fillsLate, late.dialogue.prompt]).toEqual([true, agent.agent_prompt])
    expect(late.notes).toEqual(['The variable {thing} has no value and was left out.'])
    const early = planFor(agent, { tools: [{ ...tool, config: { ...config, save: null } }] })
    expect([early.fillsLate, early.dialogue.prompt]).toEqual([false, 'It is for Ada.'])
  })

  it('of an MCP server become a server of the plan', () => {
    const mcp = { ...tool, type: 'mcp' as const, config: { ...config, tool_names: ['a'] } }
    expect(planFor(agent, { tools: [mcp] }).mcpServers).toEqual([
      {
        name: 'find',
        description: 'Finds.',
        url: config.url,
        headers: { A: 'b' },
        toolNames: ['a'],
        timeoutMs: 3_000,
        waitingWords: 'Looking for {thing}.',
        answer: { save: { state: 'order.state' }, secrets: [] },
      },
    ])
  })

  it('that are gone, or have the name of another one, are left out with a note', () => {
    const again = { ...tool, tool_id: ids[1] }
    const both = planFor({ tool_definition_ids: [...ids] }, { tools: [tool, again] })
    expect(both.tools).toHaveLength(1)
    expect(both.notes).toContain('The agent has two tools named find; the second one was left out.')
    expect(planFor({ tool_definition_ids: [ids[1]] }, { tools: null }).notes).toEqual([
      `The tool ${ids[1]} in tool_definition_ids no longer exists and was left out.`,
    ])
  })

  it('of the call itself are allowed by being named', () => {
    const ownTool = (name: string) => ({ ...tool, type: 'built_in' as const, config: { ...config, name } })
    const plan = (name: string) => planFor(agent, { tools: [ownTool(name)] })
    expect(plan('end_call').dialogue).toMatchObject({ mayEndCall: true, maySetVariables: false })
    expect(plan('send_dtmf').dialogue).toMatchObject({ mayEndCall: false, maySendDigits: true })
    expect(plan('set_variable')).toMatchObject({ fillsLate: true, dialogue: { maySetVariables: true } })
    expect(plan('transfer_call').notes).toContain(
      'The tool transfer_call needs a destination in call_transfer_config and was left out.',
    )
  })
})

describe('engines', () => {
  it('are requested as the agent is configured', () => {
    const plan = planFor({
      language: 'de',
      transcriber: { provider: 'soniox', model: 'm', keywords: 'Maple, Dr. Lee,,', endpointing: 250 },
      synthesizer: {
        provider: 'rime',
        provider_config: {
          voice: 'Ann',
          voice_id: 'v1',
          model: 7,
          engine: 'neural',
          temperature: 0.3,
          similarity_boost: 0.7,
          speed: 1.1,
        },
        buffer_size: 60,
      },
    })
    expect(plan.transcriber).toEqual({
      asked: 'soniox',
      model: 'm',
      language: 'de',
      keyterms: ['Maple', 'Dr. Lee'],
      fallbacks: [],
      providerConfig: {},
      options: { samplingRateHz: 16_000, encoding: 'linear16', task: 'transcribe', stream: false },
    })
    expect(plan.synthesizer).toMatchObject({
      asked: 'rime',
      voice: 'Ann',
      voiceId: 'v1',
      model: undefined,
      language: 'de',
      fallbacks: [],
      options: { temperature: 0.3, similarityBoost: 0.7, speed: 1.1, engine: 'neural', bufferSize: 60 },
    })
    expect(plan.turn.endpointingMs).toBe(250)
  })

  it('are not asked for what is empty or of another kind', () => {
    const provider_config = { voice: 'Ann', voice_id: '', model: null, speed: '1' }
    const { synthesizer } = planFor({ synthesizer: { provider: 'rime', provider_config } })
    expect(synthesizer).toMatchObject({ voice: 'Ann', voiceId: undefined, model: undefined })
    expect(synthesizer.options.speed).toBeUndefined()
  })

  it('get the options of their own as they are written', () => {
    const ears = { mip_opt_out: true, tag: ['desk'] }
    const voice = { voice: 'Ann', top_p: 0.4 }
    const plan = planFor({
      transcriber: { provider: 'deepgram' },
      synthesizer: { provider: 'rime', provider_config: voice },
      api_tools: { transcriber: { provider_config: ears } },
    })
    expect(plan.transcriber.providerConfig).toEqual(ears)
    expect(plan.synthesizer.providerConfig).toEqual(voice)
    expect(plan.notes).toEqual([])
    const odd = planFor({ api_tools: { transcriber: { provider_config: ['no'] } } })
    expect(odd.transcriber.providerConfig).toEqual({})
  })

  it('use their own configured language before the agent’s', () => {
    const agent = AgentConfig.parse({
      ...least,
      language: 'en',
      transcriber: { language: 'fr' },
      synthesizer: { provider: 'rime', language: 'es' },
    })
    const plan = planOf(agent, { ...planFor({}), variables: {} }, now)
    expect([plan.transcriber.language, plan.synthesizer.language]).toEqual(['fr', 'es'])
  })
})

it('credentials of the workspace become accounts, by the name that they are stored under', () => {
  const sealed = `\\x${Buffer.from('secret').toString('hex')}`
  const credentials = [
    { vendor: 'deepgram', sealed, base_url: null, base_urls: { transcriber: 'https://ears.example.com' } },
    { vendor: 'openai', sealed, base_url: 'https://proxy.example.com', base_urls: null },
  ]
  expect(planFor({}, { credentials }).accounts).toEqual({
    deepgram: {
      credentials: { apiKey: 'deepgram secret' },
      baseUrl: undefined,
      baseUrls: { transcriber: 'https://ears.example.com' },
    },
    openai: { credentials: { apiKey: 'openai secret' }, baseUrl: 'https://proxy.example.com' },
  })
})

it('vendors to go on with are read from api_tools.fallbacks, and what cannot be read is noted', () => {
  const { transcriber, synthesizer, notes } = planFor({
    api_tools: {
      fallbacks: {
        transcriber: [{ provider: 'assembly' }, { provider: 'nobody' }],
        synthesizer: [
          { provider: 'cartesia', voice_id: 'v-1', model: 'sonic', provider_config: { emotion: 'sad' } },
        ],
      },
    },
  })
  expect(transcriber.fallbacks).toEqual([{ vendor: 'assembly', model: '', providerConfig: {} }])
  expect(synthesizer.fallbacks).toEqual([
    {
      vendor: 'cartesia',
      voice: undefined,
      voiceId: 'v-1',
      model: 'sonic',
      providerConfig: { emotion: 'sad' },
    },
  ])
  expect(notes).toEqual([
    'api_tools.fallbacks.transcriber[1] cannot be used and was left out: it needs a provider that is known.',
  ])
})

it('the default model, which is one of Deepgram’s, is not asked of other vendors', () => {
  const modelOf = (transcriber: object) => planFor({ transcriber }).transcriber.model
  expect(modelOf({ provider: 'deepgram' })).toBe('nova-2')
  expect(modelOf({ provider: 'gladia' })).toBe('')
  expect(modelOf({ provider: 'gladia', model: 'solaria-1' })).toBe('solaria-1')
})
