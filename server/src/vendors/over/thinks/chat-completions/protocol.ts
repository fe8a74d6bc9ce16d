// OpenAI's chat completions, as OpenAI itself and many other servers speak them.
import { companies, isModelCompany, type LlmProvider } from '@parley/contract/companies'
import type { VendorAccount, VendorCheck } from '../../../../ports/vendor.ts'
import { bearer } from '../../account.ts'
import { vendorUrl } from '../../wire/vendor-address.ts'
import {
  as,
  hostsAt,
  type ModelProtocol,
  type ModelVendor,
  type OptionRows,
  type WireOptions,
  withoutNamed,
} from '../protocol.ts'
import { CompletionReader } from './read-answer.ts'
import { completionBody, type Dialect } from './request-body.ts'

export const chatCompletions = (dialect: Dialect = {}, more: Partial<ModelProtocol> = {}): ModelProtocol => ({
  url: ({ baseUrl }) => completionsUrl(baseUrl),
  headers: (apiKey) => bearer({ apiKey }),
  body: (model, options, request) => completionBody(model, options, request, dialect),
  openReader: () => new CompletionReader(),
  without(options, refusal) {
    const left = withoutNamed(options, refusal)
    const { max_tokens } = options
    // OpenAI's newer models take the same limit under another name.
    return left && max_tokens !== undefined && !('max_tokens' in left)
      ? { ...left, max_completion_tokens: max_tokens }
      : left
  },
  ...more,
})

function completionsUrl(baseUrl: string): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/(\/chat\/completions)?(?<!\/)\/*$/, '')}/chat/completions`
  return url
}

/** By OpenAI's names, which most servers have taken over. */
export const openAiOptions = {
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

/** What servers of open weights have besides. */
export const openWeightOptions = { topK: as('top_k'), minP: as('min_p') } satisfies Partial<OptionRows>

export const openAiOptionsWithout = (...names: (keyof typeof openAiOptions)[]): Partial<OptionRows> =>
  Object.fromEntries(
    Object.entries(openAiOptions).filter(([name]) => !(names as readonly string[]).includes(name)),
  )

// Tokens are counted in the last event only where that is asked for.
export const countTokens = (): WireOptions => ({ stream_options: { include_usage: true } })

const protocol = chatCompletions()

interface CompatibleParts extends Partial<ModelVendor> {
  readonly baseUrl: string | undefined
  /** Answers to a valid key only. */
  readonly checkedPath?: string
}

/** A server that speaks chat completions as OpenAI does but for what `parts` say. */
export function compatibleServer(
  name: LlmProvider,
  { checkedPath = '/models', ...parts }: CompatibleParts,
): ModelVendor {
  const isCompany = isModelCompany(name)
  const { baseUrl } = parts
  return {
    label: companies[name].label,
    needsKey: isCompany,
    hosts: isCompany && baseUrl ? hostsAt(baseUrl) : undefined,
    promptCache: 'automatic',
    options: openAiOptions,
    defaults: countTokens,
    protocol,
    ...(isCompany && baseUrl && { check: (account) => keyCheck(baseUrl, checkedPath, account) }),
    ...parts,
  }
}

function keyCheck(
  ownUrl: string,
  path: string,
  { credentials, baseUrl }: Pick<VendorAccount, 'credentials' | 'baseUrl'>,
): VendorCheck {
  const { host, pathname } = new URL(ownUrl)
  const url = vendorUrl({ scheme: 'https', host, baseUrl }, `${baseUrl ? '' : pathname}${path}`)
  return { method: 'GET', url, headers: bearer(credentials) }
}
