// The batches of a workspace, newest first.
import type { BatchStatus, BatchSummary, dashboard } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AgentScope } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { ButtonLink } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Filter } from '../ui/lists/filter.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { ExactTime, WhenCell } from '../ui/words/when.tsx'
import { isOver } from './batch.ts'
import { BatchBadge, batchWords, counted } from './batch-words.tsx'

const statuses = Object.keys(batchWords) as BatchStatus[]
// A running batch changes without any action on this page.
const askAgainMs = 3_000

export function BatchesPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page, status: asked } = usePlace()
  const workspaceId = workspace.workspace_id
  const status = statuses.find((one) => one === asked)
  const batches = useQuery({
    queryKey: ['batches', workspaceId, status, page],
    queryFn: () => api.batches(workspaceId, page, status),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.data.some((batch) => !isOver(batch.status)) && askAgainMs,
  })
  const create = (
    <ButtonLink to="/batches/new" needs={voice.createBatch}>
      <Icon name="plus" className="size-3.5" />
      New batch
    </ButtonLink>
  )
  const at = (only?: BatchStatus) => `/batches${only ? `?status=${only}` : ''}`
  return (
    <>
      <PageHeader
        title="Batches"
        lead="A list of people, called one after the other by one of your agents."
        action={create}
      />
      <div className="mb-3 flex sm:justify-end">
        <Filter
          label="Batches by status"
          choices={[undefined, ...statuses].map((only) => ({
            to: at(only),
            words: only ? batchWords[only] : 'All',
            chosen: only === status,
          }))}
        />
      </div>
      <Listing
        label="Batches"
        query={batches}
        columns={columns(workspaceId)}
        keyOf={({ batch_id }) => batch_id}
        at={at(status)}
        empty={
          status ? (
            <EmptyState icon="batches" title="Nothing here">
              No batch in {workspace.name} is in this state at the moment.
            </EmptyState>
          ) : (
            <EmptyState icon="batches" title="No batches yet" action={create}>
              Bring a CSV file with a column of telephone numbers. Every other column can be spoken of by the
              agent.
            </EmptyState>
          )
        }
      />
    </>
  )
}

const columns = (workspaceId: string): Column<BatchSummary>[] => [
  {
    head: 'Batch',
    cell: ({ batch_id, name, recipient_count, schedule_time, status }) => (
      <div className="min-w-0">
        <Link
          to={`/batches/${batch_id}`}
          className="font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
        >
          {name}
        </Link>
        <p className="text-[0.8125rem] text-muted tabular-nums">
          {counted(recipient_count, 'recipient')}
          {status === 'scheduled' && schedule_time && (
            <>
              , starts <ExactTime at={schedule_time} />
            </>
          )}
        </p>
      </div>
    ),
  },
  {
    head: 'Agent',
    wide: true,
    cell: ({ agent_id }) => (
      <span className="text-muted">
        <AgentScope workspaceId={workspaceId} agentId={agent_id} />
      </span>
    ),
  },
  {
    head: 'Status',
    cell: ({ status, sandbox_count, recipient_count }) => (
      <span className="inline-flex flex-wrap gap-1">
        <BatchBadge status={status} />
        <SandboxBadge share={{ simulated: sandbox_count, all: recipient_count }} />
      </span>
    ),
  },
  {
    head: 'Started',
    wide: true,
    cell: ({ started_at }) =>
      started_at ? <WhenCell at={started_at} /> : <span className="text-muted">—</span>,
  },
  { head: 'Created', wide: true, cell: ({ created_at }) => <WhenCell at={created_at} /> },
]
