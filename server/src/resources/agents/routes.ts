// HTTP routes of agents.
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from '@parley/contract'
import type { Mount } from '../../http/voice-door.ts'
import type { Agents } from './agents.ts'

export function mountAgents(mount: Mount, agents: Agents): void {
  mount(createAgent, ({ body }, { workspaceId, work }) => agents.create(workspaceId, body.agent_config, work))
  mount(listAgents, ({ query }, { workspaceId }) => agents.list(workspaceId, query))
  mount(getAgent, ({ params }, { workspaceId }) => agents.get(workspaceId, params.id))
  mount(updateAgent, ({ params, body }, { workspaceId }) =>
    agents.update(workspaceId, params.id, body.agent_config),
  )
  mount(deleteAgent, ({ params }, { workspaceId }) => agents.remove(workspaceId, params.id))
}
