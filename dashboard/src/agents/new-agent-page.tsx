// The page that creates an agent: a template to begin with, then the editor.
import type { AgentConfig, AgentPatch, dashboard } from '@parley/contract'
import { type AgentTemplateName, agentTemplates } from '@parley/contract/agent-templates'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import { go, usePlace } from '../router.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { creationOf } from './agent-draft.ts'
import { AgentEditor } from './agent-editor.tsx'
import { warningsKey } from './agent-words.ts'
import { forgetDraft } from './kept-draft.ts'
import { TemplateGallery } from './template-gallery.tsx'

// The least that an agent needs to talk; the server adds every other default. The model is that of the installation.
const blank: Tree = {
  agent_name: '',
  agent_type: 'simple_llm_agent',
  agent_welcome_message: '',
  agent_prompt: '',
  status: 'active',
  llm_agent: { agent_type: 'simple_llm_agent', llm_config: {} },
}

const isTemplate = (name: string): name is AgentTemplateName => Object.hasOwn(agentTemplates, name)

export function NewAgentPage({ workspace }: { workspace: dashboard.Workspace }) {
  const chosen = usePlace().query.get('template')
  return chosen === null ? (
    <>
      <PageHeader
        title="New agent"
        lead={`In ${workspace.name}. Begin with one that works, and make it yours.`}
        back={{ to: '/agents', label: 'Agents' }}
      />
      <TemplateGallery workspaceId={workspace.workspace_id} />
    </>
  ) : (
    <NewAgent workspace={workspace} template={chosen} />
  )
}

function NewAgent({ workspace, template }: { workspace: dashboard.Workspace; template: string }) {
  const workspaceId = workspace.workspace_id
  const queries = useQueryClient()
  const toast = useToast()
  const of = isTemplate(template) ? agentTemplates[template] : undefined
  const before = useMemo<Tree>(() => of?.config ?? blank, [of])
  const create = useMutation({
    mutationFn: (draft: Tree) => createAgent(workspaceId, draft),
    onSuccess: ({ agent_id, agent_name, warnings }, { agent_type }) => {
      // The page of the agent shows them.
      queries.setQueryData(warningsKey(workspaceId, agent_id), warnings)
      forgetDraft({ workspaceId, agentId: 'new' })
      queries.invalidateQueries({ queryKey: ['agents'] })
      toast(`${agent_name} created`)
      // A graph agent goes to its graph, because its steps are written next.
      go(`/agents/${agent_id}${agent_type === 'graph_agent' ? '/graph' : ''}`, { replace: true })
    },
  })
  return (
    <>
      <PageHeader
        title={of ? `New agent: ${of.name}` : 'New agent'}
        lead={of ? of.next : `In ${workspace.name}. Everything can be changed later.`}
        back={{ to: '/agents/new', label: 'Templates' }}
      />
      <AgentEditor
        key={template}
        workspaceId={workspaceId}
        agentId={undefined}
        before={before}
        savedAt=""
        saving={create.isPending}
        error={create.error}
        onSave={(draft) => create.mutate(draft)}
        place={(draft, _changes, trial) =>
          api.tryNewAgent(workspaceId, { agent_config: tried(draft), ...trial })
        }
      />
    </>
  )
}

type NewBody = Parameters<typeof api.tryNewAgent>[1]['agent_config']

/** The draft as a body, unchecked, because the server validates it. An agent that is only tried needs no name. */
function tried(draft: Tree): NewBody {
  const { config, later } = creationOf(draft)
  return { ...config, ...later, agent_name: config.agent_name || 'Unnamed' } as NewBody
}

async function createAgent(workspaceId: string, draft: Tree) {
  const { config, later } = creationOf(draft)
  const made = await api.createAgent(workspaceId, config as Partial<AgentConfig>)
  if (Object.keys(later).length > 0) await api.updateAgent(workspaceId, made.agent_id, later as AgentPatch)
  return made
}
