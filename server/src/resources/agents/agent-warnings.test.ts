import { expect, it } from 'vitest'
import { judgeKeyterms } from '../../speech/agent-keyterms.ts'
import { warningsOn } from './agent-warnings.ts'

const warningsOf = (config: object) => warningsOn({ judgeKeyterms }, config)

it('a model that has ended is told at its place, with what to use instead', () => {
  const config = {
    synthesizer: { provider: 'rime', provider_config: { voice: 'astra', model: 'arcana' } },
    llm_agent: { llm_config: { provider: 'deepseek', model: 'deepseek-chat' } },
    transcriber: { provider: 'deepgram', model: 'nova-3', keywords: 'Maple, Oak' },
  }
  expect(warningsOf(config)).toEqual([
    {
      path: 'agent_config.llm_agent.llm_config.model',
      message: 'DeepSeek ended deepseek-chat on 24 July 2026. Use deepseek-flash instead.',
    },
    {
      path: 'agent_config.synthesizer.provider_config.model',
      message: 'Rime ended arcana on 15 August 2026. Use coda instead.',
    },
  ])
})

it('keywords that the transcriber does not take are named', () => {
  const keywords = 'Ada,  Bartholomew of Canterbury and York ,, Cyril'
  expect(warningsOf({ transcriber: { provider: 'elevenlabs', keywords } })).toEqual([
    {
      path: 'agent_config.transcriber.keywords',
      message:
        'ElevenLabs takes at most 50 keywords, of at most 20 characters each: "Bartholomew of Canterbury and York" is left out.',
    },
  ])
  const many = Array.from({ length: 130 }, (_, n) => `N${n}`).join()
  const [warning] = warningsOf({ transcriber: { provider: 'assembly', keywords: many } })
  expect(warning?.message).toContain('"N100", "N101", "N102", and 27 more are left out.')
})

it('of a transcriber that takes none it is said', () => {
  const config = (keywords: string) => ({ transcriber: { provider: 'pixa', keywords } })
  expect(warningsOf(config('Ada'))[0]?.message).toBe('Pixa takes no keywords; they are left out.')
  expect(warningsOf(config(' , '))).toEqual([])
})

it.each([
  {},
  { transcriber: null },
  { transcriber: { provider: 'offline', keywords: 'x'.repeat(900) } },
  { transcriber: { provider: 'constructor', keywords: 'Ada' } },
  { transcriber: { provider: 'gladia', keywords: null } },
])('%j gets none', (config) => expect(warningsOf(config)).toEqual([]))
