// One delivery: its attempts, its payload, and a button that replays it.
import type { Attempt, DeliveryDetail, dashboard } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { go, Link } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Copyable } from '../ui/controls/copyable.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Section } from '../ui/layout/section.tsx'
import { type Column, Table } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { useWebhook, useWebhookRefresh, type WebhookPlace, webhookKey, whileQueued } from './webhook.ts'
import { DeliveryBadge, httpWords } from './webhook-words.tsx'

interface DeliveryPageProps {
  workspace: dashboard.Workspace
  webhookId: string
  deliveryId: string
}

export function DeliveryPage({ workspace, webhookId, deliveryId }: DeliveryPageProps) {
  const place = { workspaceId: workspace.workspace_id, webhookId }
  const delivery = useQuery({
    queryKey: webhookKey(place, 'delivery', deliveryId),
    queryFn: () => api.delivery(place.workspaceId, webhookId, deliveryId),
    refetchInterval: ({ state }) => whileQueued(state.data && [state.data]),
  })
  return (
    <RecordShell
      query={delivery}
      what="delivery"
      list="webhooks"
      workspace={workspace}
      whyGone="The log forgets the oldest after some weeks."
    >
      {(delivery) => <LoadedDelivery place={place} delivery={delivery} />}
    </RecordShell>
  )
}

function LoadedDelivery({ place, delivery }: { place: WebhookPlace; delivery: DeliveryDetail }) {
  const webhook = useWebhook(place)
  const replay = useReplay(place, delivery.delivery_id)
  const disabled = webhook.data?.status === 'disabled'
  const facts = {
    ...(delivery.session_id && {
      Call: (
        <Link to={`/calls/${delivery.session_id}`} className="text-accent-ink underline underline-offset-3">
          Open the call
        </Link>
      ),
    }),
    ...(delivery.next_attempt_at && { 'Next attempt': <NextAttempt at={delivery.next_attempt_at} /> }),
    Created: <ExactTime at={delivery.created_at} />,
    ...(delivery.completed_at && { Completed: <ExactTime at={delivery.completed_at} /> }),
    'Delivery id': <Mono>{delivery.delivery_id}</Mono>,
    'Event id': <Mono>{delivery.event_id}</Mono>,
  }
  return (
    <>
      <PageHeader
        title={delivery.event}
        lead={disabled && 'The webhook is disabled. Turn it on to replay this.'}
        back={{ to: `/webhooks/${place.webhookId}`, label: webhook.data?.url ?? 'Webhook' }}
        badge={
          <>
            <DeliveryBadge status={delivery.status} />
            {delivery.test && <Badge tone="accent">Test</Badge>}
          </>
        }
        action={
          <Button
            kind="primary"
            needs={voice.replayDelivery}
            busy={replay.isPending}
            // The server would accept the replay and cancel it at once.
            disabled={disabled}
            onClick={() => replay.mutate()}
          >
            Replay
          </Button>
        }
      />
      {replay.error && (
        <div className="mb-6">
          <RefusalNotice error={replay.error} />
        </div>
      )}
      <Card>
        <Facts facts={facts} />
      </Card>
      <div className="mt-9">
        <Section
          title="Attempts"
          lead={delivery.test ? 'A test is sent once.' : 'At most three, each signed afresh.'}
        >
          <Attempts attempts={delivery.attempts} />
        </Section>
        <Section title="Payload" lead="The body of the request, formatted.">
          <Copyable text={JSON.stringify(delivery.payload, null, 2)} label="payload" long />
        </Section>
      </div>
    </>
  )
}

function useReplay(place: WebhookPlace, deliveryId: string) {
  const refresh = useWebhookRefresh()
  const toast = useToast()
  return useMutation({
    mutationFn: () => api.replayDelivery(place.workspaceId, place.webhookId, deliveryId),
    onSuccess: ({ delivery_id }) => {
      refresh(place)
      toast('Queued again. This is the new delivery.')
      go(`/webhooks/${place.webhookId}/deliveries/${delivery_id}`)
    },
  })
}

function NextAttempt({ at }: { at: string }) {
  return new Date(at).getTime() <= Date.now() ? 'Now' : <ExactTime at={at} />
}

function Mono({ children }: { children: string }) {
  return <span className="font-mono text-xs">{children}</span>
}

const columns: Column<Attempt>[] = [
  {
    head: 'Attempt',
    cell: ({ attempt, attempted_at, error }) => (
      <div className="flex gap-2.5">
        <span className="font-medium tabular-nums">{attempt}</span>
        <div>
          <p className="text-balance text-muted">
            <ExactTime at={attempted_at} />
          </p>
          {error && <p className="text-[0.8125rem] wrap-anywhere text-bad md:hidden">{error}</p>}
        </div>
      </div>
    ),
  },
  {
    head: 'Answer',
    cell: ({ http_status }) => <span className="whitespace-nowrap">{httpWords(http_status)}</span>,
  },
  {
    head: 'Latency',
    cell: ({ latency_ms }) => <span className="whitespace-nowrap tabular-nums">{latency_ms} ms</span>,
  },
  {
    head: 'Error',
    wide: true,
    cell: ({ error }) => <span className={error ? 'text-bad' : 'text-muted'}>{error ?? 'None'}</span>,
  },
]

/** Every attempt at a delivery: when, how long it took, and its outcome. */
function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="text-muted">None yet.</p>
  const refused = attempts.filter(({ response_body }) => response_body !== null)
  return (
    <div className="space-y-4">
      <Table label="Attempts" items={attempts} columns={columns} keyOf={({ attempt }) => attempt} />
      {refused.map(({ attempt, response_body }) => (
        <figure key={attempt}>
          <figcaption className="text-[0.8125rem] font-medium">
            The receiver answered attempt {attempt}
          </figcaption>
          <pre className="mt-1.5 max-h-64 overflow-auto rounded-lg border border-line bg-rail p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
            {response_body}
          </pre>
        </figure>
      ))}
    </div>
  )
}
