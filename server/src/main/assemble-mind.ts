// Decides what an agent says: semantic routes, a graph, and behind both a model or the built-in policy.
import { graphByModel } from '../adapters/dialogue/graph-by-model.ts'
import { graphByPolicy } from '../adapters/dialogue/graph-by-policy.ts'
import { guarded } from '../adapters/dialogue/guard-rails.ts'
import { informed } from '../adapters/dialogue/informed.ts'
import { lateGraph } from '../adapters/dialogue/late-graph.ts'
import { routed } from '../adapters/dialogue/routes.ts'
import { type ChosenModel, chooseModel } from '../adapters/llm/choose.ts'
import type { EngineChoice } from '../ports/call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { CallKnowledge } from '../ports/knowledge.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { CallVariables } from '../ports/tools.ts'
import type { MediaRuntime } from './media-runtime.ts'
import { traceHeaders } from './trace-headers.ts'
import { withWorkspaceKeys } from './vendor-accounts.ts'

export interface AssembledMind {
  readonly model: LanguageModel
  readonly choice: EngineChoice
}

/** `note` is for the call record. */
export function assembleMind(
  call: CallPlan,
  { values, fill }: CallVariables,
  runtime: MediaRuntime,
  note: (sentence: string) => void,
  knowledge?: CallKnowledge,
  realtime?: ChosenModel,
): AssembledMind {
  const { guardRails: rails, fillsLate } = call
  const { model: asked, graph: written, routes, knowledge: looksUp } = call.dialogue
  const plan = withWorkspaceKeys(asked, call.accounts)
  const { embedder } = runtime.engines
  const headers = traceHeaders(call, runtime)
  const graph = written && fillsLate ? lateGraph(written, fill) : written
  const {
    model: bare,
    isBuiltIn,
    choice,
    asks,
  } = realtime ??
  chooseModel({
    ...runtime,
    plan,
    embedder,
    headers,
    onFailover: note,
  })
  // Loaded while the phone rings.
  if (isBuiltIn) embedder.load?.()

  const model =
    looksUp && knowledge
      ? informed(bare, { knowledge, plan: looksUp, readsPrompt: !isBuiltIn, onTrouble: note })
      : bare
  const overGraph = () => {
    if (!graph) return model
    return isBuiltIn ? graphByPolicy(graph, values, embedder) : graphByModel(model, graph, values)
  }
  const used = [
    ...(routes.length > 0 ? [`${routes.length} semantic routes by MiniLM-L6-v2`] : []),
    ...(graph ? [`a graph of ${graph.nodes.size} nodes`] : []),
    choice.used,
  ].join(', then ')
  const onTaken = (name: string) => note(`The semantic route ${name} answered.`)
  const mind = routes.length > 0 ? routed(overGraph(), { routes, embedder, onTaken }) : overGraph()
  return {
    model: guarded(mind, { rails, embedder, readsPrompt: !isBuiltIn, onBroken: note }),
    choice: { ...choice, used, asks },
  }
}
