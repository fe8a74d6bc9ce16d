// A button that sends a signed sample to an endpoint, and the outcome beside it.
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Link } from '../router.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { useWebhookRefresh, type WebhookPlace } from './webhook.ts'
import { DeliveryBadge, httpWords } from './webhook-words.tsx'

export function useSendTest(place: WebhookPlace) {
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

export function TestOutcome({ test: { isPending, error, data } }: { test: ReturnType<typeof useSendTest> }) {
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
