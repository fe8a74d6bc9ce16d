// Companies and servers of one's own that are asked for OpenAI's chat completions only.
import {
  compatibleServer,
  countTokens,
  openAiOptions,
  openAiOptionsWithout,
  openWeightOptions,
} from './over/thinks/chat-completions/protocol.ts'

const openWeights = { ...openAiOptions, ...openWeightOptions }

export const completionServers = {
  groq: compatibleServer('groq', {
    baseUrl: 'https://api.groq.com/openai/v1',
    options: openAiOptionsWithout('frequencyPenalty', 'presencePenalty'),
  }),
  together: compatibleServer('together', {
    baseUrl: 'https://api.together.xyz/v1',
    hosts: /^api\.together\.(xyz|ai)$/,
    options: openWeights,
    promptCache: 'none',
  }),
  deepseek: compatibleServer('deepseek', {
    baseUrl: 'https://api.deepseek.com/v1',
    options: {
      ...openAiOptionsWithout('seed'),
      reasoningEffort: (effort) =>
        effort === 'none' ? {} : { thinking: { type: 'enabled' }, reasoning_effort: effort },
    },
    // It thinks at length otherwise, and a caller waits for the first word.
    defaults: () => ({ ...countTokens(), thinking: { type: 'disabled' } }),
  }),
  ollama: compatibleServer('ollama', { baseUrl: 'http://localhost:11434/v1' }),
  vllm: compatibleServer('vllm', { baseUrl: 'http://localhost:8000/v1', options: openWeights }),
  llamacpp: compatibleServer('llamacpp', {
    baseUrl: 'http://localhost:8080/v1',
    options: { ...openAiOptionsWithout('reasoningEffort'), ...openWeightOptions },
  }),
  custom: compatibleServer('custom', { baseUrl: undefined, options: openWeights }),
}
