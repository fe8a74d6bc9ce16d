// Webhook endpoints and their log.
import type {
  BodyOf,
  createWebhook,
  DataOf,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  Pagination,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  Webhook,
  WebhookStatus,
} from '@parley/contract'
import { send, type TransportOptions } from './transport.ts'

type Page = {
  page?: number
  limit?: number
}

interface Paged<Item> {
  data: Item[]
  pagination: Pagination
}

interface Once {
  idempotencyKey?: string
}

export class WebhookEndpoints {
  private readonly transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.transport = transport
  }

  /** The secret is in the answer, and never again. */
  create(
    body: BodyOf<typeof createWebhook>,
    { idempotencyKey }: Once = {},
  ): Promise<DataOf<typeof createWebhook>> {
    return send(this.transport, { method: 'POST', path: '/webhooks', body, idempotencyKey })
  }

  list(query: Page & { agent_id?: string; status?: WebhookStatus } = {}): Promise<Paged<Webhook>> {
    return send(this.transport, { method: 'GET', path: '/webhooks', query })
  }

  get(webhookId: string): Promise<Webhook> {
    return send(this.transport, { method: 'GET', path: `/webhooks/${webhookId}` })
  }

  update(webhookId: string, body: BodyOf<typeof updateWebhook>): Promise<Webhook> {
    return send(this.transport, { method: 'PATCH', path: `/webhooks/${webhookId}`, body })
  }

  delete(webhookId: string): Promise<{ webhook_id: string; deleted: true }> {
    return send(this.transport, { method: 'DELETE', path: `/webhooks/${webhookId}` })
  }

  test(webhookId: string, { idempotencyKey }: Once = {}): Promise<DataOf<typeof testWebhook>> {
    return send(this.transport, { method: 'POST', path: `/webhooks/${webhookId}/test`, idempotencyKey })
  }

  rotateSecret(
    webhookId: string,
    { idempotencyKey }: Once = {},
  ): Promise<DataOf<typeof rotateWebhookSecret>> {
    return send(this.transport, {
      method: 'POST',
      path: `/webhooks/${webhookId}/rotate-secret`,
      idempotencyKey,
    })
  }

  deliveries(webhookId: string, query: Page & { status?: DeliveryStatus } = {}): Promise<Paged<Delivery>> {
    return send(this.transport, { method: 'GET', path: `/webhooks/${webhookId}/deliveries`, query })
  }

  delivery(webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
    return send(this.transport, { method: 'GET', path: `/webhooks/${webhookId}/deliveries/${deliveryId}` })
  }

  replay(webhookId: string, deliveryId: string, { idempotencyKey }: Once = {}): Promise<Delivery> {
    const path = `/webhooks/${webhookId}/deliveries/${deliveryId}/replay`
    return send(this.transport, { method: 'POST', path, idempotencyKey })
  }
}
