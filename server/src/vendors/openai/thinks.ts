// OpenAI's models, over its chat completions.

import { compatibleServer, openAiOptions } from '../over/thinks/chat-completions/protocol.ts'
import { as } from '../over/thinks/protocol.ts'
import { host } from './account.ts'

export const thinks = compatibleServer('openai', {
  baseUrl: `https://${host}/v1`,
  // Models that reason know the limit by this name only, and the others know both.
  options: { ...openAiOptions, maxTokens: as('max_completion_tokens') },
})
