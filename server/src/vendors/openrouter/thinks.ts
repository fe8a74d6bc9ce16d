// OpenRouter hands conversations on to models of many vendors, some of which want the last word to be the caller's.
import {
  chatCompletions,
  compatibleServer,
  openAiOptions,
  openWeightOptions,
} from '../over/thinks/chat-completions/protocol.ts'

export const thinks = compatibleServer('openrouter', {
  baseUrl: 'https://openrouter.ai/api/v1',
  options: {
    ...openAiOptions,
    ...openWeightOptions,
    reasoningEffort: (effort) => ({ reasoning: { effort } }),
  },
  protocol: chatCompletions({ endsWithUser: true }),
  // OpenRouter's list of models is public.
  checkedPath: '/key',
})
