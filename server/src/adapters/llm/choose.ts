// Which language model a call gets: the agent's own server, the operator's, or the built-in dialogue policy.
import type { AgentConfig } from '@parley/contract'
import { Agent, type Dispatcher } from 'undici'
import type { Guard } from '../../platform/guard/guard.ts'
import type { EngineChoice } from '../../ports/call.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { embeddedMind, mindName } from '../embedded/mind/mind.ts'
import { failover } from './openai-compatible/failover.ts'
import { type LlmConfig, readLlmConfig } from './openai-compatible/llm-config.ts'
import { type ModelServer, openAiCompatible } from './openai-compatible/openai-compatible.ts'

/** What the operator set in the environment: trusted, wherever it is. */
export interface OperatorModels {
  readonly baseUrl: string
  /** The first is used; the others when it fails. */
  readonly models: readonly string[]
  readonly apiKey: string | undefined
}

export interface ModelWishes {
  readonly agent: AgentConfig
  readonly operator: OperatorModels | undefined
  readonly guard: Guard
  /** Connections to the operator's server, shared by all calls. */
  readonly trusted: Dispatcher
  readonly embedder?: Embedder | undefined
  /** Hears why another model was asked. */
  readonly onFailover?: (sentence: string) => void
}

export interface ChosenModel {
  readonly model: LanguageModel
  readonly choice: EngineChoice
}

const noServer =
  'no language model is configured: set PARLEY_LLM_BASE_URL and PARLEY_LLM_MODEL, or base_url and model in the llm_config of the agent'
const noModel = 'no model is named: set model in the llm_config of the agent, or PARLEY_LLM_MODEL'

export function chooseModel(wishes: ModelWishes): ChosenModel {
  const config = readLlmConfig(wishes.agent.llm_agent)
  const { place, refusal } = placeOf(config, wishes)
  const [first] = place?.models ?? []
  const asked = config.model ?? config.baseUrl ?? null
  const why = [...(refusal ? [refusal] : []), ...config.problems]
  if (!place || !first) {
    const choice = choiceOf(asked, mindName, [...why, place ? noModel : noServer])
    return { model: embeddedMind(wishes.embedder), choice }
  }
  const models = place.models.map((model) =>
    openAiCompatible(place.server, { model, options: config.options }),
  )
  return {
    model: failover(models, wishes.onFailover && { onFailure: wishes.onFailover }),
    choice: choiceOf(asked, `${first} at ${new URL(place.server.baseUrl).host}`, why),
  }
}

/** Kept open between the turns of a call, which are seconds apart. */
export const openTrustedConnections = (): Dispatcher => new Agent({ keepAliveTimeout: 60_000 })

interface Place {
  readonly server: ModelServer
  readonly models: readonly string[]
}

/** An address of a user's passes the guard, and never sees the operator's key. */
function placeOf(config: LlmConfig, wishes: ModelWishes): { place?: Place | undefined; refusal?: string } {
  const { baseUrl, apiKey, model } = config
  const { operator, guard } = wishes
  if (!baseUrl || (operator && isSame(baseUrl, operator.baseUrl)))
    return { place: operatorPlace(config, wishes) }
  const verdict = guard.check(baseUrl)
  if (verdict.ok) {
    return {
      place: { server: { baseUrl, apiKey, dispatcher: guard.dispatcher }, models: model ? [model] : [] },
    }
  }
  const refusal = `llm_config.base_url is refused: ${verdict.reason.replace(/\.$/, '')}`
  return { place: operatorPlace(config, wishes), refusal }
}

/** The agent's wish first; behind it the operator's own models. */
function operatorPlace({ model, apiKey }: LlmConfig, { operator, trusted }: ModelWishes): Place | undefined {
  if (!operator) return undefined
  const server = { baseUrl: operator.baseUrl, apiKey: apiKey ?? operator.apiKey, dispatcher: trusted }
  return { server, models: [...new Set([...(model ? [model] : []), ...operator.models])] }
}

const isSame = (one: string, other: string): boolean => plainUrl(one) === plainUrl(other)

const plainUrl = (url: string): string => new URL(url).href.replace(/\/+$/, '')

const choiceOf = (asked: string | null, used: string, why: readonly string[]): EngineChoice => ({
  part: 'language-model',
  asked,
  used,
  why: why.length > 0 ? why.join('; ') : null,
})
