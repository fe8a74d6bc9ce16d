// One endpoint: its events, whether it is active, and its deliveries.
import type { dashboard, Webhook } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentScope } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { go, Link } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Switch } from '../ui/forms/switch.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { ExactTime, When } from '../ui/words/when.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { placeOf, useWebhook, useWebhookRefresh, type WebhookPlace } from './webhook.ts'
import { EditWebhookDialog } from './webhook-dialogs.tsx'
import { RotateSecretDialog } from './webhook-secret.tsx'
import { DeliveryBadge, httpWords, WebhookBadge } from './webhook-words.tsx'

interface WebhookPageProps {
  workspace: dashboard.Workspace
  webhookId: string
}

export function WebhookPage({ workspace, webhookId }: WebhookPageProps) {
  const webhook = useWebhook({ workspaceId: workspace.workspace_id, webhookId })
  return (
    <RecordShell query={webhook} what="webhook" list="webhooks" workspace={workspace}>
      {(webhook) => <LoadedWebhook workspaceId={workspace.workspace_id} webhook={webhook} />}
    </RecordShell>
  )
}

const dialogs = { edit: EditWebhookDialog, rotate: RotateSecretDialog, delete: DeleteWebhookDialog }

function LoadedWebhook({ workspaceId, webhook }: { workspaceId: string; webhook: Webhook }) {
  const place = placeOf(workspaceId, webhook)
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const test = useSendTest(place)
  const disabled = webhook.status === 'disabled'
  const Open = open && dialogs[open]
  return (
    <>
      <PageHeader
        title={webhook.url}
        lead={webhook.description}
        back={{ to: '/webhooks', label: 'Webhooks' }}
        badge={<WebhookBadge status={webhook.status} />}
        action={
          <>
            <Button
              kind="primary"
              needs={voice.testWebhook}
              busy={test.isPending}
              disabled={disabled}
              title={disabled ? 'Turn the webhook on to send a test.' : undefined}
              onClick={() => test.mutate()}
            >
              Send test
            </Button>
            <Button needs={voice.updateWebhook} onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Button kind="warning" needs={voice.deleteWebhook} onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </>
        }
      />
      <TestOutcome test={test} />
      <Card>
        <StatusSwitch workspaceId={workspaceId} webhook={webhook} />
        <Facts
          facts={{
            Agent: <AgentScope workspaceId={workspaceId} agentId={webhook.agent_id} />,
            Events: webhook.events.join(', '),
            Created: <ExactTime at={webhook.created_at} />,
            Secret: (
              <span className="flex flex-wrap items-center gap-x-2">
                <span>
                  Set <When at={webhook.secret_rotated_at} />
                </span>
                <Button size="small" needs={voice.rotateWebhookSecret} onClick={() => setOpen('rotate')}>
                  Rotate secret
                </Button>
              </span>
            ),
          }}
        />
      </Card>
      <DeliveryLog place={place} canReplay={webhook.status === 'active'} />
      {Open && <Open workspaceId={workspaceId} webhook={webhook} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function StatusSwitch({ workspaceId, webhook }: { workspaceId: string; webhook: Webhook }) {
  const refresh = useWebhookRefresh()
  const place = placeOf(workspaceId, webhook)
  const on = webhook.status === 'active'
  const turn = useMutation({
    mutationFn: (status: Webhook['status']) => api.updateWebhook(workspaceId, place.webhookId, { status }),
    onSuccess: () => refresh(place),
  })
  return (
    <div className="space-y-3">
      <Switch
        label="Active"
        hint={
          on
            ? 'Finished calls are sent here. Turning this off cancels what is still queued.'
            : 'Nothing is sent here. Calls that finish meanwhile are not sent later, either.'
        }
        on={on}
        needs={voice.updateWebhook}
        busy={turn.isPending}
        onTurn={(active) => turn.mutate(active ? 'active' : 'disabled')}
      />
      {turn.error && <RefusalNotice error={turn.error} />}
    </div>
  )
}

/** Sends a signed sample to the endpoint. */
function useSendTest(place: WebhookPlace) {
  const refresh = useWebhookRefresh()
  return useMutation({
    mutationFn: async () => {
      const { workspaceId, webhookId } = place
      const { delivery_id } = await api.testWebhook(workspaceId, webhookId)
      return api.delivery(workspaceId, webhookId, delivery_id)
    },
    onSuccess: () => refresh(place),
  })
}

function TestOutcome({ test: { isPending, error, data } }: { test: ReturnType<typeof useSendTest> }) {
  return (
    <div role="status" aria-label="Test" className="not-empty:mb-6">
      {isPending && <p className="text-muted">Sending a signed sample…</p>}
      {error && <RefusalNotice error={error} />}
      {data?.attempts.map(({ attempt, http_status, latency_ms, error, attempted_at }) => (
        <p
          key={attempt}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-rail px-3.5 py-2.5"
        >
          <DeliveryBadge status={data.status} />
          <span className="font-medium">{httpWords(http_status)}</span>
          {error && http_status === null && <span className="text-bad">{error}</span>}
          <span className="text-muted">
            in {latency_ms} ms, <ExactTime at={attempted_at} />
          </span>
          <Link
            to={`/webhooks/${data.webhook_id}/deliveries/${data.delivery_id}`}
            className="text-accent-ink underline decoration-edge underline-offset-3 hover:decoration-current sm:ml-auto"
          >
            See the test
          </Link>
        </p>
      ))}
    </div>
  )
}

interface DeleteWebhookDialogProps {
  workspaceId: string
  webhook: Webhook
  onClose(): void
}

function DeleteWebhookDialog({ workspaceId, webhook, onClose }: DeleteWebhookDialogProps) {
  const refresh = useWebhookRefresh()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook(workspaceId, webhook.webhook_id),
    onSuccess: () => {
      refresh()
      toast('Webhook deleted')
      go('/webhooks', { replace: true })
    },
  })
  return (
    <ConfirmDialog title="Delete this webhook?" verb="Delete webhook" action={remove} onClose={onClose}>
      <strong className="font-medium wrap-anywhere text-ink">{webhook.url}</strong> hears of no further call,
      what is queued for it is cancelled, and its delivery log is gone. This cannot be undone.
    </ConfirmDialog>
  )
}
