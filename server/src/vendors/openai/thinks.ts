// OpenAI's models, over its chat completions.

import { compatibleServer, countTokens, openAiOptions } from '../over/thinks/chat-completions/protocol.ts'
import { as, type WireOptions } from '../over/thinks/protocol.ts'
import { host } from './account.ts'

/** A caller waits for the first word: as little reasoning as the model allows. Other models refuse to be told. */
const leastReasoning = (model: string): WireOptions =>
  /^gpt-(5\.[1-9]|[6-9])/.test(model) ? { reasoning_effort: 'none' } : {}

export const thinks = compatibleServer('openai', {
  baseUrl: `https://${host}/v1`,
  // Models that reason know the limit by this name only, and the others know both.
  options: { ...openAiOptions, maxTokens: as('max_completion_tokens') },
  defaults: (model) => ({ ...countTokens(), ...leastReasoning(model) }),
})
