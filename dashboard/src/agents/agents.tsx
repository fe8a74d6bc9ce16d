// What other features show of agents: their names, and what they look for in calls.
import { useQuery } from '@tanstack/react-query'
import { everyAgent } from '../api.ts'
import { plainWords } from '../ui/words/plain-words.ts'

export const everyAgentWords = 'Every agent'

const useEveryAgent = (workspaceId: string, wanted = true) =>
  useQuery({
    queryKey: ['agents', workspaceId, 'every'],
    queryFn: () => everyAgent(workspaceId),
    enabled: wanted,
  })

/** Id to name; undefined while loading. */
export function useAgentNames(workspaceId: string, wanted = true): Record<string, string> | undefined {
  const { data } = useEveryAgent(workspaceId, wanted)
  return (
    data &&
    Object.fromEntries(
      data.map(({ agent_id, agent_config }) => [agent_id, agent_config.agent_name || 'Unnamed']),
    )
  )
}

/** The names of the dispositions that the analysis of calls looks for, of one agent or of all. */
export function useOutcomes(workspaceId: string, agentId: string | undefined): Record<string, string> {
  const { data = [] } = useEveryAgent(workspaceId)
  const names = data
    .filter(({ agent_id }) => agentId === undefined || agent_id === agentId)
    .flatMap(({ agent_config }) => agent_config.call_analysis_config?.disposition_fields ?? [])
    .map(({ field_name }) => field_name)
  return Object.fromEntries(names.toSorted().map((name) => [name, plainWords(name)]))
}

export function AgentScope({ workspaceId, agentId }: { workspaceId: string; agentId: string | null }) {
  const names = useAgentNames(workspaceId, agentId !== null)
  if (agentId === null) return everyAgentWords
  return <span className="wrap-anywhere">{names ? (names[agentId] ?? 'A deleted agent') : '…'}</span>
}
