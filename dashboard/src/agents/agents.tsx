// What other features show of agents: their names.
import { useQuery } from '@tanstack/react-query'
import { everyAgent } from '../api.ts'

export const everyAgentWords = 'Every agent'

/** Id to name; undefined while loading. */
export function useAgentNames(workspaceId: string, wanted = true): Record<string, string> | undefined {
  const { data } = useQuery({
    queryKey: ['agents', workspaceId, 'every'],
    queryFn: () => everyAgent(workspaceId),
    enabled: wanted,
  })
  return (
    data &&
    Object.fromEntries(
      data.map(({ agent_id, agent_config }) => [agent_id, agent_config.agent_name || 'Unnamed']),
    )
  )
}

export function AgentScope({ workspaceId, agentId }: { workspaceId: string; agentId: string | null }) {
  const names = useAgentNames(workspaceId, agentId !== null)
  if (agentId === null) return everyAgentWords
  return <span className="wrap-anywhere">{names ? (names[agentId] ?? 'A deleted agent') : '…'}</span>
}
