// Agents.
import type {
  Agent,
  BodyOf,
  createAgent,
  DataOf,
  deleteAgent,
  listAgents,
  Pagination,
  UpdatedAgent,
  updateAgent,
} from '@parley/contract'
import { send, type TransportOptions } from './transport.ts'

type Created = DataOf<typeof createAgent>
type Deleted = DataOf<typeof deleteAgent>
type NewConfig = BodyOf<typeof createAgent>['agent_config']
type Change = BodyOf<typeof updateAgent>['agent_config']
export type AgentPage = { data: DataOf<typeof listAgents>['data']; pagination: Pagination }

export class Agents {
  private readonly transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.transport = transport
  }

  create(agent_config: NewConfig, { idempotencyKey }: { idempotencyKey?: string } = {}): Promise<Created> {
    return send(this.transport, { method: 'POST', path: '/agents', body: { agent_config }, idempotencyKey })
  }

  list(query: { page?: number; limit?: number } = {}): Promise<AgentPage> {
    return send(this.transport, { method: 'GET', path: '/agents', query })
  }

  /** Every agent, newest first, page after page. */
  async *all(): AsyncGenerator<AgentPage['data'][number]> {
    for (let page = 1; ; page++) {
      const { data, pagination } = await this.list({ page, limit: 100 })
      yield* data
      if (!pagination.has_next_page) return
    }
  }

  get(agentId: string): Promise<Agent> {
    return send(this.transport, { method: 'GET', path: `/agents/${agentId}` })
  }

  update(agentId: string, agent_config: Change): Promise<UpdatedAgent> {
    return send(this.transport, { method: 'PATCH', path: `/agents/${agentId}`, body: { agent_config } })
  }

  delete(agentId: string): Promise<Deleted> {
    return send(this.transport, { method: 'DELETE', path: `/agents/${agentId}` })
  }
}
