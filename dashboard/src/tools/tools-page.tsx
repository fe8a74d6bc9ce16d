// The tools of a workspace: what its agents can do besides talking.
import type { dashboard, StoredTool } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { ButtonLink } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { WhenCell } from '../ui/words/when.tsx'
import { typeWords } from './tool-words.ts'

export function ToolsPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const workspaceId = workspace.workspace_id
  const tools = useQuery({
    queryKey: ['tools', workspaceId, page],
    queryFn: () => api.tools(workspaceId, page),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const create = (
    <ButtonLink to="/tools/new" needs={voice.createTool}>
      <Icon name="plus" className="size-3.5" />
      New tool
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title="Tools"
        lead="What your agents can do during a call: look things up in your systems, and update them."
        action={create}
      />
      <Listing
        label="Tools"
        query={tools}
        columns={columns}
        keyOf={({ tool_id }) => tool_id}
        at="/tools"
        empty={
          <EmptyState icon="tool" title="No tools yet" action={create}>
            With a tool an agent looks up an order, books an appointment or opens a ticket. It needs an
            address of yours, or an MCP server.
          </EmptyState>
        }
      />
    </>
  )
}

const columns: Column<StoredTool>[] = [
  {
    head: 'Tool',
    cell: ({ tool_id, name, description }) => (
      <div className="min-w-0">
        <Link
          to={`/tools/${tool_id}`}
          className="font-mono text-[0.8125rem] font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
        >
          {name}
        </Link>
        {description && (
          <p className="line-clamp-2 text-[0.8125rem] wrap-anywhere text-muted">{description}</p>
        )}
      </div>
    ),
  },
  { head: 'Kind', cell: ({ type }) => <Badge tone="off">{typeWords[type]}</Badge> },
  {
    head: 'Address',
    wide: true,
    cell: ({ url }) => <span className="text-[0.8125rem] wrap-anywhere text-muted">{url ?? '—'}</span>,
  },
  { head: 'Changed', wide: true, cell: ({ updated_at }) => <WhenCell at={updated_at} /> },
]
