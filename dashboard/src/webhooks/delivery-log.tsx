// The deliveries of an endpoint, newest first, each with its call. It refreshes itself while something is still to be
// sent, and replays those that are chosen.
import type { Delivery, DeliveryStatus } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Filter } from '../ui/lists/filter.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { When, WhenCell } from '../ui/words/when.tsx'
import { useWebhookRefresh, type WebhookPlace, webhookKey, whileQueued } from './webhook.ts'
import { DeliveryBadge, deliveryWords, httpWords } from './webhook-words.tsx'

const statuses = Object.keys(deliveryWords) as DeliveryStatus[]

interface DeliveryLogProps {
  place: WebhookPlace
  /** A disabled endpoint gets no deliveries. */
  canReplay: boolean
}

export function DeliveryLog({ place, canReplay }: DeliveryLogProps) {
  const { workspaceId, webhookId } = place
  const { page, status: asked } = usePlace()
  const status = statuses.find((one) => one === asked)
  const deliveries = useQuery({
    queryKey: webhookKey(place, 'deliveries', status, page),
    queryFn: () => api.deliveries(workspaceId, webhookId, page, status),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => whileQueued(state.data?.data),
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shown = deliveries.data?.data ?? []
  const picked = shown.filter(({ delivery_id }) => chosen.has(delivery_id))
  const choice = { chosen, onChoose: setChosen, shown }
  // The # keeps the scroll position when another page of the log is opened.
  const at = (only?: DeliveryStatus) => `/webhooks/${webhookId}${only ? `?status=${only}` : ''}#deliveries`
  return (
    <section id="deliveries" aria-labelledby="deliveries-title" className="mt-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="deliveries-title" className="font-semibold">
          Deliveries
        </h2>
        <Filter
          label="Deliveries by status"
          choices={[undefined, ...statuses].map((only) => ({
            to: at(only),
            words: only ? deliveryWords[only] : 'All',
            chosen: only === status,
          }))}
        />
      </div>
      {canReplay && picked.length > 0 && (
        <ReplayBar place={place} picked={picked} onDone={() => setChosen(new Set())} />
      )}
      <Listing
        label="Deliveries"
        query={deliveries}
        columns={canReplay ? [choiceColumn(choice), ...columns] : columns}
        keyOf={({ delivery_id }) => delivery_id}
        at={at(status)}
        empty={<NoDeliveries status={status} />}
      />
    </section>
  )
}

function NoDeliveries({ status }: { status: DeliveryStatus | undefined }) {
  return status ? (
    <EmptyState icon="webhooks" title={`Nothing ${status}`}>
      No delivery of this webhook is {status} at the moment.
    </EmptyState>
  ) : (
    <EmptyState icon="webhooks" title="No deliveries yet">
      One is made whenever a call finishes. Send a test to see whether your receiver is ready for it.
    </EmptyState>
  )
}

interface ReplayBarProps {
  place: WebhookPlace
  picked: readonly Delivery[]
  onDone(): void
}

function ReplayBar({ place, picked, onDone }: ReplayBarProps) {
  const refresh = useWebhookRefresh()
  const toast = useToast()
  const replay = useMutation({
    mutationFn: async () => {
      // The oldest are replayed first, in the order in which they were sent the first time.
      for (const { delivery_id } of picked.toReversed())
        await api.replayDelivery(place.workspaceId, place.webhookId, delivery_id)
    },
    onSuccess: () => {
      toast(`${picked.length} queued again`)
      onDone()
    },
    onError: (error) => toast(error.message),
    onSettled: () => refresh(place),
  })
  return (
    <div className="mb-3 flex items-center gap-3">
      <Button
        kind="primary"
        needs={voice.replayDelivery}
        busy={replay.isPending}
        onClick={() => replay.mutate()}
      >
        Replay {picked.length}
      </Button>
      <Button kind="quiet" onClick={onDone}>
        Clear
      </Button>
    </div>
  )
}

interface Choice {
  readonly chosen: ReadonlySet<string>
  readonly shown: readonly Delivery[]
  onChoose(chosen: ReadonlySet<string>): void
}

const choiceColumn = ({ chosen, shown, onChoose }: Choice): Column<Delivery> => ({
  head: 'Choose',
  headCell: (
    <input
      type="checkbox"
      aria-label="Choose all on this page"
      checked={shown.length > 0 && shown.every(({ delivery_id }) => chosen.has(delivery_id))}
      onChange={({ target }) =>
        onChoose(new Set(target.checked ? shown.map(({ delivery_id }) => delivery_id) : []))
      }
      className="size-4 accent-accent"
    />
  ),
  cell: ({ delivery_id, created_at }) => (
    <input
      type="checkbox"
      aria-label={`Choose the delivery of ${new Date(created_at).toLocaleString('en')}`}
      checked={chosen.has(delivery_id)}
      onChange={({ target }) => {
        const others = [...chosen].filter((id) => id !== delivery_id)
        onChoose(new Set(target.checked ? [...others, delivery_id] : others))
      }}
      // The button stands above the link that covers the row.
      className="relative z-10 size-4 accent-accent"
    />
  ),
})

const columns: Column<Delivery>[] = [
  {
    head: 'Event',
    cell: ({ webhook_id, delivery_id, event, test, attempts, http_status, created_at, session_id }) => (
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={`/webhooks/${webhook_id}/deliveries/${delivery_id}`}
            className="font-medium after:absolute after:inset-0 after:content-['']"
          >
            {event}
          </Link>
          {test && <Badge tone="accent">Test</Badge>}
        </p>
        <p className="hidden font-mono text-xs text-muted md:block">{delivery_id}</p>
        <p className="mt-0.5 text-[0.8125rem] text-muted md:hidden">
          <When at={created_at} />
          {attempts.length > 0 && `, ${counted(attempts.length)}, ${httpWords(http_status)}`}
          {session_id && (
            <>
              , <CallLink sessionId={session_id}>its call</CallLink>
            </>
          )}
        </p>
      </div>
    ),
  },
  { head: 'Status', cell: ({ status }) => <DeliveryBadge status={status} /> },
  {
    head: 'Call',
    wide: true,
    cell: ({ session_id }) =>
      session_id ? (
        <CallLink sessionId={session_id}>
          <span className="font-mono text-xs">{session_id.slice(-12)}</span>
        </CallLink>
      ) : (
        <span className="text-muted">—</span>
      ),
  },
  {
    head: 'Attempts',
    wide: true,
    cell: ({ attempts }) => <span className="text-muted tabular-nums">{attempts.length}</span>,
  },
  {
    head: 'Answer',
    wide: true,
    cell: ({ attempts, http_status }) => (
      <span className="whitespace-nowrap text-muted tabular-nums">
        {attempts.length > 0 ? httpWords(http_status) : '—'}
      </span>
    ),
  },
  { head: 'Created', wide: true, cell: ({ created_at }) => <WhenCell at={created_at} /> },
]

/** The link to the call, which stands above the link that covers the row. */
function CallLink({ sessionId, children }: { sessionId: string; children: ReactNode }) {
  return (
    <Link to={`/calls/${sessionId}`} className="relative z-10 text-accent-ink underline underline-offset-3">
      {children}
    </Link>
  )
}

const counted = (attempts: number) => `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
