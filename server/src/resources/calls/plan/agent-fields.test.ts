// Every key of an agent's settings reaches the plan of a call or of its analysis, has a test of what it does, and is in
// docs/agent-fields.md.
import { readFile } from 'node:fs/promises'
import { AgentConfig } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { allFields, hasOwnKeys, testOf, withoutEffect } from '../../../../../scripts/agent-fields.ts'
import { agentFieldsDoc } from '../../../../../scripts/write-agent-fields-doc.ts'
import { wishesOf } from './plan-analysis.ts'
import { planOf } from './plan-call.ts'

/** Another value than the default, for each key. */
const samples: Readonly<Record<string, unknown>> = {
  'synthesizer.provider': 'cartesia',
  'synthesizer.provider_config': { voice: 'Ada' },
  'synthesizer.buffer_size': 90,
  'synthesizer.audio_format': 'mp3',
  'synthesizer.caching': false,
  'synthesizer.language': 'pt',
  'synthesizer.provider_config.voice': 'Ada',
  'synthesizer.provider_config.voice_id': 'v1',
  'synthesizer.provider_config.model': 'm1',
  'synthesizer.provider_config.temperature': 0.4,
  'synthesizer.provider_config.similarity_boost': 0.4,
  'synthesizer.provider_config.language': 'it',
  'synthesizer.provider_config.engine': 'neural',
  'transcriber.model': 'nova-3',
  'transcriber.language': 'pt',
  'transcriber.sampling_rate': 8_000,
  'transcriber.encoding': 'mulaw',
  'transcriber.endpointing': 900,
  'transcriber.keywords': 'Maple',
  'transcriber.task': 'translate',
  'transcriber.provider': 'gladia',
  'task_config.optimize_latency': false,
  'task_config.hangup_after_silence': 7,
  'task_config.incremental_delay': 111,
  'task_config.number_of_words_for_interruption': 4,
  'task_config.interruption_backoff_period': 222,
  'task_config.hangup_after_LLMCall': true,
  'task_config.call_cancellation_prompt': 'Over?',
  'task_config.end_call_tool_mode': 'on',
  'task_config.call_hangup_message': 'Bye.',
  'task_config.backchanneling': true,
  'task_config.backchanneling_message_gap': 9,
  'task_config.backchanneling_start_delay': 9,
  'task_config.ambient_noise': true,
  'task_config.ambient_noise_track': 'cafe',
  'task_config.call_terminate': 60,
  'task_config.use_fillers': true,
  'task_config.trigger_user_online_message_after': 3,
  'task_config.check_user_online_message': 'Hello?',
  'task_config.check_if_user_online': false,
  'llm_agent.agent_type': 'graph_agent',
  'llm_agent.routes': { routes: [{ route_name: 'hours', utterances: ['When?'], response: 'Nine.' }] },
  'llm_agent.llm_config': { model: 'm1' },
  'llm_agent.llm_config.model': 'm1',
  'llm_agent.llm_config.provider': 'openai',
  'llm_agent.llm_config.family': 'openai',
  'llm_agent.llm_config.base_url': 'https://models.example.com/v1',
  'llm_agent.llm_config.api_version': '2025-01-01',
  'llm_agent.llm_config.max_tokens': 50,
  'llm_agent.llm_config.temperature': 0.3,
  'llm_agent.llm_config.response_format': { type: 'json_object' },
  'llm_agent.llm_config.stop': ['END'],
  'llm_agent.llm_config.top_k': 3,
  'llm_agent.llm_config.top_p': 0.5,
  'llm_agent.llm_config.min_p': 0.1,
  'llm_agent.llm_config.frequency_penalty': 0.5,
  'llm_agent.llm_config.presence_penalty': 0.5,
  'llm_agent.llm_config.seed': 7,
  'llm_agent.llm_config.reasoning_effort': 'low',
  'llm_agent.llm_config.routes': { routes: [{ route_name: 'a', utterances: ['b'], response: 'c' }] },
  'call_analysis_config.summary': true,
  'call_analysis_config.data_extraction': true,
  'call_analysis_config.sentiment': true,
  'call_analysis_config.summary_prompt': 'Briefly.',
  'call_analysis_config.data_extraction_fields': [{ field_name: 'day' }],
  'call_analysis_config.data_extraction_fields.field_name': 'other',
  'call_analysis_config.data_extraction_fields.data_type': 'date',
  'call_analysis_config.data_extraction_fields.description': 'Which day?',
  'call_analysis_config.disposition_fields': [{ field_name: 'booked' }],
  'call_analysis_config.disposition_fields.field_name': 'other',
  'call_analysis_config.disposition_fields.description': 'Booked?',
  'call_analysis_config.disposition_fields.action': { name: 'x' },
  'call_analysis_config.disposition_fields.action.name': 'other',
  'call_analysis_config.disposition_fields.action.metadata': { a: 1 },
  'call_analysis_config.sentiment_prompt': 'Strictly.',
}

/** What makes a key count that depends on others. */
const base = {
  agent_name: 'Ada',
  llm_agent: { llm_config: {} },
  agent_welcome_message: 'Hello.',
  synthesizer: { provider: 'elevenlabs' },
  transcriber: {},
  task_config: {},
}
const companions: Readonly<Record<string, object>> = {
  'task_config.call_cancellation_prompt': { hangup_after_LLMCall: true },
  'task_config.backchanneling_message_gap': { backchanneling: true },
  'task_config.backchanneling_start_delay': { backchanneling: true },
  'task_config.ambient_noise_track': { ambient_noise: true },
}

type Tree = Record<string, unknown>

function withKey(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): Tree {
  if (rest.length === 0) return { ...tree, [key]: value }
  return { ...tree, [key]: withKey((tree[key] as Tree | undefined) ?? {}, rest, value) }
}

const now = new Date(0)
const planWith = (config: Tree) =>
  planOf(
    AgentConfig.parse(config),
    {
      sessionId: 's',
      workspaceId: 'w',
      agentId: 'a',
      callType: 'outbound',
      to: '+1',
      from: null,
      provider: null,
      number: null,
      variables: {},
      metadata: null,
    },
    now,
  )

const analysed = {
  summary: false,
  data_extraction: false,
  sentiment: false,
  data_extraction_fields: [{ field_name: 'a', data_type: 'string', description: 'b' }],
  disposition_fields: [{ field_name: 'c', description: 'd', action: { name: 'e' } }],
}
const needs: Readonly<Record<string, object>> = {
  summary_prompt: { summary: true },
  sentiment_prompt: { sentiment: true },
  data_extraction_fields: { data_extraction: true },
}

function analysisPair(path: string, value: unknown) {
  const [, key = '', ...rest] = path.split('.')
  const before: Tree = { ...analysed, ...needs[key] }
  const after =
    rest.length === 0
      ? { ...before, [key]: value }
      : { ...before, [key]: (before[key] as Tree[]).map((item) => withKey(item, rest, value)) }
  return [before, after].map((config) => wishesOf(config as Parameters<typeof wishesOf>[0]))
}

const root = new URL('../../../../../', import.meta.url)
const effective = allFields.filter(({ path }) => !(path in withoutEffect))

describe('of an agent’s settings', () => {
  it.each(effective.map(({ path }) => path))('%s changes the plan', (path) => {
    expect(Object.keys(samples), 'a value to try').toContain(path)
    if (path.startsWith('call_analysis_config')) {
      const [before, after] = analysisPair(path, samples[path])
      expect(after).not.toEqual(before)
      return
    }
    const keys = path.split('.')
    const companion = companions[path]
    const before = companion ? withKey(base, [keys[0] ?? ''], companion) : base
    expect(planWith(withKey(before, keys, samples[path]))).not.toEqual(planWith(before))
  })

  it.each(effective.map(({ path }) => path).filter((path) => !hasOwnKeys(path)))(
    '%s has a test of its own, which is named after it',
    async (path) => {
      const text = await readFile(new URL(testOf(path) ?? '', root), 'utf8')
      // By itself, or as a row of a table whose rows begin with the name.
      const titles = text.matchAll(/^ *(?:it\(|\[)'([\w.]+)(?:: |', )/gm)
      expect([...titles].map(([, title]) => title)).toContain(path)
    },
  )

  it.each(Object.keys(withoutEffect))('%s says that it has no effect', (path) => {
    const field = allFields.find((one) => one.path === path)
    expect(field?.effect).toMatch(/kept|no effect|without effect|always/i)
  })
})

describe('docs/agent-fields.md', () => {
  it('is written from the code: run make docs', async () => {
    expect(await readFile(new URL('docs/agent-fields.md', root), 'utf8')).toBe(agentFieldsDoc())
  })
})
