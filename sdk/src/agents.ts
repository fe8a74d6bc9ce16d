// Agents: created, listed, read, changed and deleted; their graphs and their versions.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type {
  Agent,
  AgentChange,
  AgentVersion,
  AgentVersionDetail,
  CreatedAgent,
  NewAgent,
  NewGraph,
  StoredGraph,
  UpdatedAgent,
} from './wire.ts'

// The service's maximum page size.
const largestPage = 100

export class Agents {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  create(agent_config: NewAgent, { idempotencyKey }: RequestOptions = {}): Promise<CreatedAgent> {
    return send(this.#transport, {
      ...requestTo(addresses.createAgent),
      body: { agent_config },
      idempotencyKey,
    })
  }

  list(query: PageQuery = {}): Promise<Page<Agent>> {
    return send(this.#transport, { ...requestTo(addresses.listAgents), query })
  }

  /** Every agent, newest first, page after page. */
  async *all(): AsyncGenerator<Agent> {
    for (let page = 1; ; page++) {
      const { data, pagination } = await this.list({ page, limit: largestPage })
      yield* data
      if (!pagination.has_next_page) return
    }
  }

  get(agentId: string): Promise<Agent> {
    return send(this.#transport, requestTo(addresses.getAgent, { id: agentId }))
  }

  update(agentId: string, agent_config: AgentChange): Promise<UpdatedAgent> {
    const request = requestTo(addresses.updateAgent, { id: agentId })
    return send(this.#transport, { ...request, body: { agent_config } })
  }

  delete(agentId: string): Promise<{ agent_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteAgent, { id: agentId }))
  }

  /** The graph of a graph_agent. */
  graph(agentId: string): Promise<StoredGraph> {
    return send(this.#transport, requestTo(addresses.getAgentGraph, { id: agentId }))
  }

  /** Replaces all nodes of a graph_agent. */
  putGraph(agentId: string, graph: NewGraph): Promise<StoredGraph> {
    return send(this.#transport, { ...requestTo(addresses.putAgentGraph, { id: agentId }), body: graph })
  }

  /** The versions of an agent, newest first. */
  versions(agentId: string, query: PageQuery = {}): Promise<Page<AgentVersion>> {
    return send(this.#transport, { ...requestTo(addresses.listAgentVersions, { id: agentId }), query })
  }

  version(
    agentId: string,
    version: number,
    query: { compare_with?: number } = {},
  ): Promise<AgentVersionDetail> {
    const request = requestTo(addresses.getAgentVersion, { id: agentId, version: String(version) })
    return send(this.#transport, { ...request, query })
  }

  /** Restores an earlier version of the agent, as a new version. */
  restore(agentId: string, version: number, { idempotencyKey }: RequestOptions = {}): Promise<UpdatedAgent> {
    const request = requestTo(addresses.restoreAgentVersion, { id: agentId, version: String(version) })
    return send(this.#transport, { ...request, idempotencyKey })
  }
}
