// Where a model is asked, and with whose key: a function of the agent's settings and the operator's.
//
//   llm_config                                  server                    key
//   base_url                                    that one, if the guard    the agent's; the operator's for the vendor
//                                               lets it pass              only at the vendor's own host
//   provider, with api_key                      the vendor's              the agent's
//   provider, the same as the operator's        the operator's            the operator's
//   provider, with a key in the environment     the vendor's              the operator's for the vendor
//   none of these                               the operator's            the agent's, or else the operator's
import { type LlmProvider, llmProviderNamed, llmProviders } from '@parley/contract/companies'
import type { Dispatcher } from 'undici'
import type { Guard } from '../../platform/guard/guard.ts'
import type { ModelAddress } from '../../ports/call-plan.ts'
import type { ModelCatalogue } from '../../ports/language-model.ts'
import { modelVendors } from '../../vendors/index.ts'
import type { ModelServer, ModelVendor } from '../../vendors/over/thinks/protocol.ts'

/** The operator's settings from the environment: trusted, whatever the address. */
export interface OperatorModels {
  /** Undefined: there is no model for agents that name none. */
  readonly server: OperatorServer | undefined
  /** The keys by vendor, for agents that name a vendor and bring no key. */
  readonly keys: Partial<Record<LlmProvider, string | undefined>>
}

export interface OperatorServer {
  readonly provider: LlmProvider
  readonly baseUrl: string
  /** The names of the models: the first is used, the others when it fails. */
  readonly models: readonly string[]
  readonly apiKey: string | undefined
  readonly apiVersion?: string | undefined
}

interface OperatorSettings {
  readonly llmProvider: LlmProvider | undefined
  readonly llmBaseUrl: string | undefined
  readonly llmModels: readonly string[]
  readonly llmApiKey: string | undefined
  readonly llmApiVersion: string | undefined
  readonly llmKeys: OperatorModels['keys']
}

export function operatorModels(settings: OperatorSettings): OperatorModels {
  const { llmProvider, llmBaseUrl, llmModels: models, llmKeys: keys, llmApiVersion: apiVersion } = settings
  const provider = llmProvider ?? vendorAt(llmBaseUrl) ?? 'custom'
  const baseUrl = llmBaseUrl ?? vendorOf(provider).baseUrl
  if (!baseUrl || (!llmBaseUrl && !llmProvider)) return { server: undefined, keys }
  // A key for a vendor goes to its own host only.
  const vendorKey = vendorAt(baseUrl) === provider ? keys[provider] : undefined
  return { server: { provider, baseUrl, models, apiKey: settings.llmApiKey ?? vendorKey, apiVersion }, keys }
}

export interface ServerWishes {
  readonly operator: OperatorModels
  readonly guard: Guard
  /** Connections to the operator's server, shared by all calls. */
  readonly trusted: Dispatcher
}

export interface ChosenServer {
  readonly server: ModelServer | undefined
  /** The names of the models, in the order in which they are asked. */
  readonly models: readonly string[]
  /** Sentences about settings that could not be used. */
  readonly why: readonly string[]
  /** Whether this is another server than the one that was asked for. */
  readonly isSubstitute: boolean
}

/** `setting` names the address in sentences: llm_config.fallback. */
export function chooseServer(
  address: ModelAddress,
  wishes: ServerWishes,
  setting = 'llm_config',
): ChosenServer {
  const { baseUrl, apiKey } = address
  const { operator } = wishes
  const { named, why } = vendorIn(address, setting)
  if (baseUrl) {
    if (operator.server && isSame(baseUrl, operator.server.baseUrl))
      return operatorServer(address, wishes, why, { key: apiKey })
    const provider = named ?? vendorAt(baseUrl) ?? 'custom'
    const ownHostKey = vendorAt(baseUrl) === provider ? operator.keys[provider] : undefined
    return guarded({ ...address, baseUrl, apiKey: apiKey ?? ownHostKey }, provider, wishes, why, setting)
  }
  if (!named) return operatorServer(address, wishes, why, { key: apiKey })
  if (!apiKey && operator.server?.provider === named) return operatorServer(address, wishes, why)
  const vendor = vendorOf(named)
  if (!vendor.baseUrl) {
    const missing = `${setting}.base_url is required with provider ${named}, which has no address of its own`
    return operatorServer(address, wishes, [...why, missing], { vendor: named })
  }
  const key = apiKey ?? operator.keys[named]
  if (!key && vendor.needsKey) {
    const missing = `there is no key for ${vendor.label}: set ${setting}.api_key, or PARLEY_${named.toUpperCase()}_API_KEY`
    return operatorServer(address, wishes, [...why, missing], { vendor: named })
  }
  return guarded({ ...address, baseUrl: vendor.baseUrl, apiKey: key }, named, wishes, why, setting)
}

function vendorIn({ provider, family, baseUrl }: ModelAddress, setting: string) {
  const named = llmProviderNamed(provider) ?? llmProviderNamed(family)
  const written = provider ?? family
  if (named || !written) return { named, why: [] }
  const instead = baseUrl ? 'its base_url is asked in OpenAI’s protocol' : 'it was left aside'
  return { named, why: [`${setting}.provider "${written}" is not known here; ${instead}`] }
}

/** The server at an address that a user gave. */
function guarded(
  { baseUrl, apiKey, apiVersion, model, ...rest }: ModelAddress & { readonly baseUrl: string },
  provider: LlmProvider,
  wishes: ServerWishes,
  why: readonly string[],
  setting: string,
): ChosenServer {
  const { guard } = wishes
  const verdict = guard.check(baseUrl)
  if (!verdict.ok) {
    // The agent's key was meant for that address and goes nowhere else.
    const refusal = `${setting}.base_url is refused: ${verdict.reason.replace(/\.$/, '')}`
    const address = { ...rest, model, baseUrl: undefined, apiKey: undefined }
    return operatorServer(address, wishes, [...why, refusal], { vendor: provider })
  }
  const server = { provider, vendor: vendorOf(provider), baseUrl, apiKey, apiVersion }
  return {
    server: { ...server, dispatcher: guard.dispatcher },
    models: model ? [model] : [],
    why,
    isSubstitute: false,
  }
}

interface InsteadOf {
  /** The agent's own key, if it may be sent to the operator's server. */
  readonly key?: string | undefined
  /** The vendor whose model was asked for. */
  readonly vendor?: LlmProvider
}

/** The operator's server with the agent's model first, unless it is another vendor's, then the operator's own. */
function operatorServer(
  { model }: ModelAddress,
  { operator, trusted }: ServerWishes,
  why: readonly string[],
  { key, vendor }: InsteadOf = {},
): ChosenServer {
  const isSubstitute = vendor !== undefined
  if (!operator.server) return { server: undefined, models: [], why, isSubstitute }
  const { provider, baseUrl, models, apiKey, apiVersion } = operator.server
  const isElsewhere = vendor !== undefined && vendor !== provider && provider !== 'custom'
  const server = { provider, vendor: vendorOf(provider), baseUrl, apiKey: key ?? apiKey, apiVersion }
  return {
    server: { ...server, dispatcher: trusted },
    models: [...new Set([...(model && !isElsewhere ? [model] : []), ...models])],
    why,
    isSubstitute,
  }
}

const isSame = (one: string, other: string): boolean => plainUrl(one) === plainUrl(other)

const plainUrl = (url: string): string => new URL(url).href.replace(/(?<!\/)\/+$/, '')

/** The vendors of models and those of the installation, as the list of models has them. */
export const modelCatalogue = ({ server, keys }: OperatorModels): ModelCatalogue => ({
  installed: server && server.models.length > 0 ? server : undefined,
  vendors: llmProviders.map((name) => {
    const { label, baseUrl, promptCache } = vendorOf(name)
    const isReady = server?.provider === name || keys[name] !== undefined
    return { name, label, baseUrl, promptCache, isReady }
  }),
})

/** The vendor whose host this is. Gemini's host speaks OpenAI's protocol below /openai. */
export function vendorAt(baseUrl: string | undefined): LlmProvider | undefined {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl)
  if (!url) return undefined
  if (/\/v1beta\/openai\b/.test(url.pathname)) return 'custom'
  return llmProviders.find((name) => vendorOf(name).hosts?.test(url.hostname))
}

export const vendorOf = (name: LlmProvider): ModelVendor => modelVendors[name]
