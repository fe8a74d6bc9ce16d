// What OpenAI's models get of an agent's options.
import { modelRequests, modelSuite, openAiNames } from '../../../test/props/vendors/model-suite.ts'
import { thinks } from './thinks.ts'

modelSuite({
  vendor: thinks,
  model: 'gpt-5-mini',
  options: { ...openAiNames, max_tokens: undefined, max_completion_tokens: 50 },
  missing: ['top_k', 'min_p'],
})

modelRequests(
  thinks,
  [['https://api.openai.com/v1', undefined, 'm', 'https://api.openai.com/v1/chat/completions']],
  { authorization: 'Bearer k' },
)
