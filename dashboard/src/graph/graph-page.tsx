// The graph of an agent: loaded, edited, saved.
import type { dashboard, StoredGraph } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, Refusal } from '../api.ts'
import { ButtonLink } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { GraphEditor } from './graph-editor.tsx'

interface GraphPageProps {
  workspace: dashboard.Workspace
  agentId: string
}

export function GraphPage({ workspace, agentId }: GraphPageProps) {
  const workspaceId = workspace.workspace_id
  const queries = useQueryClient()
  const key = ['agent-graph', workspaceId, agentId, 'edited']
  const graph = useQuery({
    queryKey: key,
    queryFn: () => api.agentGraph(workspaceId, agentId),
    // The server is asked again on every visit, but not while the user is editing.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const agent = useQuery({
    queryKey: ['agent-name', workspaceId, agentId],
    queryFn: () => api.agent(workspaceId, agentId),
  })
  const name = agent.data?.agent_config.agent_name || 'Unnamed'
  const back = { to: `/agents/${agentId}`, label: name }
  if (agent.isPending) return <FormSkeleton />
  if (graph.isError && graph.error instanceof Refusal && graph.error.code === 'AGENT_NOT_A_GRAPH') {
    return (
      <>
        <PageHeader title="Graph" back={back} />
        <EmptyState
          icon="agents"
          title="This agent has no graph"
          action={<ButtonLink to={`/agents/${agentId}`}>Open the agent</ButtonLink>}
        >
          It follows its prompt. Set its type to graph agent to lead conversations step by step.
        </EmptyState>
      </>
    )
  }
  const saved = (next: StoredGraph) => {
    queries.setQueryData(key, next)
    queries.invalidateQueries({ queryKey: ['agent-graph', workspaceId, agentId], exact: true })
    queries.invalidateQueries({ queryKey: ['agent-versions', workspaceId, agentId] })
  }
  return (
    <RecordShell query={graph} what="agent" list="agents" workspace={workspace}>
      {(stored) => (
        <GraphEditor
          workspaceId={workspaceId}
          stored={stored}
          title={`${name}: graph`}
          back={back}
          onSaved={saved}
          onReload={() => queries.resetQueries({ queryKey: key })}
        />
      )}
    </RecordShell>
  )
}
