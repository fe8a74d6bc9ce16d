// What OpenAI's models get of an agent's options.
import { expect, it } from 'vitest'
import { bodyOf, modelRequests, modelSuite, openAiNames } from '../../../test/props/vendors/model-suite.ts'
import { thinks } from './thinks.ts'

modelSuite({
  vendor: thinks,
  model: 'gpt-6-luna',
  options: { ...openAiNames, max_tokens: undefined, max_completion_tokens: 50 },
  missing: ['top_k', 'min_p'],
  defaults: ['reasoning_effort'],
})

it.each([
  ['gpt-6-luna', 'none'],
  ['gpt-5.6-terra', 'none'],
  ['gpt-5-nano-2025-08-07', undefined],
  ['gpt-5-chat-latest', undefined],
  ['gpt-4.1', undefined],
  ['olive-7b', undefined],
])('%s reasons as little as it can', (model, effort) => {
  expect(bodyOf(thinks, model, {}).reasoning_effort).toBe(effort)
  expect(bodyOf(thinks, model, { reasoning_effort: 'high' }).reasoning_effort).toBe('high')
})

modelRequests(
  thinks,
  [['https://api.openai.com/v1', undefined, 'm', 'https://api.openai.com/v1/chat/completions']],
  { authorization: 'Bearer k' },
)
