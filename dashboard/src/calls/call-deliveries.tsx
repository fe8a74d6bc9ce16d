// The deliveries of a call's event to webhooks, each of which can be replayed.
import type { Delivery } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Link } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Table } from '../ui/lists/table.tsx'
import { When } from '../ui/words/when.tsx'
import { DeliveryBadge, httpWords, whileQueued } from '../webhooks/webhooks.ts'
import { type CallPlace, callKey } from './use-call.ts'

export function CallDeliveries({ place }: { place: CallPlace }) {
  const queries = useQueryClient()
  const toast = useToast()
  const key = callKey(place, 'deliveries')
  const query = useQuery({
    queryKey: key,
    queryFn: () => api.callDeliveries(place.workspaceId, place.sessionId),
    staleTime: 0,
    refetchInterval: ({ state }) => whileQueued(state.data?.deliveries),
  })
  const replay = useMutation({
    mutationFn: ({ webhook_id, delivery_id }: Delivery) =>
      api.replayDelivery(place.workspaceId, webhook_id, delivery_id),
    onSuccess: () => {
      toast('Queued again')
      queries.invalidateQueries({ queryKey: key })
    },
  })
  if (query.isPending) return <ListSkeleton rows={2} />
  if (query.isError) return <RefusalNotice error={query.error} />
  const { deliveries } = query.data
  if (deliveries.length === 0) {
    return (
      <EmptyState icon="webhooks" title="No deliveries">
        The event of a call goes out shortly after its end, to every webhook that listens for it.
      </EmptyState>
    )
  }
  return (
    <div className="space-y-4">
      {replay.error && <RefusalNotice error={replay.error} />}
      <Table
        label="Deliveries"
        items={deliveries}
        keyOf={({ delivery_id }) => delivery_id}
        columns={[
          {
            head: 'Delivery',
            cell: ({ webhook_id, delivery_id, event, created_at }) => (
              <div>
                <Link
                  to={`/webhooks/${webhook_id}/deliveries/${delivery_id}`}
                  className="font-medium underline decoration-edge underline-offset-3"
                >
                  {event}
                </Link>
                <p className="text-[0.8125rem] text-muted">
                  <When at={created_at} />
                </p>
              </div>
            ),
          },
          { head: 'Status', cell: ({ status }) => <DeliveryBadge status={status} /> },
          {
            head: 'Answer',
            wide: true,
            cell: ({ attempts, http_status }) => (
              <span className="text-muted">{attempts.length > 0 ? httpWords(http_status) : '—'}</span>
            ),
          },
          {
            head: 'Actions',
            actions: true,
            cell: (delivery) => (
              <Button
                size="small"
                needs={voice.replayDelivery}
                busy={replay.isPending}
                onClick={() => replay.mutate(delivery)}
              >
                Replay
              </Button>
            ),
          },
        ]}
      />
    </div>
  )
}
