// Who decides what an agent says: its semantic routes, its graph, and behind both a model or the built-in policy.
import { graphByModel } from '../adapters/dialogue/graph-by-model.ts'
import { graphByPolicy } from '../adapters/dialogue/graph-by-policy.ts'
import { type Graph, readGraph } from '../adapters/dialogue/read-graph.ts'
import { readRoutes, routed } from '../adapters/dialogue/routes.ts'
import { type ChosenModel, chooseModel } from '../adapters/llm/choose.ts'
import { fill } from '../call/placeholders.ts'
import type { CallOrder, EngineChoice } from '../ports/call.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { MediaRuntime } from './media-runtime.ts'

export interface AssembledMind {
  readonly model: LanguageModel
  readonly choice: EngineChoice
}

type Values = Readonly<Record<string, string>>

/** `values` fill the placeholders of everything that it says; `note` hears what could not be used. */
export function assembleMind(
  { agent }: CallOrder,
  runtime: MediaRuntime,
  values: Values,
  note: (sentence: string) => void,
): AssembledMind {
  const { embedder } = runtime.engines
  const chosen = chooseModel({ ...runtime, agent, embedder, onFailover: note })
  // Loaded while it rings.
  if (chosen.isBuiltIn) void embedder.embed(['Hello.']).catch(() => {})
  const isGraph = [agent.agent_type, agent.llm_agent.agent_type].includes('graph_agent')
  const { graph, problems } = isGraph ? readGraph(agent.llm_agent) : { graph: undefined, problems: [] }
  const { routes, problems: routeProblems } = readRoutes(agent.llm_agent)
  for (const problem of [...problems, ...routeProblems]) note(problem)

  const model = graph ? overGraph(chosen, graph, runtime, values) : chosen.model
  const used = [
    ...(routes.length > 0 ? [`${routes.length} semantic routes by MiniLM-L6-v2`] : []),
    ...(graph ? [`a graph of ${graph.nodes.size} nodes`] : []),
    chosen.choice.used,
  ].join(', then ')
  const onTaken = (name: string) => note(`The semantic route ${name} answered.`)
  const fillIn = (text: string) => fill(text, values)
  return {
    model: routes.length > 0 ? routed(model, { routes, embedder, fill: fillIn, onTaken }) : model,
    choice: { ...chosen.choice, used },
  }
}

function overGraph(
  { model, isBuiltIn }: ChosenModel,
  graph: Graph,
  { engines }: MediaRuntime,
  variables: Values,
): LanguageModel {
  const values = { variables, fill: (text: string) => fill(text, variables) }
  return isBuiltIn ? graphByPolicy(graph, values, engines.embedder) : graphByModel(model, graph, values)
}
