// Companies and servers of one's own that are asked for OpenAI's chat completions only.
import {
  compatibleServer,
  openAiOptions,
  openAiOptionsWithout,
  openWeightOptions,
} from './over/thinks/chat-completions/protocol.ts'

const openWeights = { ...openAiOptions, ...openWeightOptions }

export const groq = compatibleServer('groq', {
  baseUrl: 'https://api.groq.com/openai/v1',
  options: openAiOptionsWithout('frequencyPenalty', 'presencePenalty'),
})

export const together = compatibleServer('together', {
  baseUrl: 'https://api.together.xyz/v1',
  hosts: /^api\.together\.(xyz|ai)$/,
  options: openWeights,
  promptCache: 'none',
})

export const deepseek = compatibleServer('deepseek', {
  baseUrl: 'https://api.deepseek.com/v1',
  options: openAiOptionsWithout('seed', 'reasoningEffort'),
})

export const ollama = compatibleServer('ollama', { baseUrl: 'http://localhost:11434/v1' })

export const vllm = compatibleServer('vllm', { baseUrl: 'http://localhost:8000/v1', options: openWeights })

export const llamacpp = compatibleServer('llamacpp', {
  baseUrl: 'http://localhost:8080/v1',
  options: { ...openAiOptionsWithout('reasoningEffort'), ...openWeightOptions },
})

export const custom = compatibleServer('custom', { baseUrl: undefined, options: openWeights })
