// Every operation of the dashboard, typed by the contract.
import type {
  AgentConfig,
  AgentPatch,
  BatchStatus,
  BodyOf,
  cancelBatch,
  createAgent,
  createBatch,
  createTranscript,
  createWebhook,
  DeliveryStatus,
  dashboard,
  deleteAgent,
  deleteBatch,
  deleteTranscript,
  deleteWebhook,
  getAgent,
  getBatch,
  getCall,
  getDelivery,
  getTranscript,
  getWebhook,
  listAgents,
  listBatches,
  listDeliveries,
  listRecipients,
  listTranscripts,
  listWebhooks,
  Pagination,
  RecipientStatus,
  replayDelivery,
  rotateWebhookSecret,
  startWebCall,
  TranscriptFormat,
  testWebhook,
  updateAgent,
  updateWebhook,
  uploadFile,
} from '@parley/contract'
import { ask, askWithFile, remember } from './ask.ts'

const agentsOf = (workspaceId: string) => `/workspaces/${workspaceId}/agents`
const batchesOf = (workspaceId: string) => `/workspaces/${workspaceId}/batch-calls`
const batchAt = (workspaceId: string, id: string) => `${batchesOf(workspaceId)}/${encodeURIComponent(id)}`
const webhooksOf = (workspaceId: string) => `/workspaces/${workspaceId}/webhooks`
const webhookAt = (workspaceId: string, id: string) => `${webhooksOf(workspaceId)}/${encodeURIComponent(id)}`
const deliveryAt = (workspaceId: string, id: string, deliveryId: string) =>
  `${webhookAt(workspaceId, id)}/deliveries/${encodeURIComponent(deliveryId)}`
const transcriptsOf = (workspaceId: string) => `/workspaces/${workspaceId}/transcripts`
const transcriptAt = (workspaceId: string, id: string) =>
  `${transcriptsOf(workspaceId)}/${encodeURIComponent(id)}`
const page = (number: number, limit = 20) => `?page=${number}&limit=${limit}`
const only = (status: string | undefined) => (status ? `&status=${status}` : '')

export type BatchCommand = 'execute' | 'pause' | 'resume' | 'cancel'

/** What the browser itself reads: events as they come, and a file. */
export const batchEventsAt = (workspaceId: string, id: string) =>
  `/dashboard/api${batchAt(workspaceId, id)}/events`
export const batchResultsAt = (workspaceId: string, id: string) =>
  `/dashboard/api${batchAt(workspaceId, id)}/results.csv`

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

  batches: (workspaceId: string, number: number, status?: BatchStatus) =>
    ask<typeof listBatches>('GET', `${batchesOf(workspaceId)}${page(number)}${only(status)}`),
  batch: (workspaceId: string, id: string) => ask<typeof getBatch>('GET', batchAt(workspaceId, id)),
  createBatch: (workspaceId: string, form: FormData) =>
    ask<typeof createBatch>('POST', batchesOf(workspaceId), form),
  deleteBatch: (workspaceId: string, id: string) =>
    ask<typeof deleteBatch>('DELETE', batchAt(workspaceId, id)),
  /** All four are answered in the same way. */
  commandBatch: (workspaceId: string, id: string, command: BatchCommand) =>
    ask<typeof cancelBatch>('POST', `${batchAt(workspaceId, id)}/${command}`),
  recipients: (workspaceId: string, id: string, number: number, status?: RecipientStatus) =>
    ask<typeof listRecipients>('GET', `${batchAt(workspaceId, id)}/recipients${page(number)}${only(status)}`),
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
      `${webhookAt(workspaceId, id)}/deliveries${page(number)}${only(status)}`,
    ),
  delivery: (workspaceId: string, id: string, deliveryId: string) =>
    ask<typeof getDelivery>('GET', deliveryAt(workspaceId, id, deliveryId)),
  replayDelivery: (workspaceId: string, id: string, deliveryId: string) =>
    ask<typeof replayDelivery>('POST', `${deliveryAt(workspaceId, id, deliveryId)}/replay`),

  uploadFile: (workspaceId: string, file: File, onProgress: (share: number) => void) =>
    askWithFile<typeof uploadFile>(`/workspaces/${workspaceId}/files`, file, onProgress),
  createTranscript: (workspaceId: string, body: BodyOf<typeof createTranscript>) =>
    ask<typeof createTranscript>('POST', transcriptsOf(workspaceId), body),
  transcripts: (workspaceId: string, number: number) =>
    ask<typeof listTranscripts>('GET', transcriptsOf(workspaceId) + page(number)),
  transcript: (workspaceId: string, id: string) =>
    ask<typeof getTranscript>('GET', transcriptAt(workspaceId, id)),
  deleteTranscript: (workspaceId: string, id: string) =>
    ask<typeof deleteTranscript>('DELETE', transcriptAt(workspaceId, id)),
}

/** For a link that the browser follows by itself. */
export const downloadAt = (
  workspaceId: string,
  id: string,
  format: Exclude<TranscriptFormat, 'json'>,
): string => `/dashboard/api${transcriptAt(workspaceId, id)}?format=${format}`

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
