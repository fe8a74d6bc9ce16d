// Reads an agent's free-form settings of its language model.
import { expect, it } from 'vitest'
import { readModel } from './read-model.ts'

it('reads the settings that are given', () => {
  const llm_config = {
    model: 'llama3',
    base_url: 'https://llm.example.com/v1',
    api_key: 'k',
    temperature: '0.2',
    max_tokens: 100,
    stop: 'END',
    provider: 'ollama',
  }
  expect(readModel({ llm_config })).toEqual({
    model: 'llama3',
    baseUrl: 'https://llm.example.com/v1',
    apiKey: 'k',
    fallback: [],
    options: { temperature: 0.2, maxTokens: 100, stop: ['END'] },
    problems: [],
  })
})

it.each([
  ['temperature', 'hot', 'a number from 0 to 2'],
  ['max_tokens', 0, 'a whole number from 1'],
  ['base_url', 'ftp://x', 'a web address'],
  ['base_url', 7, 'a web address'],
  ['stop', { a: 1 }, 'a list of texts'],
  ['model', ['a'], 'a name'],
])('%s %j is ignored and reported', (name, value, wanted) => {
  expect(readModel({ llm_config: { [name]: value, top_p: 1 } })).toEqual({
    fallback: [],
    options: { topP: 1 },
    problems: [`llm_config.${name} must be ${wanted} and was left aside`],
  })
})

it.each([
  undefined,
  null,
  7,
  'x',
  [],
  {},
  { llm_config: null },
  { llm_config: [] },
  { llm_config: { model: null } },
])('%j yields no settings', (llmAgent) => {
  expect(readModel(llmAgent)).toEqual({ fallback: [], options: {}, problems: [] })
})
