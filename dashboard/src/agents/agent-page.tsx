// The page of one agent: its settings, and its deletion.
import type { Agent, AgentPatch, dashboard, UpdatedAgent } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../ui/controls/button.tsx'
import { Copyable } from '../ui/controls/copyable.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { When } from '../ui/words/when.tsx'
import { AgentEditor } from './agent-editor.tsx'
import { statusTones, statusWords, warningsKey } from './agent-words.ts'

interface AgentPageProps {
  workspace: dashboard.Workspace
  agentId: string
}

export function AgentPage({ workspace, agentId }: AgentPageProps) {
  const agent = useQuery({
    queryKey: ['agent', workspace.workspace_id, agentId],
    queryFn: () => api.agent(workspace.workspace_id, agentId),
    // The server is asked again on every visit, but not while the user is editing.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <RecordShell query={agent} what="agent" list="agents" workspace={workspace}>
      {(agent) => <LoadedAgent workspaceId={workspace.workspace_id} agent={agent} />}
    </RecordShell>
  )
}

function LoadedAgent({ workspaceId, agent }: { workspaceId: string; agent: Agent }) {
  const { agent_id: agentId, agent_config, status, created_at, updated_at } = agent
  const queries = useQueryClient()
  const toast = useToast()
  const [deleting, setDeleting] = useState(false)
  const atCreation = queries.getQueryData<UpdatedAgent['warnings']>(warningsKey(workspaceId, agentId))
  const save = useMutation({
    // The changes are not checked here: the server validates what the user wrote.
    mutationFn: (changes: Tree) => api.updateAgent(workspaceId, agentId, changes as AgentPatch),
    onSuccess: (saved) => {
      queries.setQueryData(['agent', workspaceId, agentId], saved)
      queries.invalidateQueries({ queryKey: ['agents'] })
      toast('Changes saved')
    },
  })
  const warnings = (save.data ? save.data.warnings : atCreation) ?? []
  return (
    <>
      <PageHeader
        title={agent_config.agent_name || 'Unnamed'}
        back={{ to: '/agents', label: 'Agents' }}
        badge={
          <Badge tone={statusTones[status]} dot>
            {statusWords[status]}
          </Badge>
        }
        action={
          <>
            {agent_config.agent_type === 'graph_agent' && (
              <ButtonLink kind="plain" to={`/agents/${agentId}/graph`}>
                Graph
              </ButtonLink>
            )}
            <ButtonLink kind="plain" to={`/agents/${agentId}/versions`}>
              Versions
            </ButtonLink>
            <ButtonAnchor href={`/talk?agent=${agentId}`}>Talk</ButtonAnchor>
            <Button kind="warning" needs={voice.deleteAgent} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        }
      />
      <AgentEditor
        workspaceId={workspaceId}
        agentId={agentId}
        before={agent_config}
        savedAt={updated_at}
        saving={save.isPending}
        error={save.error}
        warnings={warnings.map(({ message }) => message)}
        onSave={(_draft, changes) => save.mutate(changes)}
        place={(_draft, changes, trial) =>
          api.tryAgent(workspaceId, agentId, { agent_config: changes as AgentPatch, ...trial })
        }
      >
        <Section title="Reference" lead="The id of this agent in the API.">
          <Copyable text={agentId} label="agent id" />
          <p className="text-[0.8125rem] text-muted">
            Created <When at={created_at} />, updated <When at={updated_at} />
          </p>
        </Section>
      </AgentEditor>
      {deleting && <DeleteAgent workspaceId={workspaceId} agent={agent} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteAgent({
  workspaceId,
  agent,
  onClose,
}: {
  workspaceId: string
  agent: Agent
  onClose(): void
}) {
  const queries = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteAgent(workspaceId, agent.agent_id),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['agents'] })
      toast(`${agent.agent_config.agent_name} deleted`)
      go('/agents', { replace: true })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${agent.agent_config.agent_name}?`}
      verb="Delete agent"
      action={remove}
      onClose={onClose}
    >
      It stops answering and placing calls at once. Its call records stay. This cannot be undone.
    </ConfirmDialog>
  )
}
