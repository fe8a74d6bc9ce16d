// The graph of a graph_agent, read and replaced in one piece.
import { type NewGraph, WrittenGraph } from '@parley/contract'
import { Verbatim } from '../../http/answer.ts'
import type { Author } from '../../http/authenticate.ts'
import { faultsIn } from '../../http/body/validate.ts'
import { fail } from '../../http/failure.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ChangeAgent } from './change-agent.ts'
import { isTree, type Tree } from './secret-places.ts'
import { type AgentConfigJson, type AgentRow, findAgent, withWarnings } from './store.ts'

export const graphRules = (db: Db, change: ChangeAgent) => ({
  async graph(workspaceId: string, agentId: string): Promise<Verbatim> {
    const row = (await findAgent(db, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND')
    return new Verbatim(graphJson(row))
  },

  async putGraph(workspaceId: string, agentId: string, graph: NewGraph, author: Author): Promise<Verbatim> {
    const { row, warnings } = await change(workspaceId, agentId, author, (stored, before) => {
      mustBeGraph(stored)
      if (graph.base_version !== undefined && graph.base_version !== before.version)
        fail('AGENT_VERSION_CONFLICT', {
          message: `The agent is at version ${before.version} by now, not ${graph.base_version}; nothing was written.`,
        })
      return { config: withGraph(stored, graph), layout: graph.layout }
    })
    return new Verbatim(withWarnings(graphJson(row), warnings))
  },
})

const llmAgentOf = ({ llm_agent }: AgentConfigJson): Tree => (isTree(llm_agent) ? llm_agent : {})

/** Either of the two places where the type may be written, as in a call. */
const isGraphAgent = (config: AgentConfigJson): boolean =>
  [config.agent_type, llmAgentOf(config).agent_type].includes('graph_agent')

function mustBeGraph(config: AgentConfigJson): void {
  if (!isGraphAgent(config))
    fail('AGENT_NOT_A_GRAPH', {
      message: `This agent has no graph: its agent_type is ${config.agent_type}, and must be graph_agent.`,
    })
}

/** What calls read together with the nodes, from the same object. */
interface GraphKeys {
  readonly nodes?: unknown
  readonly current_node_id?: unknown
  readonly agent_information?: unknown
  readonly context_data?: unknown
}

/** The object that has the nodes, as in a call: `llm_agent` itself or, if it has none, its `llm_config`. */
function holderOf(config: AgentConfigJson): GraphKeys {
  const llmAgent = llmAgentOf(config)
  return Array.isArray(llmAgent.nodes) || !isTree(llmAgent.llm_config) ? llmAgent : llmAgent.llm_config
}

const startOf = ({ current_node_id: id }: GraphKeys): string | null =>
  typeof id === 'string' && id !== '' ? id : null

/** Afterwards everything about the graph is in `llm_agent` itself. */
function withGraph(config: AgentConfigJson, { nodes, current_node_id: wanted }: NewGraph): AgentConfigJson {
  const { nodes: _, ...before } = graphKeysOf(holderOf(config))
  const kept = startOf(before)
  const start = wanted === undefined && nodes.some(({ id }) => id === kept) ? kept : (wanted ?? null)
  const llmAgent = llmAgentOf(config)
  return {
    ...config,
    llm_agent: {
      ...withoutGraph(llmAgent),
      ...(isTree(llmAgent.llm_config) && { llm_config: withoutGraph(llmAgent.llm_config) }),
      ...withoutStart(before),
      ...(start !== null && { current_node_id: start }),
      nodes,
    },
  }
}

const graphKeys = ['nodes', 'current_node_id', 'agent_information', 'context_data']

const pick = (tree: object, isWanted: (key: string) => boolean): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([key]) => isWanted(key)))

const graphKeysOf = (tree: object): GraphKeys => pick(tree, (key) => graphKeys.includes(key))
const withoutGraph = (tree: object): Tree => pick(tree, (key) => !graphKeys.includes(key))
const withoutStart = (tree: object): Tree => pick(tree, (key) => key !== 'current_node_id')

function graphJson({ agent_id, version, config, graph_layout, updated_at }: AgentRow): string {
  const stored: AgentConfigJson = JSON.parse(config)
  mustBeGraph(stored)
  const holder = holderOf(stored)
  const nodes: readonly unknown[] = Array.isArray(holder.nodes) ? holder.nodes : []
  const current_node_id = startOf(holder)
  return JSON.stringify({
    agent_id,
    version,
    nodes,
    current_node_id,
    layout: JSON.parse(graph_layout ?? '{}'),
    // An agent without nodes goes by its prompt, which is no fault.
    faults:
      nodes.length === 0 ? [] : faultsIn(WrittenGraph.safeParse({ nodes, current_node_id }), WrittenGraph),
    updated_at: updated_at.toISOString(),
  })
}
