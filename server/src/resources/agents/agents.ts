// The rules of agents, and the only door to them for other resources.
import {
  type Agent,
  type AgentConfig,
  type AgentPatch,
  type AgentStatus,
  type PageQuery,
  paginate,
} from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Work } from '../../http/work.ts'
import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { mergeConfig } from './merge.ts'
import {
  type AgentRow,
  findAgent,
  insertAgent,
  lockAgent,
  pageOfAgents,
  removeAgent,
  updateAgent,
} from './store.ts'

const statusAtBirth: AgentStatus = 'active'

export const agents = (db: Db) => ({
  create(workspaceId: string, { status = statusAtBirth, ...config }: AgentConfig, work: Work) {
    const agentId = newId()
    work.add(insertAgent(agentId, workspaceId, status, config))
    return { agent_id: agentId, agent_name: config.agent_name }
  },

  async list(workspaceId: string, query: PageQuery) {
    const { rows, total } = await pageOfAgents(db, workspaceId, query)
    return { data: rows.map(view), pagination: paginate(query, total) }
  },

  async get(workspaceId: string, agentId: string): Promise<Agent> {
    return view((await findAgent(db, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND'))
  },

  update(workspaceId: string, agentId: string, { status, ...patch }: AgentPatch): Promise<Agent> {
    return db.transaction(async (tx) => {
      const before = (await lockAgent(tx, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND')
      return view(await updateAgent(tx, agentId, mergeConfig(before.config, patch), status ?? before.status))
    })
  },

  async remove(workspaceId: string, agentId: string) {
    if (!(await removeAgent(db, workspaceId, agentId))) fail('AGENT_NOT_FOUND')
    return { agent_id: agentId, deleted: true as const }
  },
})

export type Agents = ReturnType<typeof agents>

const view = ({ agent_id, status, config, created_at, updated_at }: AgentRow): Agent => ({
  agent_id,
  agent_config: { ...config, status } as Agent['agent_config'],
  status,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})
