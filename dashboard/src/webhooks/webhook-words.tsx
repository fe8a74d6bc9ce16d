// Labels for webhooks and deliveries. The compiler checks that the lists are complete.
import type { CallCompleted, DeliveryStatus, WebhookStatus } from '@parley/contract'
import { Badge, type Tone } from '../ui/words/badge.tsx'

export const eventWords: Record<CallCompleted['type'], string> = {
  'call.completed': 'A call has finished (call.completed)',
}

export const deliveryWords: Record<DeliveryStatus, string> = {
  queued: 'Queued',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const deliveryTones: Record<DeliveryStatus, Tone> = {
  queued: 'wait',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'off',
}

const webhookWords: Record<WebhookStatus, string> = { active: 'Active', disabled: 'Disabled' }
const webhookTones: Record<WebhookStatus, Tone> = { active: 'good', disabled: 'off' }

export function WebhookBadge({ status }: { status: WebhookStatus }) {
  return (
    <Badge tone={webhookTones[status]} dot>
      {webhookWords[status]}
    </Badge>
  )
}

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return (
    <Badge tone={deliveryTones[status]} dot>
      {deliveryWords[status]}
    </Badge>
  )
}

export const httpWords = (status: number | null): string => (status === null ? 'No answer' : `HTTP ${status}`)
