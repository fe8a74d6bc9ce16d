// What a call is given: the engines that it begins with, and a voice for the caller's language.
import { tmpdir } from 'node:os'
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { openScriptedRuntime, planWith } from '../../../test/props/call/scripted-runtime.ts'
import { modelsIfPresent } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import type { NeededEngines } from '../../engines/engines.ts'
import { world } from '../../engines/models/sets.ts'
import { readConfig } from '../../platform/config.ts'
import { planOf } from '../../resources/calls/plan/plan-call.ts'
import { assembleCall } from './assemble-call.ts'
import { openMediaRuntime } from './media-runtime.ts'

const { folder, absent } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, ...world)

const planOfAgent = (agent: object) =>
  planOf(
    AgentConfig.parse({ agent_name: 'Test', llm_agent: {}, ...agent }),
    {
      sessionId: 'session-1',
      workspaceId: 'workspace-1',
      agentId: 'agent-1',
      callType: 'outbound',
      to: '+15550100',
      from: null,
      number: null,
      provider: 'sandbox',
      variables: {},
      metadata: null,
    },
    new Date(0),
  )

it.each([
  ['a vendor for both', {}, ['no ears', 'no voice']],
  ['a vendor for its voice only', { transcriber: undefined }, ['ears', 'no voice']],
  ['none', { transcriber: undefined, synthesizer: undefined }, ['ears', 'offline ']],
])('a call with %s can begin when its offline engines are loaded', async (_, agent, wants) => {
  const { runtime, loaded, ears, close } = openScriptedRuntime()
  const loading = Promise.withResolvers<void>()
  const load = runtime.engines.load.bind(runtime.engines)
  Object.assign(runtime.engines, {
    load: (needed: NeededEngines) => load(needed).then(() => loading.promise),
    detector: {},
  })
  const vendors = { transcriber: { provider: 'deepgram' }, synthesizer: { provider: 'elevenlabs' } }
  const own = { credentials: { apiKey: 'k' }, baseUrl: undefined }
  const plan = planWith({ ...vendors, ...agent }, { deepgram: own, elevenlabs: own })
  const connect = () => {
    throw new Error('nobody is called')
  }
  const parts = assembleCall({ plan, connect, runtime, onUpdate: () => {} })
  const [needed] = loaded
  expect([
    needed?.transcriber === (ears as unknown) ? 'ears' : 'no ears',
    needed?.voice ?? 'no voice',
  ]).toEqual(wants)
  expect(parts.isLoaded?.()).toBe(false)
  loading.resolve()
  await vi.waitUntil(() => parts.isLoaded?.())
  parts.release?.()
  await close()
})

describeUnless(absent, 'an agent that takes the language of the caller', () => {
  const runtime = openMediaRuntime(
    { config: readConfig({ PARLEY_MODELS_DIR: folder }), recordingsFolder: tmpdir() },
    pino({ level: 'silent' }),
  )
  afterAll(() => runtime.close())

  const partsFor = async (agent: object) => {
    await runtime.engines.voices.ready
    const connect = () => {
      throw new Error('nobody is called')
    }
    return assembleCall({ plan: planOfAgent(agent), connect, runtime, onUpdate: () => {} })
  }

  it.each([
    ['Clínica dental, buenos días. ¿En qué puedo ayudarle?', 'ef_dora'],
    ['Cabinet dentaire, bonjour.', 'ff_siwis'],
    ['Hello, this is the clinic.', 'heart'],
    ['', 'heart'],
  ])('greets with %j in the language of these words', async (agent_welcome_message, voice) => {
    const { voice: greets, voiceIn } = await partsFor({ language: 'auto', agent_welcome_message })
    expect([greets, voiceIn?.('it')]).toEqual([voice, 'if_sara'])
  })

  it('has one voice if it has one language, whatever its greeting is written in', async () => {
    const { voice, voiceIn } = await partsFor({ language: 'es', agent_welcome_message: 'Hello.' })
    expect([voice, voiceIn]).toEqual(['ef_dora', undefined])
  })
})
