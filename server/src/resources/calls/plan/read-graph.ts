// The nodes of a `graph_agent`, written by hand or by forms: read leniently; what cannot be used is reported.
import { measured } from '@parley/contract/measured'
import { z } from 'zod'
import type { Graph, GraphNode, NodeEdge, Route } from '../../../ports/call-plan.ts'
import type { Fill } from './fill-variables.ts'

const Words = z.union([
  z.string(),
  z.record(z.string(), z.string()).transform((words) => words.en ?? Object.values(words)[0] ?? ''),
])

/** {"logic": "and", "conditions": [{"variable", "operator", "value"}]} */
const Expression = z.object({
  logic: z.string().toLowerCase().default('and'),
  conditions: z.array(
    z.object({
      variable: z.string(),
      operator: z.string().toLowerCase(),
      value: z.unknown().optional(),
    }),
  ),
})

const EdgeOnWire = measured(
  z.object({
    to_node_id: z.string().min(1),
    condition: z.string().nullish(),
    condition_type: z.enum(['llm', 'expression', 'event', 'unconditional']).nullish(),
    // Some clients send it as `type`.
    type: z.enum(['llm', 'expression', 'event', 'unconditional']).nullish().catch(undefined),
    expression: Expression.nullish(),
    event_name: z.string().nullish(),
    function_name: z.string().nullish(),
    function_description: z.string().nullish(),
    priority: z.number().nullish(),
  }),
)

const NodeOnWire = measured(
  z.object({
    id: z.string().min(1),
    prompt: z.string().nullish(),
    node_type: z.string().nullish(),
    static_message: Words.nullish(),
    edges: z.array(z.unknown()).nullish(),
  }),
)

const GraphOnWire = measured(
  z.object({
    nodes: z.array(z.unknown()).min(1),
    current_node_id: z.string().nullish(),
    agent_information: z.string().nullish(),
    context_data: z.record(z.string(), z.unknown()).nullish(),
  }),
)

export interface GraphReading {
  readonly graph: Graph | null
  /** A sentence for each part that could not be used. */
  readonly problems: readonly string[]
}

/** In `llm_agent` itself, or in its `llm_config`, which an update can change too. */
export function readGraph(llmAgent: Readonly<Record<string, unknown>>, fill: Fill): GraphReading {
  const inner = z.record(z.string(), z.unknown()).safeParse(llmAgent.llm_config).data ?? {}
  const read = GraphOnWire.safeParse(Array.isArray(llmAgent.nodes) ? llmAgent : inner)
  if (!read.success) {
    const why = 'this is a graph_agent, but llm_agent.nodes is no list of nodes; it goes by its prompt alone'
    return { graph: null, problems: [why] }
  }
  const problems: string[] = []
  const nodes = new Map<string, GraphNode>()
  for (const [place, written] of read.data.nodes.entries()) {
    const node = readNode(written, fill, problems)
    if (node) nodes.set(node.id, node)
    else problems.push(`node ${place + 1} has no id and was left out`)
  }
  for (const [id, node] of nodes) nodes.set(id, { ...node, edges: leadingSomewhere(node, nodes, problems) })
  const { current_node_id, agent_information, context_data } = read.data
  const start = nodes.get(current_node_id ?? '') ?? nodes.values().next().value
  if (!start) return { graph: null, problems }
  return {
    graph: {
      nodes,
      start,
      startHasSpoken: false,
      information: fill(agent_information ?? ''),
      context: context_data ?? {},
    },
    problems,
  }
}

function readNode(written: unknown, fill: Fill, problems: string[]): GraphNode | undefined {
  const { data } = NodeOnWire.safeParse(written)
  if (!data) return undefined
  const edges = (data.edges ?? [])
    .map((edge) => EdgeOnWire.safeParse(edge).data)
    .filter((edge) => edge !== undefined)
    .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    .flatMap((edge) => readEdge(edge, data.id, problems))
  return {
    id: data.id,
    prompt: fill(data.prompt ?? ''),
    words: fill(data.static_message ?? '').trim() || undefined,
    isRouter: data.node_type === 'router',
    edges,
  }
}

function readEdge(edge: z.infer<typeof EdgeOnWire>, nodeId: string, problems: string[]): NodeEdge[] {
  const to = edge.to_node_id
  switch (edge.condition_type ?? edge.type ?? 'llm') {
    case 'unconditional':
      return [{ to, by: 'unconditional' }]
    case 'expression':
      if (edge.expression) return [{ to, by: 'expression', expression: edge.expression }]
      problems.push(`an edge from ${nodeId} to ${to} has no expression and was left out`)
      return []
    case 'event': {
      const [, keys] = edge.event_name?.match(/^(?:dtmf|digit|key)[:_ -]?([0-9*#]*)$/i) ?? []
      if (keys !== undefined) return [{ to, by: 'keys', keys }]
      problems.push(`the event ${edge.event_name} does not exist here: only dtmf and dtmf:<keys> do`)
      return []
    }
    case 'llm': {
      const condition = edge.condition?.trim() || edge.function_description?.trim() || ''
      const about = edge.function_description?.trim() || condition
      return [{ to, by: 'llm', condition, about, tool: toolName(edge.function_name ?? `go_to_${to}`) }]
    }
  }
}

const toolName = (words: string): string => words.replace(/[^\w-]+/g, '_').slice(0, 64)

function leadingSomewhere(
  { id, edges }: GraphNode,
  nodes: ReadonlyMap<string, GraphNode>,
  problems: string[],
): readonly NodeEdge[] {
  for (const { to } of edges)
    if (!nodes.has(to)) problems.push(`an edge of ${id} leads to ${to}, which is no node`)
  return edges.filter(({ to }) => nodes.has(to))
}

// An agent's semantic routes, written by hand or by forms: read leniently; what cannot be used is reported.

const RouteOnWire = measured(
  z.object({
    route_name: z.string().nullish(),
    utterances: z.array(z.string().min(1)).min(1),
    response: z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]),
    score_threshold: z.coerce.number().min(0).max(1).nullish(),
  }),
)

const RoutesOnWire = measured(z.object({ routes: z.array(z.unknown()).min(1) }))

// Measured with MiniLM: paraphrases score above it, other questions on the same subject below.
const usualThreshold = 0.55

/** In `llm_agent`, or in its `llm_config`. */
export function readRoutes(llmAgent: Readonly<Record<string, unknown>>, fill: Fill) {
  const inner = z.record(z.string(), z.unknown()).safeParse(llmAgent.llm_config).data ?? {}
  const written = RoutesOnWire.safeParse(llmAgent.routes).data ?? RoutesOnWire.safeParse(inner.routes).data
  const problems: string[] = []
  const routes = (written?.routes ?? []).flatMap((one, place): Route[] => {
    const { data } = RouteOnWire.safeParse(one)
    if (!data) problems.push(`route ${place + 1} needs utterances and a response and was left out`)
    return data
      ? [
          {
            name: data.route_name ?? `route ${place + 1}`,
            utterances: data.utterances,
            answers: data.response.map(fill),
            threshold: data.score_threshold ?? usualThreshold,
          },
        ]
      : []
  })
  return { routes, problems }
}
