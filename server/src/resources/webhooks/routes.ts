// HTTP routes of webhooks.
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listCallDeliveries,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Deliveries } from './deliveries.ts'
import type { Webhooks } from './webhooks.ts'

export function mountWebhooks(mount: Mount, webhooks: Webhooks, deliveries: Deliveries): void {
  mount(createWebhook, ({ body }, { workspaceId, work }) => {
    const { url, events, agent_id: agentId = null, description = null } = body
    return webhooks.create(workspaceId, { url, events, agentId, description }, work)
  })
  mount(listWebhooks, ({ query }, { workspaceId }) => {
    const { agent_id: agentId, status, ...page } = query
    return webhooks.list(workspaceId, { agentId, status }, page)
  })
  mount(getWebhook, ({ params }, { workspaceId }) => webhooks.get(workspaceId, params.id))
  mount(updateWebhook, ({ params, body }, { workspaceId }) => webhooks.update(workspaceId, params.id, body))
  mount(deleteWebhook, ({ params }, { workspaceId }) => webhooks.remove(workspaceId, params.id))
  mount(rotateWebhookSecret, ({ params }, { workspaceId, work }) =>
    webhooks.rotate(workspaceId, params.id, work),
  )
  mount(testWebhook, ({ params }, { workspaceId, work }) => deliveries.test(workspaceId, params.id, work), {
    actsOutside: true,
  })

  mount(listDeliveries, ({ params, query }, { workspaceId }) => {
    const { status, ...page } = query
    return deliveries.list(workspaceId, params.id, status, page)
  })
  mount(listCallDeliveries, ({ params }, { workspaceId }) =>
    deliveries.ofCall(workspaceId, params.session_id),
  )
  mount(getDelivery, ({ params }, { workspaceId }) =>
    deliveries.get(workspaceId, params.id, params.delivery_id),
  )
  mount(replayDelivery, ({ params }, { workspaceId, work }) =>
    deliveries.replay(workspaceId, params.id, params.delivery_id, work),
  )
}
