// Every request of the dashboard, typed by the contract. Nothing else talks to the server.
import type {
  AgentConfig,
  AgentPatch,
  addDocument,
  BatchStatus,
  BodyOf,
  createBatch,
  createPhoneNumber,
  createPronunciation,
  createRepository,
  createTool,
  createTranscript,
  createWebhook,
  DeliveryStatus,
  DocumentStatus,
  dashboard,
  NewCorrections,
  Pagination,
  putAgentGraph,
  putCredentials,
  RecipientStatus,
  SharedCall,
  searchRepository,
  tryTool,
  updatePhoneNumber,
  updatePronunciation,
  updateRepository,
  updateTool,
  updateWebhook,
} from '@parley/contract'
import {
  dashboardAddresses,
  listenPath,
  mountPaths,
  transcriptAddresses,
  trialAddresses as trials,
  voiceAddresses as voice,
} from '@parley/contract/addresses'
import type { CredentialName } from '@parley/contract/companies'
import {
  ask,
  askAt,
  askWithFile,
  openEvents,
  openSocket,
  own,
  type Query,
  Refusal,
  remember,
  within,
  withQuery,
} from './ask.ts'

export { Refusal } from './ask.ts'

const pageSize = 20
// The server's maximum page size.
const largestPage = 100

/** Counting stops here: nobody turns more pages, and counting a million rows takes long. */
export const callsCountedTo = 500

/** The commands of a batch, with the operation behind each. */
export const batchCommands = {
  execute: voice.executeBatch,
  pause: voice.pauseBatch,
  resume: voice.resumeBatch,
  cancel: voice.cancelBatch,
}

export type BatchCommand = keyof typeof batchCommands

export const api = {
  session: () => ask(own(dashboardAddresses.currentSession)).then(remember),
  login: (body: BodyOf<typeof dashboard.login>) =>
    ask(own(dashboardAddresses.login), { body }).then(remember),
  openLink: (body: BodyOf<typeof dashboard.openLink>) =>
    ask(own(dashboardAddresses.openLink), { body }).then(remember),
  logout: () => ask(own(dashboardAddresses.logout)),
  changePassword: (body: BodyOf<typeof dashboard.changePassword>) =>
    ask(own(dashboardAddresses.changePassword), { body }),

  workspaces: (page: number, limit = pageSize) =>
    ask(own(dashboardAddresses.listWorkspaces), { query: { page, limit } }),
  createWorkspace: (body: BodyOf<typeof dashboard.createWorkspace>) =>
    ask(own(dashboardAddresses.createWorkspace), { body }),
  updateWorkspace: (id: string, body: BodyOf<typeof dashboard.updateWorkspace>) =>
    ask(own(dashboardAddresses.updateWorkspace, { id }), { body }),

  deleteWorkspace: (id: string, body: BodyOf<typeof dashboard.deleteWorkspace>) =>
    ask(own(dashboardAddresses.deleteWorkspace, { id }), { body }),
  workspaceDeletions: () =>
    ask(own(dashboardAddresses.listWorkspaceDeletions), { query: { page: 1, limit: pageSize } }),

  keys: (page: number) => ask(own(dashboardAddresses.listKeys), { query: { page, limit: pageSize } }),
  createKey: (body: BodyOf<typeof dashboard.createKey>) => ask(own(dashboardAddresses.createKey), { body }),
  updateKey: (id: string, body: BodyOf<typeof dashboard.updateKey>) =>
    ask(own(dashboardAddresses.updateKey, { id }), { body }),

  users: (page: number) => ask(own(dashboardAddresses.listUsers), { query: { page, limit: pageSize } }),
  updateUser: (id: string, body: BodyOf<typeof dashboard.updateUser>) =>
    ask(own(dashboardAddresses.updateUser, { id }), { body }),
  deleteUser: (id: string) => ask(own(dashboardAddresses.deleteUser, { id })),
  createPasswordLink: (id: string) => ask(own(dashboardAddresses.createPasswordLink, { id })),
  userSessions: (id: string) =>
    ask(own(dashboardAddresses.listUserSessions, { id }), { query: { page: 1, limit: largestPage } }),
  endUserSessions: (id: string) => ask(own(dashboardAddresses.endUserSessions, { id })),

  sessions: () => ask(own(dashboardAddresses.listSessions), { query: { page: 1, limit: largestPage } }),
  endSession: (id: string) => ask(own(dashboardAddresses.endSession, { id })),
  endOtherSessions: () => ask(own(dashboardAddresses.endOtherSessions)),

  members: (id: string, page: number) =>
    ask(own(dashboardAddresses.listMembers, { id }), { query: { page, limit: pageSize } }),
  updateMember: (id: string, userId: string, body: BodyOf<typeof dashboard.updateMember>) =>
    ask(own(dashboardAddresses.updateMember, { id, user_id: userId }), { body }),
  removeMember: (id: string, userId: string) =>
    ask(own(dashboardAddresses.removeMember, { id, user_id: userId })),

  invitations: () => ask(own(dashboardAddresses.listInvitations), { query: { page: 1, limit: largestPage } }),
  createInvitation: (body: BodyOf<typeof dashboard.createInvitation>) =>
    ask(own(dashboardAddresses.createInvitation), { body }),
  revokeInvitation: (id: string) => ask(own(dashboardAddresses.revokeInvitation, { id })),
  readInvitation: (body: BodyOf<typeof dashboard.readInvitation>) =>
    ask(own(dashboardAddresses.readInvitation), { body }),
  acceptInvitation: (body: BodyOf<typeof dashboard.acceptInvitation>) =>
    ask(own(dashboardAddresses.acceptInvitation), { body }).then(remember),

  agents: (workspaceId: string, page: number, limit = pageSize) =>
    ask(within(workspaceId, voice.listAgents), { query: { page, limit } }),
  agent: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getAgent, { id })),
  createAgent: (workspaceId: string, config: Partial<AgentConfig>) =>
    ask(within(workspaceId, voice.createAgent), { body: { agent_config: config } }),
  updateAgent: (workspaceId: string, id: string, changes: AgentPatch) =>
    ask(within(workspaceId, voice.updateAgent, { id }), { body: { agent_config: changes } }),
  tryAgent: (workspaceId: string, id: string, body: BodyOf<typeof dashboard.tryAgent>) =>
    ask(within(workspaceId, trials.tryAgent, { id }), { body }),
  tryNewAgent: (workspaceId: string, body: BodyOf<typeof dashboard.tryNewAgent>) =>
    ask(within(workspaceId, trials.tryNewAgent), { body }),
  deleteAgent: (workspaceId: string, id: string) => ask(within(workspaceId, voice.deleteAgent, { id })),

  agentGraph: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getAgentGraph, { id })),
  putAgentGraph: (workspaceId: string, id: string, body: BodyOf<typeof putAgentGraph>) =>
    ask(within(workspaceId, voice.putAgentGraph, { id }), { body }),
  agentVersions: (workspaceId: string, id: string, page: number) =>
    ask(within(workspaceId, voice.listAgentVersions, { id }), { query: { page, limit: pageSize } }),
  agentVersion: (workspaceId: string, id: string, version: number, compareWith?: number) =>
    ask(within(workspaceId, voice.getAgentVersion, { id, version: String(version) }), {
      query: { compare_with: compareWith },
    }),
  restoreAgentVersion: (workspaceId: string, id: string, version: number) =>
    ask(within(workspaceId, voice.restoreAgentVersion, { id, version: String(version) })),

  voices: (workspaceId: string) => ask(within(workspaceId, voice.listVoices)),
  models: (workspaceId: string) => ask(within(workspaceId, voice.listModels)),

  startWebCall: (workspaceId: string, agentId: string) =>
    ask(within(workspaceId, voice.startWebCall), { body: { agent_id: agentId } }),
  calls: (workspaceId: string, page: number, filters: Query) =>
    ask(within(workspaceId, voice.listCalls), {
      query: { page, limit: pageSize, count_up_to: callsCountedTo, ...filters },
    }),
  stopCall: (workspaceId: string, sessionId: string) =>
    ask(within(workspaceId, voice.stopCall, { session_id: sessionId })),
  callSip: (workspaceId: string, sessionId: string) =>
    ask(within(workspaceId, voice.getCallSip, { session_id: sessionId })),
  callDeliveries: (workspaceId: string, sessionId: string) =>
    ask(within(workspaceId, voice.listCallDeliveries, { session_id: sessionId })),
  callPassages: (workspaceId: string, sessionId: string) =>
    ask(within(workspaceId, voice.listCallPassages, { session_id: sessionId })),
  shareCall: (workspaceId: string, sessionId: string, hours: number) =>
    ask(within(workspaceId, voice.shareCall, { session_id: sessionId }), { body: { hours } }),
  callOverview: (workspaceId: string, query: Query) =>
    ask(within(workspaceId, voice.getCallOverview), { query }),
  call: (workspaceId: string, sessionId: string) =>
    ask(within(workspaceId, voice.getCall, { session_id: sessionId })),
  watchCall: (workspaceId: string, sessionId: string) =>
    openEvents(within(workspaceId, voice.watchCall, { session_id: sessionId })),

  batches: (workspaceId: string, page: number, status?: BatchStatus) =>
    ask(within(workspaceId, voice.listBatches), { query: { page, limit: pageSize, status } }),
  batch: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getBatch, { id })),
  createBatch: (workspaceId: string, form: FormData) =>
    ask(within(workspaceId, voice.createBatch), { body: form }),
  /** Creates the same batch for these recipients; nobody is called before it is started. */
  redialBatch: (workspaceId: string, body: BodyOf<typeof createBatch>) =>
    ask(within(workspaceId, voice.createBatch), { body }),
  deleteBatch: (workspaceId: string, id: string) => ask(within(workspaceId, voice.deleteBatch, { id })),
  commandBatch: (workspaceId: string, id: string, command: BatchCommand) =>
    ask(within(workspaceId, batchCommands[command], { id })),
  recipients: (workspaceId: string, id: string, page: number, status?: RecipientStatus, limit = pageSize) =>
    ask(within(workspaceId, voice.listRecipients, { id }), { query: { page, limit, status } }),
  watchBatch: (workspaceId: string, id: string) => openEvents(within(workspaceId, voice.watchBatch, { id })),

  phoneNumbers: (workspaceId: string, page: number, limit = pageSize) =>
    ask(within(workspaceId, voice.listPhoneNumbers), { query: { page, limit } }),
  phoneNumber: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getPhoneNumber, { id })),
  createPhoneNumber: (workspaceId: string, body: BodyOf<typeof createPhoneNumber>) =>
    ask(within(workspaceId, voice.createPhoneNumber), { body }),
  updatePhoneNumber: (workspaceId: string, id: string, body: BodyOf<typeof updatePhoneNumber>) =>
    ask(within(workspaceId, voice.updatePhoneNumber, { id }), { body }),
  deletePhoneNumber: (workspaceId: string, id: string) =>
    ask(within(workspaceId, voice.deletePhoneNumber, { id })),
  checkPhoneNumber: (workspaceId: string, id: string) =>
    ask(within(workspaceId, voice.checkPhoneNumber, { id })),

  repositories: (workspaceId: string, page: number) =>
    ask(within(workspaceId, voice.listRepositories), { query: { page, limit: pageSize } }),
  repository: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getRepository, { id })),
  createRepository: (workspaceId: string, body: BodyOf<typeof createRepository>) =>
    ask(within(workspaceId, voice.createRepository), { body }),
  updateRepository: (workspaceId: string, id: string, body: BodyOf<typeof updateRepository>) =>
    ask(within(workspaceId, voice.updateRepository, { id }), { body }),
  deleteRepository: (workspaceId: string, id: string) =>
    ask(within(workspaceId, voice.deleteRepository, { id })),
  documents: (workspaceId: string, id: string, page: number, status?: DocumentStatus) =>
    ask(within(workspaceId, voice.listDocuments, { id }), { query: { page, limit: pageSize, status } }),
  addDocument: (workspaceId: string, id: string, body: BodyOf<typeof addDocument>) =>
    ask(within(workspaceId, voice.addDocument, { id }), { body }),
  addFile: (workspaceId: string, id: string, file: File, onProgress: (share: number) => void) =>
    askWithFile(within(workspaceId, voice.addDocument, { id }), file, onProgress),
  reindexDocument: (workspaceId: string, id: string, documentId: string) =>
    ask(within(workspaceId, voice.reindexDocument, { id, document_id: documentId })),
  deleteDocument: (workspaceId: string, id: string, documentId: string) =>
    ask(within(workspaceId, voice.deleteDocument, { id, document_id: documentId })),
  searchRepository: (workspaceId: string, id: string, body: BodyOf<typeof searchRepository>) =>
    ask(within(workspaceId, voice.searchRepository, { id }), { body }),

  credentials: (workspaceId: string) => ask(within(workspaceId, voice.listCredentials)),
  putCredentials: (workspaceId: string, vendor: CredentialName, body: BodyOf<typeof putCredentials>) =>
    ask(within(workspaceId, voice.putCredentials, { vendor }), { body }),
  deleteCredentials: (workspaceId: string, vendor: CredentialName) =>
    ask(within(workspaceId, voice.deleteCredentials, { vendor })),
  checkCredentials: (workspaceId: string, vendor: CredentialName) =>
    ask(within(workspaceId, voice.checkCredentials, { vendor })),
  pronunciations: (workspaceId: string, page: number, agentId?: string) =>
    ask(within(workspaceId, voice.listPronunciations), {
      query: { page, limit: pageSize, agent_id: agentId },
    }),
  createPronunciation: (workspaceId: string, body: BodyOf<typeof createPronunciation>) =>
    ask(within(workspaceId, voice.createPronunciation), { body }),
  updatePronunciation: (workspaceId: string, id: string, body: BodyOf<typeof updatePronunciation>) =>
    ask(within(workspaceId, voice.updatePronunciation, { id }), { body }),
  deletePronunciation: (workspaceId: string, id: string) =>
    ask(within(workspaceId, voice.deletePronunciation, { id })),

  tools: (workspaceId: string, page: number) =>
    ask(within(workspaceId, voice.listTools), { query: { page, limit: pageSize } }),
  tool: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getTool, { id })),
  createTool: (workspaceId: string, body: BodyOf<typeof createTool>) =>
    ask(within(workspaceId, voice.createTool), { body }),
  updateTool: (workspaceId: string, id: string, body: BodyOf<typeof updateTool>) =>
    ask(within(workspaceId, voice.updateTool, { id }), { body }),
  deleteTool: (workspaceId: string, id: string) => ask(within(workspaceId, voice.deleteTool, { id })),
  tryTool: (workspaceId: string, id: string, body: BodyOf<typeof tryTool>) =>
    ask(within(workspaceId, voice.tryTool, { id }), { body }),

  quality: (workspaceId: string, query: Query) => ask(within(workspaceId, voice.getQuality), { query }),
  usage: (workspaceId: string, query: Query) =>
    ask(within(workspaceId, voice.getUsage), { query: { limit: largestPage, ...query } }),
  publicPrices: (workspaceId: string) => ask(within(workspaceId, voice.getPublicPrices)),
  usageLimits: (workspaceId: string) => ask(within(workspaceId, voice.getUsageLimits)),
  notices: (workspaceId: string) =>
    ask(within(workspaceId, voice.listNotices), { query: { page: 1, limit: 1 } }),

  webhooks: (workspaceId: string, page: number) =>
    ask(within(workspaceId, voice.listWebhooks), { query: { page, limit: pageSize } }),
  webhook: (workspaceId: string, id: string) => ask(within(workspaceId, voice.getWebhook, { id })),
  createWebhook: (workspaceId: string, body: BodyOf<typeof createWebhook>) =>
    ask(within(workspaceId, voice.createWebhook), { body }),
  updateWebhook: (workspaceId: string, id: string, body: BodyOf<typeof updateWebhook>) =>
    ask(within(workspaceId, voice.updateWebhook, { id }), { body }),
  deleteWebhook: (workspaceId: string, id: string) => ask(within(workspaceId, voice.deleteWebhook, { id })),
  testWebhook: (workspaceId: string, id: string) => ask(within(workspaceId, voice.testWebhook, { id })),
  rotateSecret: (workspaceId: string, id: string) =>
    ask(within(workspaceId, voice.rotateWebhookSecret, { id })),

  deliveries: (workspaceId: string, id: string, page: number, status?: DeliveryStatus) =>
    ask(within(workspaceId, voice.listDeliveries, { id }), { query: { page, limit: pageSize, status } }),
  delivery: (workspaceId: string, id: string, deliveryId: string) =>
    ask(within(workspaceId, voice.getDelivery, { id, delivery_id: deliveryId })),
  replayDelivery: (workspaceId: string, id: string, deliveryId: string) =>
    ask(within(workspaceId, voice.replayDelivery, { id, delivery_id: deliveryId })),

  uploadFile: (workspaceId: string, file: File, onProgress: (share: number) => void) =>
    askWithFile(within(workspaceId, transcriptAddresses.uploadFile), file, onProgress),
  createTranscript: (workspaceId: string, body: BodyOf<typeof createTranscript>) =>
    ask(within(workspaceId, transcriptAddresses.createTranscript), { body }),
  transcripts: (workspaceId: string, page: number) =>
    ask(within(workspaceId, transcriptAddresses.listTranscripts), { query: { page, limit: pageSize } }),
  file: (workspaceId: string, id: string) => ask(within(workspaceId, transcriptAddresses.getFile, { id })),
  transcript: (workspaceId: string, id: string) =>
    ask(within(workspaceId, transcriptAddresses.getTranscript, { id })),
  deleteTranscript: (workspaceId: string, id: string) =>
    ask(within(workspaceId, transcriptAddresses.deleteTranscript, { id })),
  transcriptCorrections: (workspaceId: string, id: string) =>
    ask(within(workspaceId, transcriptAddresses.getTranscriptCorrections, { id })),
  putTranscriptCorrections: (workspaceId: string, id: string, body: NewCorrections) =>
    ask(within(workspaceId, transcriptAddresses.putTranscriptCorrections, { id }), { body }),
}

export const usageFileAt = (workspaceId: string, query: Query): string =>
  withQuery(within(workspaceId, voice.getUsage).url, { ...query, format: 'csv' })

/** Opens the socket for the sound of a running call; the first message names the call. */
export const listenSocket = () => openSocket(listenPath)

/** The address of a batch's results, for a link that the browser opens itself. */
export const batchResultsAt = (workspaceId: string, id: string): string =>
  within(workspaceId, voice.getBatchResults, { id }).url

type Page<Item> = Promise<{ data: Item[]; pagination: Pagination }>

async function every<Item>(read: (page: number, limit: number) => Page<Item>): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await read(page, largestPage)
    all.push(...data)
    if (!pagination.has_next_page) return all
  }
}

/** Every workspace, by name, as people look for them. */
export const everyWorkspace = async (): Promise<dashboard.Workspace[]> =>
  (await every(api.workspaces)).sort((one, other) => one.name.localeCompare(other.name))

export const everyAgent = (workspaceId: string) =>
  every((page, limit) => api.agents(workspaceId, page, limit))

export const everyRecipient = (workspaceId: string, batchId: string, status: RecipientStatus) =>
  every((page, limit) => api.recipients(workspaceId, batchId, page, status, limit))
export const everyTool = (workspaceId: string) =>
  every((page, limit) => ask(within(workspaceId, voice.listTools), { query: { page, limit } }))

export const everyRepository = (workspaceId: string) =>
  every((page, limit) => ask(within(workspaceId, voice.listRepositories), { query: { page, limit } }))

export const everyPhoneNumber = (workspaceId: string) =>
  every((page, limit) => api.phoneNumbers(workspaceId, page, limit))

/** The OpenAPI document, for the editor that checks JSON against it. */
export const openApiDocument = async (): Promise<{ components: { schemas: Record<string, object> } }> => {
  const response = await fetch(`${mountPaths.voice}/openapi.json`)
  if (!response.ok) throw new Refusal(response.status, {})
  return response.json()
}

/** The recording at this page's own origin: the address in the record may not be reachable from this browser. */
export function recordingAt(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The peaks of a recording, from which a player draws its waveform. */
export const recordingPeaks = (url: string) => {
  const { pathname, search } = new URL(url)
  return askAt<{ seconds: number; left: number[]; right: number[] }>(`${pathname}/peaks${search}`)
}

/** The call behind a link that was shared, by the address of its page. */
export const sharedCall = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) =>
  askAt<SharedCall>(`${pathname}/data${search}`)
