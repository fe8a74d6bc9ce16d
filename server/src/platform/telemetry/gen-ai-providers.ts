// Vendors of language models by the names that OpenTelemetry's semantic conventions for generative AI give them.
import type { LlmProvider } from '@parley/contract/companies'

// The others keep the name that agents use.
const names: Partial<Readonly<Record<LlmProvider, string>>> = {
  gemini: 'gcp.gemini',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  // Only the protocol is known: "openai" would say that the words went to that company.
  custom: 'openai_compatible',
}

/** The value of `gen_ai.provider.name`. */
export const genAiProvider = (provider: string): string =>
  (Object.hasOwn(names, provider) && names[provider as LlmProvider]) || provider
