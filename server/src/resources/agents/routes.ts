// HTTP routes of agents.
import {
  createAgent,
  deleteAgent,
  getAgent,
  getAgentGraph,
  getAgentVersion,
  listAgents,
  listAgentVersions,
  putAgentGraph,
  restoreAgentVersion,
  updateAgent,
} from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Agents } from './agents.ts'

export function mountAgents(mount: Mount, agents: Agents): void {
  mount(createAgent, ({ body }, { workspaceId, author, work }) =>
    agents.create(workspaceId, body.agent_config, author, work),
  )
  mount(listAgents, ({ query }, { workspaceId }) => agents.list(workspaceId, query))
  mount(getAgent, ({ params }, { workspaceId }) => agents.get(workspaceId, params.id))
  mount(updateAgent, ({ params, body }, { workspaceId, author }) =>
    agents.update(workspaceId, params.id, body.agent_config, author),
  )
  mount(deleteAgent, ({ params }, { workspaceId }) => agents.remove(workspaceId, params.id))
  mount(getAgentGraph, ({ params }, { workspaceId }) => agents.graph(workspaceId, params.id))
  mount(putAgentGraph, ({ params, body }, { workspaceId, author }) =>
    agents.putGraph(workspaceId, params.id, body, author),
  )
  mount(listAgentVersions, ({ params, query }, { workspaceId }) =>
    agents.versions(workspaceId, params.id, query),
  )
  mount(getAgentVersion, ({ params, query }, { workspaceId }) =>
    agents.version(workspaceId, params.id, params.version, query.compare_with),
  )
  mount(restoreAgentVersion, ({ params }, { workspaceId, author, work }) =>
    agents.restore(workspaceId, params.id, params.version, author, work),
  )
}
