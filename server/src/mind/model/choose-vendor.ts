// Finds the vendor that an agent or an address means.
import { type LlmProvider, llmProviders } from '@parley/contract/companies'
import { modelVendors } from '../../vendors/index.ts'
import type { ModelVendor } from '../../vendors/over/thinks/protocol.ts'

/** Other names that people write for a vendor. */
const aliases: Readonly<Record<string, LlmProvider>> = {
  azureopenai: 'azure',
  claude: 'anthropic',
  google: 'gemini',
  googleai: 'gemini',
  googlegemini: 'gemini',
  mistralai: 'mistral',
  togetherai: 'together',
  openaicompatible: 'custom',
}

/** The vendor of this name. Spaces, dots, dashes and case do not count. */
export function vendorNamed(name: string | undefined): LlmProvider | undefined {
  const plain = name?.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (!plain) return undefined
  return (
    llmProviders.find((one) => one === plain) ?? (Object.hasOwn(aliases, plain) ? aliases[plain] : undefined)
  )
}

/** The vendor whose host this is. Gemini's host speaks OpenAI's protocol below /openai. */
export function vendorAt(baseUrl: string | undefined): LlmProvider | undefined {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl)
  if (!url) return undefined
  if (/\/v1beta\/openai\b/.test(url.pathname)) return 'custom'
  return llmProviders.find((name) => vendorOf(name).hosts?.test(url.hostname))
}

export const vendorOf = (name: LlmProvider): ModelVendor => modelVendors[name]
