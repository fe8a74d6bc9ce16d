// The telephone numbers of a workspace.
import type { dashboard, StoredPhoneNumber } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAgentNames } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { ButtonLink } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'

export function NumbersPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const workspaceId = workspace.workspace_id
  const agents = useAgentNames(workspaceId) ?? {}
  const numbers = useQuery({
    queryKey: ['numbers', workspaceId, page],
    queryFn: () => api.phoneNumbers(workspaceId, page),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const create = (
    <ButtonLink to="/numbers/new" needs={voice.createPhoneNumber}>
      <Icon name="plus" className="size-3.5" />
      New number
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title="Numbers"
        lead="Telephone numbers that your agents answer and call from, each with the trunk behind it."
        action={create}
      />
      <Listing
        label="Numbers"
        query={numbers}
        columns={columns(agents)}
        keyOf={({ phone_number_id }) => phone_number_id}
        at="/numbers"
        empty={
          <EmptyState icon="numbers" title="No numbers yet" action={create}>
            Connect a SIP trunk or your PBX, and an agent answers the telephone. Nothing else is needed to
            call from the sandbox or the browser.
          </EmptyState>
        }
      />
    </>
  )
}

const columns = (agents: Record<string, string>): Column<StoredPhoneNumber>[] => [
  {
    head: 'Number',
    cell: ({ phone_number_id, phone_number, label, inbound_agent_id }) => (
      <div className="min-w-0">
        <Link
          to={`/numbers/${phone_number_id}`}
          className="font-medium tabular-nums after:absolute after:inset-0 after:content-['']"
        >
          {phone_number}
        </Link>
        <p className="text-[0.8125rem] wrap-anywhere text-muted">
          {label ?? 'No label'}
          <span className="md:hidden">
            {inbound_agent_id && `, answered by ${agents[inbound_agent_id] ?? 'a deleted agent'}`}
          </span>
        </p>
      </div>
    ),
  },
  {
    head: 'State',
    cell: ({ status, provider }) => (
      <span className="inline-flex flex-wrap gap-1">
        <Badge tone={status === 'active' ? 'good' : 'off'} dot>
          {status === 'active' ? 'Active' : 'Inactive'}
        </Badge>
        {provider === 'sandbox' && <SandboxBadge />}
      </span>
    ),
  },
  {
    head: 'Answered by',
    wide: true,
    cell: ({ inbound_agent_id }) => (
      <span className="wrap-anywhere text-muted">
        {inbound_agent_id ? (agents[inbound_agent_id] ?? 'A deleted agent') : 'Nobody'}
      </span>
    ),
  },
  {
    head: 'Trunk',
    wide: true,
    cell: ({ credentials }) => (
      <span className="wrap-anywhere text-muted">{credentials?.host ?? 'Simulated'}</span>
    ),
  },
]
