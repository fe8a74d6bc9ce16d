// Webhook endpoints and the log of their deliveries.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type {
  CreatedWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  NewWebhook,
  RotatedSecret,
  Webhook,
  WebhookChange,
  WebhookStatus,
  WebhookTest,
} from './wire.ts'

export class WebhookEndpoints {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** Creates an endpoint. The answer contains its secret, which is not shown again. */
  create(body: NewWebhook, { idempotencyKey }: RequestOptions = {}): Promise<CreatedWebhook> {
    return send(this.#transport, { ...requestTo(addresses.createWebhook), body, idempotencyKey })
  }

  list(query: PageQuery & { agent_id?: string; status?: WebhookStatus } = {}): Promise<Page<Webhook>> {
    return send(this.#transport, { ...requestTo(addresses.listWebhooks), query })
  }

  get(webhookId: string): Promise<Webhook> {
    return send(this.#transport, requestTo(addresses.getWebhook, { id: webhookId }))
  }

  update(webhookId: string, body: WebhookChange): Promise<Webhook> {
    return send(this.#transport, { ...requestTo(addresses.updateWebhook, { id: webhookId }), body })
  }

  delete(webhookId: string): Promise<{ webhook_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteWebhook, { id: webhookId }))
  }

  /** Sends a signed sample once. `status` of the answer tells whether the receiver accepted it. */
  test(webhookId: string, { idempotencyKey }: RequestOptions = {}): Promise<WebhookTest> {
    return send(this.#transport, { ...requestTo(addresses.testWebhook, { id: webhookId }), idempotencyKey })
  }

  rotateSecret(webhookId: string, { idempotencyKey }: RequestOptions = {}): Promise<RotatedSecret> {
    const request = requestTo(addresses.rotateWebhookSecret, { id: webhookId })
    return send(this.#transport, { ...request, idempotencyKey })
  }

  deliveries(
    webhookId: string,
    query: PageQuery & { status?: DeliveryStatus } = {},
  ): Promise<Page<Delivery>> {
    return send(this.#transport, { ...requestTo(addresses.listDeliveries, { id: webhookId }), query })
  }

  delivery(webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
    const parameters = { id: webhookId, delivery_id: deliveryId }
    return send(this.#transport, requestTo(addresses.getDelivery, parameters))
  }

  /** Sends the same event again, as a new delivery. */
  replay(webhookId: string, deliveryId: string, { idempotencyKey }: RequestOptions = {}): Promise<Delivery> {
    const parameters = { id: webhookId, delivery_id: deliveryId }
    return send(this.#transport, { ...requestTo(addresses.replayDelivery, parameters), idempotencyKey })
  }
}
