// Which language model a call gets: the agent's own server, the operator's, or the built-in dialogue policy.
import { Agent, type Dispatcher } from 'undici'
import { dialoguePolicy, mindName } from '../../engines/dialogue/dialogue-policy.ts'
import type { AskedModel, EngineChoice } from '../../ports/call.ts'
import type { ModelAddress, ModelPlan } from '../../ports/call-plan.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { failover, type Wait } from '../../vendors/over/thinks/failover.ts'
import type { ModelServer } from '../../vendors/over/thinks/protocol.ts'
import {
  defaultTimeouts,
  streamedModel,
  type TokenTimeouts,
} from '../../vendors/over/thinks/streamed-model.ts'
import { noteOnMissing } from '../../vendors/over/thinks/wire-options.ts'
import { chooseServer, type ServerWishes } from './choose-server.ts'

export interface ModelWishes extends ServerWishes {
  /** The agent's settings for its model. */
  readonly plan: ModelPlan
  readonly embedder?: Embedder | undefined
  readonly timeouts?: TokenTimeouts
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reports why another model is asked, or the same one again. */
  readonly onFailover?: (sentence: string) => void
  /** Waits on the clock of the call; undefined: in real time. */
  readonly wait?: Wait
}

export interface ChosenModel {
  readonly model: LanguageModel
  readonly choice: EngineChoice
  /** Whether the model is the built-in dialogue policy. */
  readonly isBuiltIn: boolean
  /** The model for the call record; undefined: the built-in policy is no language model. */
  readonly asks?: AskedModel | undefined
}

interface Candidate {
  readonly server: ModelServer
  readonly model: string
}

export const howToConnect =
  'set PARLEY_LLM_PROVIDER and PARLEY_LLM_MODEL, or provider, model and api_key in the llm_config of the agent'
const noServer = `no language model is configured: ${howToConnect}`
const noModel = 'no model is named: set model in the llm_config of the agent, or PARLEY_LLM_MODEL'

export function chooseModel(wishes: ModelWishes): ChosenModel {
  const { plan } = wishes
  const { server, models, why } = chooseServer(plan, wishes)
  const notes = [...why, ...plan.problems]
  const own = server ? models.map((model) => ({ server, model })) : []
  const others = plan.fallback.flatMap((other) => fallbackOf(other, server, wishes, notes))
  const candidates: Candidate[] = [...own, ...others]
  const [first] = candidates
  const asked = plan.model ?? plan.baseUrl ?? null
  if (!first) {
    const choice = choiceOf(asked, mindName, [...notes, server ? noModel : noServer])
    return { model: dialoguePolicy(wishes.embedder), choice, isBuiltIn: true }
  }
  return {
    model: modelOf(candidates, wishes),
    choice: choiceOf(asked, placed(first), [...notes, ...notesOnOptions(candidates, plan)]),
    isBuiltIn: false,
    asks: { provider: first.server.provider, model: first.model },
  }
}

// After this time another model serves a caller better than a longer wait.
const firstTokenBeforeAnotherMs = 4_000

function modelOf(candidates: readonly Candidate[], wishes: ModelWishes): LanguageModel {
  const { plan, onFailover, wait, headers, timeouts = defaultTimeouts } = wishes
  const hurried = { ...timeouts, firstTokenMs: Math.min(timeouts.firstTokenMs, firstTokenBeforeAnotherMs) }
  const all = candidates.map(({ server, model }, place) =>
    streamedModel(server, {
      model,
      options: plan.options,
      headers,
      onNote: onFailover,
      timeouts: place === candidates.length - 1 ? timeouts : hurried,
    }),
  )
  return failover(all, { ...(onFailover && { onFailure: onFailover }), ...(wait && { wait }) })
}

/** Connections stay open between the turns of a call, which are seconds apart. */
export const openTrustedConnections = (): Dispatcher => new Agent({ keepAliveTimeout: 60_000 })

/** Another model at the same server, or a model at a server of its own. */
function fallbackOf(
  other: ModelAddress,
  first: ModelServer | undefined,
  wishes: ModelWishes,
  notes: string[],
): Candidate[] {
  const { model, baseUrl, provider, family, apiKey } = other
  if (!model) return []
  if (!baseUrl && !provider && !family) {
    const server = first && apiKey ? { ...first, apiKey } : first
    return server ? [{ server, model }] : []
  }
  const { server, why, isSubstitute } = chooseServer(other, wishes, 'llm_config.fallback')
  notes.push(...why)
  return server && !isSubstitute ? [{ server, model }] : []
}

function notesOnOptions(candidates: readonly Candidate[], { options }: ModelPlan): readonly string[] {
  const notes = candidates.map(({ server, model }) => noteOnMissing(server.vendor, model, options))
  return [...new Set(notes.filter((note) => note !== undefined))]
}

const placed = ({ server, model }: Candidate): string => `${model} at ${new URL(server.baseUrl).host}`

const choiceOf = (asked: string | null, used: string, why: readonly string[]): EngineChoice => ({
  part: 'language-model',
  asked,
  used,
  why: why.length > 0 ? why.join('; ') : null,
})
