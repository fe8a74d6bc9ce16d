// Queries of webhooks, and how long their answers are cached.
import type { Delivery, Webhook } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

/** An endpoint and its workspace. */
export interface WebhookPlace {
  readonly workspaceId: string
  readonly webhookId: string
}

/** The prefix of the query keys of one endpoint. */
export const webhookKey = ({ workspaceId, webhookId }: WebhookPlace, ...more: unknown[]) => [
  'webhook',
  workspaceId,
  webhookId,
  ...more,
]

export const placeOf = (workspaceId: string, { webhook_id }: Webhook): WebhookPlace => ({
  workspaceId,
  webhookId: webhook_id,
})

export const useWebhook = (place: WebhookPlace) =>
  useQuery({
    queryKey: webhookKey(place, 'endpoint'),
    queryFn: () => api.webhook(place.workspaceId, place.webhookId),
    // The endpoint may have been deleted since.
    staleTime: 0,
  })

/** After a change: reads the list again and, with a place, everything that is shown of that endpoint. */
export function useWebhookRefresh() {
  const queries = useQueryClient()
  return (place?: WebhookPlace) => {
    queries.invalidateQueries({ queryKey: ['webhooks'] })
    if (place) queries.invalidateQueries({ queryKey: webhookKey(place) })
  }
}

// Most attempts take less than this; polling more often would show nothing new.
const askAgainMs = 1_500

/** For refetchInterval: polls while something is still to be sent. */
export const whileQueued = (deliveries: readonly Delivery[] = []): number | false =>
  deliveries.some(({ status }) => status === 'queued') && askAgainMs
