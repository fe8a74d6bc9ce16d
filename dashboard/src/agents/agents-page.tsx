// The agents of a workspace, newest first.
import type { Agent, dashboard } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { ButtonLink } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { hasOwnModel, ModelNotice, useModels } from '../ui/feedback/model-notice.tsx'
import { valueAt } from '../ui/forms/tree.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { WhenCell } from '../ui/words/when.tsx'
import { statusTones, statusWords, synthesizerWords } from './agent-words.ts'

const columns: Column<Agent>[] = [
  {
    head: 'Name',
    cell: ({ agent_id, agent_config }) => (
      <div className="min-w-0">
        <Link
          to={`/agents/${agent_id}`}
          className="font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
        >
          {agent_config.agent_name || 'Unnamed'}
        </Link>
        {agent_config.agent_welcome_message && (
          <p className="line-clamp-1 max-w-md text-[0.8125rem] wrap-anywhere text-muted">
            {agent_config.agent_welcome_message}
          </p>
        )}
      </div>
    ),
  },
  {
    head: 'Status',
    cell: ({ status }) => (
      <Badge tone={statusTones[status]} dot>
        {statusWords[status]}
      </Badge>
    ),
  },
  { head: 'Model', wide: true, cell: ({ agent_config }) => <Faint>{modelOf(agent_config)}</Faint> },
  { head: 'Voice', wide: true, cell: ({ agent_config }) => <Faint>{voiceOf(agent_config)}</Faint> },
  {
    head: 'Updated',
    wide: true,
    cell: ({ updated_at }) => <WhenCell at={updated_at} />,
  },
]

export function AgentsPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const workspaceId = workspace.workspace_id
  const agents = useQuery({
    queryKey: ['agents', workspaceId, page],
    queryFn: () => api.agents(workspaceId, page),
    placeholderData: keepPreviousData,
  })
  const models = useModels(workspaceId)
  const hasNoModel = models && !models.default && !models.providers.some(({ is_ready }) => is_ready)
  const create = (
    <ButtonLink to="/agents/new" needs={voice.createAgent}>
      <Icon name="plus" className="size-3.5" />
      New agent
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title="Agents" lead={`Voice agents of ${workspace.name}.`} action={create} />
      {hasNoModel && agents.data && !isEvery(agents.data.data, hasOwnModel) && (
        <div className="mb-6">
          <ModelNotice />
        </div>
      )}
      <Listing
        label="Agents"
        query={agents}
        columns={columns}
        keyOf={({ agent_id }) => agent_id}
        at="/agents"
        empty={
          <EmptyState icon="agents" title="No agents yet" action={create}>
            An agent answers and places calls. Give it a name and a prompt, and it is ready to talk.
          </EmptyState>
        }
      />
    </>
  )
}

const isEvery = <Item,>(list: readonly Item[], is: (item: Item) => boolean) =>
  list.length > 0 && list.every(is)

function Faint({ children }: { children: React.ReactNode }) {
  return <span className="text-muted">{children}</span>
}

type Config = Agent['agent_config']

const textAt = (config: Config, path: string) => String(valueAt(config, path) ?? '')

const modelOf = (config: Config) => textAt(config, 'llm_agent.llm_config.model') || 'This installation’s'

const voiceOf = (config: Config) => {
  const provider = textAt(config, 'synthesizer.provider')
  const words: Record<string, string> = synthesizerWords
  return textAt(config, 'synthesizer.provider_config.voice') || words[provider] || provider || '—'
}
