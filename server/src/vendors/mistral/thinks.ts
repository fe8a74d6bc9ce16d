// Mistral's models, over chat completions of its own kind.
import { createHash } from 'node:crypto'
import {
  chatCompletions,
  compatibleServer,
  openAiOptionsWithout,
} from '../over/thinks/chat-completions/protocol.ts'
import { as } from '../over/thinks/protocol.ts'

export const thinks = compatibleServer('mistral', {
  baseUrl: 'https://api.mistral.ai/v1',
  options: { ...openAiOptionsWithout('reasoningEffort'), seed: as('random_seed') },
  // Mistral counts tokens without being asked, and refuses to be asked.
  defaults: () => ({}),
  promptCache: 'none',
  protocol: chatCompletions({
    endsWithUser: true,
    // Ids of tool calls have nine letters and digits.
    toolId: (id) =>
      /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9),
  }),
})
