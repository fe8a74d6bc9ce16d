// The graph of a graph_agent: its nodes, the edges between them, and where an editor draws them.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes } from '../example-values.ts'
import { arrayItems, mostParts } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, listOf, Text, Timestamp } from '../words.ts'
import { Warnings } from './agent.ts'

export const EdgeType = z.enum(['llm', 'expression', 'event', 'unconditional'])
export type EdgeType = z.infer<typeof EdgeType>

const Expression = z.looseObject({
  logic: Text.optional().describe(
    '`and`: all conditions must hold; `or`: one of them is enough. Left out: and.',
  ),
  conditions: listOf(
    z
      .looseObject({
        variable: Text.min(1).describe(
          "A variable of the call, or `digits` for the keys that were pressed; dots lead into a tool's answer.",
        ),
        operator: Text.min(1).describe(
          'eq, neq, gt, gte, lt, lte, in, not_in, contains, not_contains, exists or not_exists.',
        ),
        value: z
          .unknown()
          .optional()
          .describe('What the variable is compared with. Left out: nothing, as for exists.'),
      })
      .describe('One comparison.'),
  )
    .min(1)
    .describe('The comparisons, at least one.'),
})

const GraphEdge = z
  .looseObject({
    to_node_id: Text.min(1).describe('The `id` of the node that it leads to.'),
    condition_type: EdgeType.nullish().describe(
      '`llm`: the model, or without one the built-in policy, judges `condition`. `expression`: a comparison of variables. `event`: keys that the caller presses. `unconditional`: taken when no other edge is, once the node has spoken. Left out or null: llm.',
    ),
    condition: Text.nullish().describe(
      'Of an `llm` edge: when to take it, in words. Left out or null: none.',
    ),
    expression: Expression.nullish().describe(
      'Of an `expression` edge: the comparison. Left out or null: none.',
    ),
    event_name: Text.nullish().describe(
      'Of an `event` edge: `dtmf` for any keys, or as in `dtmf:1` for these. Left out or null: none.',
    ),
    function_name: Text.nullish().describe(
      'What the model calls to take it. Left out or null: go_to_ and the id of the node.',
    ),
    function_description: Text.nullish().describe(
      'Told to the model beside the name. Left out or null: the condition.',
    ),
    priority: z
      .number()
      .nullish()
      .describe('Edges are tried from the lowest number to the highest. Left out or null: 0.'),
  })
  .meta({ id: 'GraphEdge', description: 'A way from one node of a graph to another.' })
export type GraphEdge = z.infer<typeof GraphEdge>

const GraphNode = z
  .looseObject({
    id: Text.min(1).describe('Names the node; unique in its graph.'),
    prompt: Text.nullish().describe(
      'What the agent does while it is here, beside its general prompt. Left out or null: only that.',
    ),
    static_message: z
      .union([Text, z.record(Text, Text)])
      .nullish()
      .describe(
        'Said word for word when the node is entered, instead of thinking; also by language. Left out or null: the agent thinks.',
      ),
    node_type: Text.nullish().describe(
      '`router`: says nothing and only decides where to go on. Left out, null or another word: an ordinary node.',
    ),
    edges: listOf(GraphEdge).nullish().describe('Where to go on. Left out, null or empty: the end.'),
  })
  .meta({ id: 'GraphNode', description: 'A step of a conversation.' })
export type GraphNode = z.infer<typeof GraphNode>

// The largest coordinate, far beyond any screen.
const Coordinate = z.number().min(-1_000_000).max(1_000_000)

const GraphLayout = z
  .record(
    Text,
    z
      .strictObject({
        x: Coordinate.describe('Pixels from the left.'),
        y: Coordinate.describe('Pixels from the top.'),
      })
      .describe('The upper left corner of a node, in pixels.'),
  )
  .refine((layout) => Object.keys(layout).length <= arrayItems, `Has more than ${arrayItems} places.`)
  .describe('Where an editor draws the nodes, by their ids. It means nothing in calls.')

const written = {
  nodes: listOf(GraphNode)
    .min(1)
    .describe('All nodes of the graph, at least one. Keys of your own in nodes and edges are kept.'),
  current_node_id: Text.nullish().describe(
    'The node that calls begin at. null: the first one. Left out: as it was, or the first one if that is gone.',
  ),
}

/** Checks what no single node can know: whether ids are unique, and whether edges lead somewhere and can be taken. */
function checkGraph(
  {
    nodes,
    current_node_id: start,
  }: { nodes: readonly GraphNode[]; current_node_id?: string | null | undefined },
  context: z.core.$RefinementCtx,
): void {
  const ids = new Set(nodes.map(({ id }) => id))
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: nodes })
  const seen = new Set<string>()
  for (const [at, { id, edges }] of nodes.entries()) {
    if (seen.has(id)) refuse(['nodes', at, 'id'], 'Must be unique: another node has this id.')
    seen.add(id)
    for (const [place, edge] of (edges ?? []).entries()) {
      const fault = faultOfEdge(edge, ids)
      if (fault) refuse(['nodes', at, 'edges', place, fault.key], fault.message)
    }
  }
  if (start != null && !ids.has(start)) refuse(['current_node_id'], 'There is no node with this id.')
}

function faultOfEdge(
  edge: GraphEdge,
  ids: ReadonlySet<string>,
): { key: string; message: string } | undefined {
  if (!ids.has(edge.to_node_id)) return { key: 'to_node_id', message: 'There is no node with this id.' }
  // Some clients write the type as `type`; what is no type is not one of them.
  const type = edge.condition_type ?? EdgeType.safeParse(edge.type).data ?? 'llm'
  if (type === 'expression' && !edge.expression)
    return { key: 'expression', message: 'Is required of an expression edge.' }
  if (type === 'event' && !/^(?:dtmf|digit|key)[:_ -]?[0-9*#]*$/i.test(edge.event_name ?? ''))
    return { key: 'event_name', message: 'Must be dtmf, or dtmf: and the keys, as in dtmf:1.' }
  return undefined
}

/** The rules for a graph that is written through its own operation. A graph that comes with the creation of an agent may be anything. */
export const WrittenGraph = z.strictObject(written).superRefine(checkGraph)

const NewGraph = z
  .strictObject({
    ...written,
    layout: GraphLayout.optional().describe(
      'Where an editor draws the nodes, by their ids. It means nothing in calls. Left out: as it was.',
    ),
    base_version: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The version of the agent that this graph was made from, counted from 1: if the agent has been changed since, nothing is written. Left out: the graph is written in any case.',
      ),
  })
  .superRefine(checkGraph)
  .meta({ id: 'NewGraph', description: 'A graph as it is written.' })
export type NewGraph = z.infer<typeof NewGraph>

const StoredGraph = z
  .strictObject({
    agent_id: Id.describe('The agent whose graph this is.'),
    version: z
      .int()
      .min(1)
      .describe('The version of the agent, counted from 1; give it as `base_version` to change this graph.'),
    nodes: z
      .array(z.unknown())
      .max(mostParts)
      .describe('The nodes as they were written. Empty: the agent has none, and goes by its prompt.'),
    current_node_id: Text.nullable().describe(
      'The node that calls begin at. null: the first one, or there is none.',
    ),
    layout: GraphLayout,
    faults: z
      .array(
        z
          .strictObject({
            path: Text.describe('The part that is at fault, as in nodes.0.edges.1.to_node_id.'),
            message: Text.describe('What is wrong with it, in one sentence.'),
          })
          .describe('One fault.'),
      )
      .max(mostParts)
      .describe(
        'What `putAgentGraph` would refuse. An agent can be created with such a graph; in calls, faulty parts are left out.',
      ),
    updated_at: Timestamp.describe('When the agent was last changed.'),
    warnings: Warnings,
  })
  .meta({ id: 'StoredGraph', description: 'The graph of an agent as it is read.' })
export type StoredGraph = z.infer<typeof StoredGraph>

const ById = z.strictObject({ id: Id.describe('The agent_id of a graph_agent.') })
const tag = 'Agents'

const nodes = [
  {
    id: 'greet',
    prompt: 'Ask whether the caller wants to book or to cancel.',
    edges: [{ to_node_id: 'book', condition_type: 'llm', condition: 'The caller wants to book.' }],
  },
  { id: 'book', prompt: 'Ask for a day and a time.', edges: [] },
]
const layout = { greet: { x: 0, y: 0 }, book: { x: 0, y: 180 } }
const stored = {
  agent_id: exampleIds.agent,
  version: 2,
  nodes,
  current_node_id: 'greet',
  layout,
  faults: [],
  updated_at: exampleTimes.later,
}

export const getAgentGraph = operation({
  ...voiceAddresses.getAgentGraph,
  tag,
  summary: 'Get the graph of an agent',
  description:
    'The nodes of a graph_agent in one piece, where it begins, where an editor draws them, and what is wrong with them. Any other agent is AGENT_NOT_A_GRAPH.',
  params: ById,
  data: StoredGraph,
  example: { params: { id: exampleIds.agent }, data: stored },
})

export const putAgentGraph = operation({
  ...voiceAddresses.putAgentGraph,
  tag,
  summary: 'Replace the graph of an agent',
  description:
    'Replaces all nodes of a graph_agent, which `updateAgent` cannot change; everything else about the agent stays. Calls that begin later use it. Every fault is named by its path, and nothing is written if there is one. A graph that differs is a new version of the agent; moving nodes about is not. Any other agent is AGENT_NOT_A_GRAPH.',
  params: ById,
  body: NewGraph,
  data: StoredGraph,
  example: {
    params: { id: exampleIds.agent },
    body: { nodes, current_node_id: 'greet', layout, base_version: 1 },
    data: stored,
  },
})
