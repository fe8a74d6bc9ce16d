// Which agents get a mind that hears and speaks itself.
import { AgentConfig } from '@parley/contract'
import { Agent } from 'undici'
import { expect, it } from 'vitest'
import { ScriptedTranscriber } from '../../../test/props/call/scripted-transcriber.ts'
import { openGuard } from '../../platform/guard/guard.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import { planOf } from '../../resources/calls/plan/plan-call.ts'
import { chooseRealtime } from './choose-realtime.ts'

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

function choose(llmConfig: object, synthesizer?: object) {
  const agent = AgentConfig.parse({ agent_name: 'Ada', llm_agent: { llm_config: llmConfig }, synthesizer })
  const plan = planOf(agent, callee, new Date('2030-01-01T09:00:00Z'))
  const notes: string[] = []
  const beside: CallPlan[] = []
  const chosen = chooseRealtime(plan, {
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
        synthesizer: overClauses({ async *synthesize() {} }, 'any'),
        choices: [{ part: 'transcriber', asked: null, used: 'moonshine', why: null }],
      }
    },
  })
  return { plan, chosen, notes, beside }
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
