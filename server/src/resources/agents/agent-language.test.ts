import { expect, it } from 'vitest'
import { checkLanguage } from './agent-language.ts'

it('what is not known of a language is said once, though both engines are asked for it', () => {
  const warning = '"klingon" is no language that is known here.'
  const config = { agent_name: 'Ada', llm_agent: {}, language: 'klingon' }
  expect(checkLanguage(config, () => ({ warning }))).toEqual([
    { path: 'agent_config.language', message: warning },
  ])
})
