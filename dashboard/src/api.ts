// Every operation of the dashboard, typed by the contract.
import type {
  AgentConfig,
  AgentPatch,
  BodyOf,
  createAgent,
  createWebhook,
  DeliveryStatus,
  dashboard,
  deleteAgent,
  deleteWebhook,
  getAgent,
  getCall,
  getDelivery,
  getWebhook,
  listAgents,
  listDeliveries,
  listWebhooks,
  Pagination,
  replayDelivery,
  rotateWebhookSecret,
  startWebCall,
  testWebhook,
  updateAgent,
  updateWebhook,
} from '@parley/contract'
import { ask, remember } from './ask.ts'

const agentsOf = (workspaceId: string) => `/workspaces/${workspaceId}/agents`
const webhooksOf = (workspaceId: string) => `/workspaces/${workspaceId}/webhooks`
const webhookAt = (workspaceId: string, id: string) => `${webhooksOf(workspaceId)}/${encodeURIComponent(id)}`
const deliveryAt = (workspaceId: string, id: string, deliveryId: string) =>
  `${webhookAt(workspaceId, id)}/deliveries/${encodeURIComponent(deliveryId)}`
const page = (number: number, limit = 20) => `?page=${number}&limit=${limit}`

export const api = {
  session: () => ask<typeof dashboard.currentSession>('GET', '/session').then(remember),
  login: (body: BodyOf<typeof dashboard.login>) =>
    ask<typeof dashboard.login>('POST', '/session', body).then(remember),
  openLink: (body: BodyOf<typeof dashboard.openLink>) =>
    ask<typeof dashboard.openLink>('POST', '/session/link', body).then(remember),
  logout: () => ask<typeof dashboard.logout>('DELETE', '/session'),
  changePassword: (body: BodyOf<typeof dashboard.changePassword>) =>
    ask<typeof dashboard.changePassword>('POST', '/session/password', body),

  workspaces: (number: number, limit?: number) =>
    ask<typeof dashboard.listWorkspaces>('GET', `/workspaces${page(number, limit)}`),
  createWorkspace: (body: BodyOf<typeof dashboard.createWorkspace>) =>
    ask<typeof dashboard.createWorkspace>('POST', '/workspaces', body),
  renameWorkspace: (id: string, body: BodyOf<typeof dashboard.renameWorkspace>) =>
    ask<typeof dashboard.renameWorkspace>('PATCH', `/workspaces/${id}`, body),

  keys: (number: number) => ask<typeof dashboard.listKeys>('GET', `/keys${page(number)}`),
  createKey: (body: BodyOf<typeof dashboard.createKey>) =>
    ask<typeof dashboard.createKey>('POST', '/keys', body),
  updateKey: (id: string, body: BodyOf<typeof dashboard.updateKey>) =>
    ask<typeof dashboard.updateKey>('PATCH', `/keys/${id}`, body),

  users: (number: number) => ask<typeof dashboard.listUsers>('GET', `/users${page(number)}`),
  createUser: (body: BodyOf<typeof dashboard.createUser>) =>
    ask<typeof dashboard.createUser>('POST', '/users', body),
  updateUser: (id: string, body: BodyOf<typeof dashboard.updateUser>) =>
    ask<typeof dashboard.updateUser>('PATCH', `/users/${id}`, body),
  deleteUser: (id: string) => ask<typeof dashboard.deleteUser>('DELETE', `/users/${id}`),

  agents: (workspaceId: string, number: number, limit?: number) =>
    ask<typeof listAgents>('GET', agentsOf(workspaceId) + page(number, limit)),
  agent: (workspaceId: string, id: string) =>
    ask<typeof getAgent>('GET', `${agentsOf(workspaceId)}/${encodeURIComponent(id)}`),
  createAgent: (workspaceId: string, config: Partial<AgentConfig>) =>
    ask<typeof createAgent>('POST', agentsOf(workspaceId), { agent_config: config }),
  updateAgent: (workspaceId: string, id: string, changes: AgentPatch) =>
    ask<typeof updateAgent>('PATCH', `${agentsOf(workspaceId)}/${id}`, { agent_config: changes }),
  deleteAgent: (workspaceId: string, id: string) =>
    ask<typeof deleteAgent>('DELETE', `${agentsOf(workspaceId)}/${id}`),

  startWebCall: (workspaceId: string, agentId: string) =>
    ask<typeof startWebCall>('POST', `/workspaces/${workspaceId}/calls/web`, { agent_id: agentId }),
  call: (workspaceId: string, sessionId: string) =>
    ask<typeof getCall>('GET', `/workspaces/${workspaceId}/call/detail/${sessionId}`),

  webhooks: (workspaceId: string, number: number) =>
    ask<typeof listWebhooks>('GET', webhooksOf(workspaceId) + page(number)),
  webhook: (workspaceId: string, id: string) => ask<typeof getWebhook>('GET', webhookAt(workspaceId, id)),
  createWebhook: (workspaceId: string, body: BodyOf<typeof createWebhook>) =>
    ask<typeof createWebhook>('POST', webhooksOf(workspaceId), body),
  updateWebhook: (workspaceId: string, id: string, body: BodyOf<typeof updateWebhook>) =>
    ask<typeof updateWebhook>('PATCH', webhookAt(workspaceId, id), body),
  deleteWebhook: (workspaceId: string, id: string) =>
    ask<typeof deleteWebhook>('DELETE', webhookAt(workspaceId, id)),
  testWebhook: (workspaceId: string, id: string) =>
    ask<typeof testWebhook>('POST', `${webhookAt(workspaceId, id)}/test`),
  rotateSecret: (workspaceId: string, id: string) =>
    ask<typeof rotateWebhookSecret>('POST', `${webhookAt(workspaceId, id)}/rotate-secret`),

  deliveries: (workspaceId: string, id: string, number: number, status?: DeliveryStatus) =>
    ask<typeof listDeliveries>(
      'GET',
      `${webhookAt(workspaceId, id)}/deliveries${page(number)}${status ? `&status=${status}` : ''}`,
    ),
  delivery: (workspaceId: string, id: string, deliveryId: string) =>
    ask<typeof getDelivery>('GET', deliveryAt(workspaceId, id, deliveryId)),
  replayDelivery: (workspaceId: string, id: string, deliveryId: string) =>
    ask<typeof replayDelivery>('POST', `${deliveryAt(workspaceId, id, deliveryId)}/replay`),
}

type Page<Item> = Promise<{ data: Item[]; pagination: Pagination }>

async function every<Item>(read: (number: number, limit: number) => Page<Item>): Promise<Item[]> {
  const all: Item[] = []
  for (let number = 1; ; number++) {
    const { data, pagination } = await read(number, 100)
    all.push(...data)
    if (!pagination.has_next_page) return all
  }
}

/** By name, as people look for them. */
export const everyWorkspace = async (): Promise<dashboard.Workspace[]> =>
  (await every(api.workspaces)).sort((one, other) => one.name.localeCompare(other.name))

export const everyAgent = (workspaceId: string) =>
  every((number, limit) => api.agents(workspaceId, number, limit))
