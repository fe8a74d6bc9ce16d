// Every vendor of language models by the name that agents use: a name without a row does not compile.
import type { LlmProvider } from '../platform/settings.ts'
import { anthropicProtocol } from './anthropic/thinks.ts'
import { geminiProtocol, leastThinking, thinkingConfig } from './gemini/thinks.ts'
import {
  azureProtocol,
  mistralProtocol,
  openAiProtocol,
  routerProtocol,
} from './over/thinks/chat-completions/protocol.ts'
import { as, type ModelVendor, type OptionRows, type WireOptions } from './over/thinks/protocol.ts'

type Schema = Readonly<Record<string, unknown>>

// By OpenAI's names, which most servers have taken over.
const openAiOptions = {
  temperature: as('temperature'),
  maxTokens: as('max_tokens'),
  topP: as('top_p'),
  frequencyPenalty: as('frequency_penalty'),
  presencePenalty: as('presence_penalty'),
  stop: as('stop'),
  seed: as('seed'),
  reasoningEffort: as('reasoning_effort'),
  responseFormat: as('response_format'),
} satisfies Partial<OptionRows>

// What servers of open weights have besides.
const openWeightOptions = { topK: as('top_k'), minP: as('min_p') } satisfies Partial<OptionRows>

const without = <Name extends keyof typeof openAiOptions>(...names: Name[]): Partial<OptionRows> =>
  Object.fromEntries(Object.entries(openAiOptions).filter(([name]) => !names.includes(name as Name)))

// Tokens are counted in the last event only for those who ask.
const countTokens = (): WireOptions => ({ stream_options: { include_usage: true } })

const openAiCompatible = {
  needsKey: true,
  hosts: undefined,
  promptCache: 'automatic',
  options: openAiOptions,
  defaults: countTokens,
  protocol: openAiProtocol,
} as const

const openWeights = {
  ...openAiCompatible,
  needsKey: false,
  options: { ...openAiOptions, ...openWeightOptions },
} as const

// An answer that is spoken has a few hundred; an analysis has more.
const anthropicMaxTokens = 4_096

const anthropicEfforts = ['low', 'medium', 'high', 'xhigh', 'max']

export const modelVendors = {
  openai: {
    ...openAiCompatible,
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    hosts: /^api\.openai\.com$/,
    // Models that reason know the limit by this name only, and the others know both.
    options: { ...openAiOptions, maxTokens: as('max_completion_tokens') },
  },
  azure: {
    ...openAiCompatible,
    label: 'Azure OpenAI',
    baseUrl: undefined,
    hosts: /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/,
    protocol: azureProtocol,
  },
  groq: {
    ...openAiCompatible,
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    hosts: /^api\.groq\.com$/,
    options: without('frequencyPenalty', 'presencePenalty'),
  },
  together: {
    ...openAiCompatible,
    label: 'Together AI',
    baseUrl: 'https://api.together.xyz/v1',
    hosts: /^api\.together\.(xyz|ai)$/,
    options: openWeights.options,
    promptCache: 'none',
  },
  openrouter: {
    ...openAiCompatible,
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    hosts: /^openrouter\.ai$/,
    options: { ...openWeights.options, reasoningEffort: (effort) => ({ reasoning: { effort } }) },
    protocol: routerProtocol,
  },
  mistral: {
    ...openAiCompatible,
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    hosts: /^api\.mistral\.ai$/,
    options: { ...without('reasoningEffort'), seed: as('random_seed') },
    // It counts without being asked, and refuses to be asked.
    defaults: () => ({}),
    promptCache: 'none',
    protocol: mistralProtocol,
  },
  deepseek: {
    ...openAiCompatible,
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    hosts: /^api\.deepseek\.com$/,
    options: without('seed', 'reasoningEffort'),
  },
  ollama: {
    ...openAiCompatible,
    label: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
  },
  vllm: { ...openWeights, label: 'vLLM', baseUrl: 'http://localhost:8000/v1' },
  llamacpp: {
    ...openWeights,
    label: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    options: { ...without('reasoningEffort'), ...openWeightOptions },
  },
  anthropic: {
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    hosts: /^api\.anthropic\.com$/,
    needsKey: true,
    promptCache: 'marked',
    options: {
      // Its scale ends where that of the others has its middle.
      temperature: (value) => ({ temperature: Math.min(value, 1) }),
      maxTokens: as('max_tokens'),
      topP: as('top_p'),
      topK: as('top_k'),
      stop: as('stop_sequences'),
      reasoningEffort: (effort) => ({
        output_config: { effort: anthropicEfforts.includes(effort) ? effort : 'low' },
      }),
      responseFormat(format) {
        const schema = schemaOf(format)
        return schema && { output_config: { format: { type: 'json_schema', schema } } }
      },
    },
    // A caller waits for the first word.
    defaults: () => ({ max_tokens: anthropicMaxTokens, thinking: { type: 'disabled' } }),
    protocol: anthropicProtocol,
  },
  gemini: {
    label: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    hosts: /^generativelanguage\.googleapis\.com$/,
    needsKey: true,
    promptCache: 'automatic',
    options: {
      temperature: as('temperature'),
      maxTokens: as('maxOutputTokens'),
      topP: as('topP'),
      topK: as('topK'),
      frequencyPenalty: as('frequencyPenalty'),
      presencePenalty: as('presencePenalty'),
      stop: as('stopSequences'),
      seed: as('seed'),
      reasoningEffort: thinkingConfig,
      responseFormat(format) {
        const schema = schemaOf(format)
        return { responseMimeType: 'application/json', ...(schema && { responseJsonSchema: schema }) }
      },
    },
    defaults: leastThinking,
    protocol: geminiProtocol,
  },
  custom: { ...openWeights, label: 'Any OpenAI-compatible server', baseUrl: undefined },
} satisfies Record<LlmProvider, ModelVendor>

/** The schema in OpenAI's form of a response format. */
function schemaOf(format: Schema): Schema | undefined {
  const wrapped = format.json_schema as { schema?: Schema } | undefined
  return format.type === 'json_schema' ? wrapped?.schema : undefined
}
