// Which agents get a mind that hears and speaks itself.
import { AgentConfig } from '@parley/contract'
import { Agent } from 'undici'
import { expect, it } from 'vitest'
import { ScriptedTranscriber } from '../../../test/props/call/scripted-transcriber.ts'
import { openGuard } from '../../platform/guard/guard.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import type { RealtimeOptions } from '../../ports/realtime-mind.ts'
import { planOf } from '../../resources/calls/plan/plan-call.ts'
import { chooseRealtime } from './choose-realtime.ts'
import { RealtimeRelief, type RealtimeWishes } from './realtime-relief.ts'

const callee = {
  sessionId: 's',
  workspaceId: 'w',
  agentId: 'a',
  to: '+15550100',
  from: null,
  provider: null,
  number: null,
  variables: {},
  metadata: null,
  callType: 'outbound',
} as const

function asked(llmConfig: object, synthesizer?: object) {
  const agent = AgentConfig.parse({ agent_name: 'Ada', llm_agent: { llm_config: llmConfig }, synthesizer })
  const plan = planOf(agent, callee, new Date('2030-01-01T09:00:00Z'))
  const notes: string[] = []
  const beside: CallPlan[] = []
  const wishes: RealtimeWishes = {
    operator: { server: undefined, keys: {} },
    trusted: new Agent(),
    guard: openGuard({ allowPrivate: false, trustedHosts: [] }),
    note: (sentence) => notes.push(sentence),
    wait: () => Promise.resolve(),
    openSpeech(asked) {
      beside.push(asked)
      return {
        transcriber: new ScriptedTranscriber(),
        close() {},
        voice: '',
        synthesizer: overClauses({ async *synthesize() {} }, 'any'),
        choices: [{ part: 'transcriber', asked: null, used: 'moonshine', why: null }],
      }
    },
  }
  return { plan, wishes, notes, beside }
}

function choose(llmConfig: object, synthesizer?: object) {
  const { wishes, ...call } = asked(llmConfig, synthesizer)
  return { ...call, chosen: chooseRealtime(call.plan, wishes) }
}

it('OpenAI’s replaces both speech engines', () => {
  const { chosen } = choose({ provider: 'openai', model: 'gpt-realtime', api_key: 'k' })
  expect(chosen?.choices.map(({ part, used }) => [part, used])).toEqual([
    ['transcriber', 'gpt-realtime'],
    ['synthesizer', 'gpt-realtime'],
  ])
})

it.each(['gemini-live-2.5-flash', 'gemini-2.5-flash-native-audio-preview-09-2025', 'gemini-3.1-flash-live'])(
  '%s has a recognizer beside it, and Gemini’s synthesizer with the same key and voice',
  (model) => {
    const asked = { provider: 'gemini', provider_config: { voice: 'Puck' } }
    const { chosen, beside } = choose({ provider: 'gemini', model, api_key: 'k' }, asked)
    expect(chosen?.choices.map(({ part, used }) => [part, used])).toEqual([
      ['transcriber', 'moonshine'],
      ['synthesizer', model],
    ])
    expect(beside).toMatchObject([
      {
        accounts: { gemini: { credentials: { apiKey: 'k' }, baseUrl: undefined } },
        synthesizer: { asked: 'gemini', voice: 'Puck' },
      },
    ])
  },
)

it('what relieves a model speaks with the options of its own vendor, and with none of another', () => {
  const speaking = (provider: 'openai' | 'gemini', synthesizer: object) => {
    const { plan, wishes, beside } = asked({ provider, model: 'any', api_key: 'k' }, synthesizer)
    const options = { apiKey: 'k', baseUrl: 'https://ai.example', voice: 'Puck' } as RealtimeOptions
    void new RealtimeRelief(plan, { provider, options }, wishes).speech
    return beside[0]?.synthesizer
  }
  const own = { instructions: 'Softly.' }
  for (const provider of ['openai', 'gemini'] as const)
    expect(speaking(provider, { provider, provider_config: own })).toMatchObject({
      asked: provider,
      providerConfig: own,
    })
  const other = { provider: 'cartesia', provider_config: { emotion: 'calm' } }
  expect(speaking('gemini', other)).toMatchObject({ asked: 'gemini', providerConfig: {} })
  expect(speaking('openai', other)).toMatchObject({
    asked: 'cartesia',
    providerConfig: { emotion: 'calm' },
  })
})

it('what relieves a model is asked at the addresses of its own services', () => {
  const { plan, wishes, beside } = asked({ provider: 'gemini', model: 'any' })
  const account = {
    credentials: { apiKey: 'k' },
    baseUrl: undefined,
    baseUrls: { realtime: 'https://live.example', synthesizer: 'https://voices.example' },
  }
  const options = { apiKey: 'k', baseUrl: 'https://live.example' } as RealtimeOptions
  const relieved = { provider: 'gemini', options } as const
  void new RealtimeRelief({ ...plan, accounts: { gemini: account } }, relieved, wishes).speech
  const other = { ...account, credentials: { apiKey: 'another' } }
  void new RealtimeRelief({ ...plan, accounts: { gemini: other } }, relieved, wishes).speech
  expect(beside.map(({ accounts }) => accounts.gemini)).toEqual([
    account,
    { credentials: { apiKey: 'k' }, baseUrl: 'https://live.example' },
  ])
})

it('without a key, or at another vendor, it is asked in text, and the call says so', () => {
  for (const config of [{ provider: 'openai', model: 'gpt-realtime' }, { model: 'gemini-live-2.5-flash' }]) {
    const { chosen, notes } = choose(config)
    expect(chosen).toBeUndefined()
    expect(notes[0]).toMatch(/needs the provider openai or gemini with a key: it is asked in text instead\.$/)
  }
})

it('models that only write are none of these', () => {
  for (const model of ['gemini-2.5-flash', 'gpt-5', 'gemini-2.5-flash-preview-tts', 'olive-7b'])
    expect(
      choose({ provider: 'gemini', model, api_key: 'k' }).plan.dialogue.model.hearsItself,
    ).toBeUndefined()
})
