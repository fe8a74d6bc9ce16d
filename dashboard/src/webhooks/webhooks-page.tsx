// The webhook endpoints of a workspace, newest first.
import type { dashboard, Webhook } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentScope } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { When } from '../ui/words/when.tsx'
import { NewWebhookDialog } from './webhook-dialogs.tsx'
import { DeliveryBadge, WebhookBadge } from './webhook-words.tsx'

export function WebhooksPage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const workspaceId = workspace.workspace_id
  const [creating, setCreating] = useState(false)
  const webhooks = useQuery({
    queryKey: ['webhooks', workspaceId, page],
    queryFn: () => api.webhooks(workspaceId, page),
    placeholderData: keepPreviousData,
    // The last delivery changes without any action on this page.
    staleTime: 0,
  })
  const create = (
    <Button kind="primary" needs={voice.createWebhook} onClick={() => setCreating(true)}>
      <Icon name="plus" className="size-3.5" />
      New webhook
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead={`Your endpoints get a signed event whenever a call in ${workspace.name} finishes.`}
        action={create}
      />
      <Listing
        label="Webhooks"
        query={webhooks}
        columns={columns(workspaceId)}
        keyOf={({ webhook_id }) => webhook_id}
        at="/webhooks"
        empty={
          <EmptyState icon="webhooks" title="No webhooks yet" action={create}>
            Register an https address of yours. When a call finishes, it gets a signed POST with the
            transcript and everything else about the call.
          </EmptyState>
        }
      />
      {creating && <NewWebhookDialog workspaceId={workspaceId} onClose={() => setCreating(false)} />}
    </>
  )
}

const columns = (workspaceId: string): Column<Webhook>[] => [
  {
    head: 'Endpoint',
    cell: (webhook) => (
      <div className="min-w-0">
        <Link
          to={`/webhooks/${webhook.webhook_id}`}
          className="font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
        >
          {webhook.url}
        </Link>
        {webhook.description && (
          <p className="line-clamp-1 max-w-md text-[0.8125rem] wrap-anywhere text-muted">
            {webhook.description}
          </p>
        )}
        <div className="mt-1.5 space-y-1.5 text-[0.8125rem] text-muted md:hidden">
          <p>
            <AgentScope workspaceId={workspaceId} agentId={webhook.agent_id} />
          </p>
          <LastDelivery of={webhook} />
        </div>
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
  { head: 'Status', cell: ({ status }) => <WebhookBadge status={status} /> },
  { head: 'Last delivery', wide: true, cell: (webhook) => <LastDelivery of={webhook} /> },
]

function LastDelivery({ of: { last_delivery } }: { of: Webhook }) {
  if (!last_delivery) return <span className="text-muted">No delivery yet</span>
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
      <DeliveryBadge status={last_delivery.status} />
      <When at={last_delivery.created_at} />
    </span>
  )
}
