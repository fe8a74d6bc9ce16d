// The page that creates an agent.
import type { AgentConfig, dashboard } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useToast } from '../ui/toasts.tsx'
import type { Tree } from '../ui/tree.ts'
import { AgentEditor } from './agent-editor.tsx'

// Enough to talk; the server adds every other default. The model is that of the installation.
const start: Tree = {
  agent_name: '',
  agent_type: 'simple_llm_agent',
  agent_welcome_message: '',
  agent_prompt: '',
  status: 'active',
  llm_agent: { agent_type: 'simple_llm_agent', llm_config: {} },
}

export function NewAgentPage({ workspace }: { workspace: dashboard.Workspace }) {
  const queries = useQueryClient()
  const toast = useToast()
  const create = useMutation({
    // Not checked here: the server validates what the user wrote.
    mutationFn: (draft: Tree) => api.createAgent(workspace.workspace_id, draft as Partial<AgentConfig>),
    onSuccess: ({ agent_id, agent_name }) => {
      queries.invalidateQueries({ queryKey: ['agents'] })
      toast(`${agent_name} created`)
      go(`/agents/${agent_id}`, { replace: true })
    },
  })
  return (
    <>
      <PageHeader
        title="New agent"
        lead={`In ${workspace.name}. Everything can be changed later.`}
        back={{ to: '/agents', label: 'Agents' }}
      />
      <AgentEditor
        before={start}
        isNew
        saving={create.isPending}
        error={create.error}
        onSave={(draft) => create.mutate(draft)}
      />
    </>
  )
}
