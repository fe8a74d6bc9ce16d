// Assembles what decides what an agent says: semantic routes, a graph, and behind both a model or the built-in policy.

import type { EmbeddedEngines } from '../engines/engines.ts'
import { type Ticker, waitOnTicks } from '../platform/clock/ticker.ts'
import { type MayTrace, traceHeaders } from '../platform/telemetry/trace-context.ts'
import type { EngineChoice } from '../ports/call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { CallKnowledge } from '../ports/knowledge.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { CallVariables } from '../ports/tools.ts'
import { withWorkspaceKeys } from '../speech/vendor-accounts.ts'
import { graphByModel } from './graph/graph-by-model.ts'
import { graphByPolicy } from './graph/graph-by-policy.ts'
import { lateGraph } from './graph/place-in-graph.ts'
import { groundedModel } from './grounded-model.ts'
import { guarded } from './guard-rails.ts'
import { type ChosenModel, chooseModel } from './model/choose-model.ts'
import type { ServerWishes } from './model/choose-server.ts'
import { withRoutes } from './semantic-routes.ts'

export interface AssembledMind {
  readonly model: LanguageModel
  readonly choice: EngineChoice
}

/** The parts that all calls of a media thread share. */
export interface MindParts extends Omit<ServerWishes, 'headers'>, MayTrace {
  readonly engines: Pick<EmbeddedEngines, 'embedder'>
  readonly ticker: Pick<Ticker, 'add'>
}

/** `note` takes sentences for the call record. */
export function assembleMind(
  call: CallPlan,
  { values, fill }: CallVariables,
  runtime: MindParts,
  note: (sentence: string) => void,
  knowledge?: CallKnowledge,
  realtime?: ChosenModel,
): AssembledMind {
  const { guardRails: rails, fillsLate } = call
  const { model: asked, graph: written, routes, knowledge: looksUp } = call.dialogue
  const plan = withWorkspaceKeys(asked, call.accounts, 'language_model')
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
    wait: waitOnTicks(runtime.ticker),
  })
  // The embedder is loaded while the phone rings.
  if (isBuiltIn) embedder.load?.()

  const model =
    looksUp && knowledge
      ? groundedModel(bare, { knowledge, plan: looksUp, readsPrompt: !isBuiltIn, onTrouble: note })
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
  const mind = routes.length > 0 ? withRoutes(overGraph(), { routes, embedder, onTaken }) : overGraph()
  return {
    model: guarded(mind, { rails, embedder, readsPrompt: !isBuiltIn, onBroken: note }),
    choice: { ...choice, used, asks },
  }
}
