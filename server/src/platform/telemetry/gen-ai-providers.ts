// Vendors of language models by the names that OpenTelemetry's semantic conventions for generative AI give them.
import type { LlmProvider } from '../settings.ts'

// Those that the conventions do not know keep the name that agents use.
const names: Readonly<Record<LlmProvider, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
  azure: 'azure.ai.openai',
  groq: 'groq',
  together: 'together',
  openrouter: 'openrouter',
  mistral: 'mistral_ai',
  deepseek: 'deepseek',
  ollama: 'ollama',
  vllm: 'vllm',
  llamacpp: 'llamacpp',
  // Only the protocol is known: "openai" would say that the words went to that company.
  custom: 'openai_compatible',
}

/** The value of `gen_ai.provider.name`. */
export const genAiProvider = (provider: string): string =>
  Object.hasOwn(names, provider) ? names[provider as LlmProvider] : provider
