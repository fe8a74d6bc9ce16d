// The deliveries of an endpoint, newest first. It refreshes itself while something is still to be sent.
import type { Delivery, DeliveryStatus } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Link, usePlace } from '../router.tsx'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Filter } from '../ui/filter.tsx'
import { Listing } from '../ui/listing.tsx'
import type { Column } from '../ui/table.tsx'
import { When, WhenCell } from '../ui/when.tsx'
import { type WebhookPlace, webhookKey, whileQueued } from './webhook.ts'
import { DeliveryBadge, deliveryWords, httpWords } from './webhook-words.tsx'

const statuses = Object.keys(deliveryWords) as DeliveryStatus[]

export function DeliveryLog({ place }: { place: WebhookPlace }) {
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
      <Listing
        label="Deliveries"
        query={deliveries}
        columns={columns}
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

const columns: Column<Delivery>[] = [
  {
    head: 'Event',
    cell: ({ webhook_id, delivery_id, event, test, attempts, http_status, created_at }) => (
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
        </p>
      </div>
    ),
  },
  { head: 'Status', cell: ({ status }) => <DeliveryBadge status={status} /> },
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

const counted = (attempts: number) => `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
