// Which language model a call gets: the agent's own server, the operator's, or the built-in dialogue policy.
import { Agent, type Dispatcher } from 'undici'
import type { Guard } from '../../platform/guard/guard.ts'
import type { EngineChoice } from '../../ports/call.ts'
import type { ModelAddress, ModelPlan } from '../../ports/call-plan.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { embeddedMind, mindName } from '../embedded/mind/mind.ts'
import { failover } from './openai-compatible/failover.ts'
import { type ModelServer, openAiCompatible } from './openai-compatible/openai-compatible.ts'
import { defaultTimeouts, type TokenTimeouts } from './openai-compatible/timeouts.ts'

/** The operator's settings from the environment: trusted, whatever the address. */
export interface OperatorModels {
  readonly baseUrl: string
  /** The first is used; the others when it fails. */
  readonly models: readonly string[]
  readonly apiKey: string | undefined
}

export interface ModelWishes {
  /** The agent's settings for its model. */
  readonly plan: ModelPlan
  readonly operator: OperatorModels | undefined
  readonly guard: Guard
  /** Connections to the operator's server, shared by all calls. */
  readonly trusted: Dispatcher
  readonly embedder?: Embedder | undefined
  readonly timeouts?: TokenTimeouts
  /** Called with the reason when another model is asked. */
  readonly onFailover?: (sentence: string) => void
}

export interface ChosenModel {
  readonly model: LanguageModel
  readonly choice: EngineChoice
  /** It is the built-in dialogue policy. */
  readonly isBuiltIn: boolean
}

const noServer =
  'no language model is configured: set PARLEY_LLM_BASE_URL and PARLEY_LLM_MODEL, or base_url and model in the llm_config of the agent'
const noModel = 'no model is named: set model in the llm_config of the agent, or PARLEY_LLM_MODEL'

export function chooseModel(wishes: ModelWishes): ChosenModel {
  const { plan } = wishes
  const { server, models, refusal } = placeOf(plan, wishes)
  const [first] = models
  const asked = plan.model ?? plan.baseUrl ?? null
  const why = [...(refusal ? [refusal] : []), ...plan.problems]
  if (!server || !first) {
    const choice = choiceOf(asked, mindName, [...why, server ? noModel : noServer])
    return { model: embeddedMind(wishes.embedder), choice, isBuiltIn: true }
  }
  const others = plan.fallback.flatMap((other) => fallbackOf(other, server, wishes, why))
  const candidates = [...models.map((model) => ({ server, model })), ...others]
  const { options } = plan
  const all = candidates.map((one, place) =>
    openAiCompatible(one.server, {
      ...{ model: one.model, options },
      timeouts: timeoutsFor(wishes.timeouts, place === candidates.length - 1),
    }),
  )
  return {
    model: failover(all, wishes.onFailover && { onFailure: wishes.onFailover }),
    choice: choiceOf(asked, `${first} at ${new URL(server.baseUrl).host}`, why),
    isBuiltIn: false,
  }
}

// Another model serves a caller better than a longer wait.
const firstTokenBeforeAnotherMs = 4_000

const timeoutsFor = (timeouts: TokenTimeouts = defaultTimeouts, isLast: boolean): TokenTimeouts =>
  isLast
    ? timeouts
    : { ...timeouts, firstTokenMs: Math.min(timeouts.firstTokenMs, firstTokenBeforeAnotherMs) }

/** Kept open between the turns of a call, which are seconds apart. */
export const openTrustedConnections = (): Dispatcher => new Agent({ keepAliveTimeout: 60_000 })

interface OperatorSettings {
  readonly llmBaseUrl: string | undefined
  readonly llmModels: readonly string[]
  readonly llmApiKey: string | undefined
}

export const operatorModels = (settings: OperatorSettings): OperatorModels | undefined =>
  settings.llmBaseUrl
    ? { baseUrl: settings.llmBaseUrl, models: settings.llmModels, apiKey: settings.llmApiKey }
    : undefined

interface Place {
  readonly server: ModelServer | undefined
  readonly models: readonly string[]
  readonly refusal?: string
}

/** A user's address passes the guard, and never sees the operator's key. */
function placeOf(address: ModelAddress, wishes: ModelWishes): Place {
  const { baseUrl, apiKey, model } = address
  const { operator, guard } = wishes
  if (!baseUrl || (operator && isSame(baseUrl, operator.baseUrl))) return operatorPlace(address, wishes)
  const verdict = guard.check(baseUrl)
  if (verdict.ok)
    return { server: { baseUrl, apiKey, dispatcher: guard.dispatcher }, models: model ? [model] : [] }
  const refusal = `llm_config.base_url is refused: ${verdict.reason.replace(/\.$/, '')}`
  return { ...operatorPlace(address, wishes), refusal }
}

/** The agent's model first, then the operator's own. */
function operatorPlace({ model, apiKey }: ModelAddress, { operator, trusted }: ModelWishes): Place {
  if (!operator) return { server: undefined, models: [] }
  const server = { baseUrl: operator.baseUrl, apiKey: apiKey ?? operator.apiKey, dispatcher: trusted }
  return { server, models: [...new Set([...(model ? [model] : []), ...operator.models])] }
}

/** Another model at the same server, or one at its own server. */
function fallbackOf(other: ModelAddress, first: ModelServer, wishes: ModelWishes, why: string[]) {
  if (!other.baseUrl) {
    const server = other.apiKey ? { ...first, apiKey: other.apiKey } : first
    return other.model ? [{ server, model: other.model }] : []
  }
  const { server, models, refusal } = placeOf(other, wishes)
  if (refusal) why.push(refusal.replace('base_url', 'fallback'))
  const [model] = models
  return server && model && !refusal ? [{ server, model }] : []
}

const isSame = (one: string, other: string): boolean => plainUrl(one) === plainUrl(other)

const plainUrl = (url: string): string => new URL(url).href.replace(/\/+$/, '')

const choiceOf = (asked: string | null, used: string, why: readonly string[]): EngineChoice => ({
  part: 'language-model',
  asked,
  used,
  why: why.length > 0 ? why.join('; ') : null,
})
