// Every address of the service: the one table that the operations, the server, the client library and the dashboard
// share. Imports nothing, so that a browser gets the addresses without the schemas.

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Where one operation is found. Parameters are written as in OpenAPI: /agents/{id} */
export interface Address<
  Id extends string = string,
  Path extends string = string,
  Verb extends Method = Method,
> {
  readonly id: Id
  readonly method: Verb
  readonly path: Path
}

type Rows = Readonly<Record<string, readonly [method: Method, path: string]>>

type Table<R extends Rows> = {
  readonly [Id in keyof R & string]: Address<Id, R[Id][1], R[Id][0]>
}

const table = <const R extends Rows>(rows: R) =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [method, path]]) => [id, { id, method, path }]),
  ) as unknown as Table<R>

/** The path each interface is mounted under. */
export const mountPaths = {
  voice: '/agent/v1',
  transcripts: '/v1',
  dashboard: '/dashboard/api',
  /** Below `dashboard`: the Voice AI and speech-to-text operations of the workspace that a signed-in user names. */
  workspace: '/workspaces/{workspace_id}',
} as const

/** Where assistants operate Parley, by the Model Context Protocol. */
export const mcpPath = '/mcp'

/** The WebSocket of a call in a browser. */
export const linePath = '/talk/line'

/** A call as whoever has its link sees it: the page, and below `/data` what it shows. */
export const sharedPath = '/shared/{session_id}'

/** The Voice AI interface. */
export const voiceAddresses = table({
  createAgent: ['POST', '/agents'],
  listAgents: ['GET', '/agents'],
  getAgent: ['GET', '/agents/{id}'],
  updateAgent: ['PATCH', '/agents/{id}'],
  deleteAgent: ['DELETE', '/agents/{id}'],

  listVoices: ['GET', '/voices'],
  listModels: ['GET', '/models'],

  placeCall: ['POST', '/calls'],
  startWebCall: ['POST', '/calls/web'],
  listCalls: ['GET', '/calls'],
  getCall: ['GET', '/call/detail/{session_id}'],
  stopCall: ['POST', '/calls/{session_id}/stop'],
  watchCall: ['GET', '/calls/{session_id}/events'],
  getCallSip: ['GET', '/calls/{session_id}/sip'],
  getQuality: ['GET', '/calls/quality'],
  listCallDeliveries: ['GET', '/calls/{session_id}/deliveries'],
  shareCall: ['POST', '/calls/{session_id}/share'],
  getCallOverview: ['GET', '/calls/overview'],

  createBatch: ['POST', '/batch-calls'],
  listBatches: ['GET', '/batch-calls'],
  getBatch: ['GET', '/batch-calls/{id}'],
  updateBatch: ['PATCH', '/batch-calls/{id}'],
  deleteBatch: ['DELETE', '/batch-calls/{id}'],
  listRecipients: ['GET', '/batch-calls/{id}/recipients'],
  executeBatch: ['POST', '/batch-calls/{id}/execute'],
  pauseBatch: ['POST', '/batch-calls/{id}/pause'],
  resumeBatch: ['POST', '/batch-calls/{id}/resume'],
  cancelBatch: ['POST', '/batch-calls/{id}/cancel'],
  watchBatch: ['GET', '/batch-calls/{id}/events'],
  getBatchResults: ['GET', '/batch-calls/{id}/results.csv'],

  createPhoneNumber: ['POST', '/phone-numbers'],
  listPhoneNumbers: ['GET', '/phone-numbers'],
  getPhoneNumber: ['GET', '/phone-numbers/{id}'],
  updatePhoneNumber: ['PATCH', '/phone-numbers/{id}'],
  deletePhoneNumber: ['DELETE', '/phone-numbers/{id}'],
  checkPhoneNumber: ['POST', '/phone-numbers/{id}/check'],

  createRepository: ['POST', '/knowledge-base'],
  listRepositories: ['GET', '/knowledge-base'],
  getRepository: ['GET', '/knowledge-base/{id}'],
  updateRepository: ['PATCH', '/knowledge-base/{id}'],
  deleteRepository: ['DELETE', '/knowledge-base/{id}'],
  addDocument: ['POST', '/knowledge-base/{id}/documents'],
  listDocuments: ['GET', '/knowledge-base/{id}/documents'],
  getDocument: ['GET', '/knowledge-base/{id}/documents/{document_id}'],
  reindexDocument: ['POST', '/knowledge-base/{id}/documents/{document_id}/reindex'],
  deleteDocument: ['DELETE', '/knowledge-base/{id}/documents/{document_id}'],
  searchRepository: ['POST', '/knowledge-base/{id}/search'],

  createTool: ['POST', '/tools'],
  listTools: ['GET', '/tools'],
  getTool: ['GET', '/tools/{id}'],
  updateTool: ['PATCH', '/tools/{id}'],
  deleteTool: ['DELETE', '/tools/{id}'],
  tryTool: ['POST', '/tools/{id}/try'],
  getUsage: ['GET', '/usage'],
  getConcurrency: ['GET', '/usage/concurrency'],
  getUsageLimits: ['GET', '/usage/limits'],
  getUsagePrices: ['GET', '/usage/prices'],
  listNotices: ['GET', '/workspace/notices'],

  getCaller: ['GET', '/callers/{number}'],
  eraseCaller: ['DELETE', '/callers/{number}'],
  listErasures: ['GET', '/erasures'],
  getErasure: ['GET', '/erasures/{id}'],

  createWebhook: ['POST', '/webhooks'],
  listWebhooks: ['GET', '/webhooks'],
  getWebhook: ['GET', '/webhooks/{id}'],
  updateWebhook: ['PATCH', '/webhooks/{id}'],
  deleteWebhook: ['DELETE', '/webhooks/{id}'],
  testWebhook: ['POST', '/webhooks/{id}/test'],
  rotateWebhookSecret: ['POST', '/webhooks/{id}/rotate-secret'],
  listDeliveries: ['GET', '/webhooks/{id}/deliveries'],
  getDelivery: ['GET', '/webhooks/{id}/deliveries/{delivery_id}'],
  replayDelivery: ['POST', '/webhooks/{id}/deliveries/{delivery_id}/replay'],
})

/** The speech-to-text service. */
export const transcriptAddresses = table({
  uploadFile: ['POST', '/files'],
  getFile: ['GET', '/files/{id}'],
  deleteFile: ['DELETE', '/files/{id}'],

  createTranscript: ['POST', '/transcripts'],
  transcribeNow: ['POST', '/transcripts/sync'],
  listTranscripts: ['GET', '/transcripts'],
  getTranscript: ['GET', '/transcripts/{id}'],
  deleteTranscript: ['DELETE', '/transcripts/{id}'],

  getCallbackSecret: ['GET', '/callback-secret'],
  rotateCallbackSecret: ['POST', '/callback-secret/rotate'],
})

/** The dashboard's own API. */
export const dashboardAddresses = table({
  login: ['POST', '/session'],
  openLink: ['POST', '/session/link'],
  currentSession: ['GET', '/session'],
  logout: ['DELETE', '/session'],
  changePassword: ['POST', '/session/password'],

  listWorkspaces: ['GET', '/workspaces'],
  createWorkspace: ['POST', '/workspaces'],
  updateWorkspace: ['PATCH', '/workspaces/{id}'],

  listKeys: ['GET', '/keys'],
  createKey: ['POST', '/keys'],
  updateKey: ['PATCH', '/keys/{id}'],

  listUsers: ['GET', '/users'],
  createUser: ['POST', '/users'],
  updateUser: ['PATCH', '/users/{id}'],
  deleteUser: ['DELETE', '/users/{id}'],

  // Below `mountPaths.workspace`.
  tryAgent: ['POST', '/agents/{id}/try'],
  tryNewAgent: ['POST', '/agents/try'],
})

/** The names between braces: 'id' | 'delivery_id' of /webhooks/{id}/deliveries/{delivery_id}. */
export type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never

export type ParametersOf<Path extends string> = Readonly<Record<ParameterOf<Path>, string>>

/** The path with its parameters filled in and escaped. An empty one would lead to another operation. */
export function fillPath<const Path extends string>(
  path: Path,
  ...[parameters]: ParameterOf<Path> extends never ? [] : [parameters: ParametersOf<Path>]
): string {
  const values = (parameters ?? {}) as Readonly<Record<string, string>>
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) throw new TypeError(`${name} is missing: ${path} cannot be called without it.`)
    return encodeURIComponent(value)
  })
}
