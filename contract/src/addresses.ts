// Every address of the service: the one table that the operations, the server, the client library and the dashboard
// share. Imports nothing, so that a browser gets the addresses without the schemas.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a person or an API key may do in a workspace. Each may also do what those before it may. */
export const roles = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

/** Whether one role may do what another one may. */
export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * Who may use an operation: a role in the workspace that it is about, or `anyone`; a `person`, who has signed in; an
 * `owner` of the installation.
 */
export type Access = Role | 'anyone' | 'person' | 'owner'

/** Where one operation is found, and who may use it. Parameters are written as in OpenAPI: /agents/{id} */
export interface Address<
  Id extends string = string,
  Path extends string = string,
  Verb extends Method = Method,
> {
  readonly id: Id
  readonly method: Verb
  readonly path: Path
  readonly access: Access
}

type Rows<Who extends Access> = Readonly<Record<string, readonly [method: Method, path: string, access: Who]>>

type Table<R extends Rows<Access>> = {
  readonly [Id in keyof R & string]: Address<Id, R[Id][1], R[Id][0]>
}

const table =
  <Who extends Access>() =>
  <const R extends Rows<Who>>(rows: R) =>
    Object.fromEntries(
      Object.entries(rows).map(([id, [method, path, access]]) => [id, { id, method, path, access }]),
    ) as unknown as Table<R>

const forRoles = table<Role>()
const forPeople = table<Access>()

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

/** The WebSocket on which people listen in to a running call, and who may. */
export const listenPath = '/dashboard/api/listen'
export const listenRole: Role = 'editor'

/** A call as its link shows it: the page, and below `/data` what it shows. */
export const sharedPath = '/shared/{session_id}'

/** The Voice AI interface. */
export const voiceAddresses = forRoles({
  createAgent: ['POST', '/agents', 'editor'],
  listAgents: ['GET', '/agents', 'viewer'],
  getAgent: ['GET', '/agents/{id}', 'viewer'],
  updateAgent: ['PATCH', '/agents/{id}', 'editor'],
  deleteAgent: ['DELETE', '/agents/{id}', 'editor'],
  getAgentGraph: ['GET', '/agents/{id}/graph', 'viewer'],
  putAgentGraph: ['PUT', '/agents/{id}/graph', 'editor'],
  listAgentVersions: ['GET', '/agents/{id}/versions', 'viewer'],
  getAgentVersion: ['GET', '/agents/{id}/versions/{version}', 'viewer'],
  restoreAgentVersion: ['POST', '/agents/{id}/versions/{version}/restore', 'editor'],

  listVoices: ['GET', '/voices', 'viewer'],
  listModels: ['GET', '/models', 'viewer'],

  placeCall: ['POST', '/calls', 'editor'],
  startWebCall: ['POST', '/calls/web', 'editor'],
  listCalls: ['GET', '/calls', 'viewer'],
  getCall: ['GET', '/call/detail/{session_id}', 'viewer'],
  stopCall: ['POST', '/calls/{session_id}/stop', 'editor'],
  watchCall: ['GET', '/calls/{session_id}/events', 'viewer'],
  getCallSip: ['GET', '/calls/{session_id}/sip', 'viewer'],
  getQuality: ['GET', '/calls/quality', 'viewer'],
  listCallDeliveries: ['GET', '/calls/{session_id}/deliveries', 'viewer'],
  listCallPassages: ['GET', '/calls/{session_id}/passages', 'viewer'],
  shareCall: ['POST', '/calls/{session_id}/share', 'editor'],
  getCallOverview: ['GET', '/calls/overview', 'viewer'],

  createBatch: ['POST', '/batch-calls', 'editor'],
  listBatches: ['GET', '/batch-calls', 'viewer'],
  getBatch: ['GET', '/batch-calls/{id}', 'viewer'],
  updateBatch: ['PATCH', '/batch-calls/{id}', 'editor'],
  deleteBatch: ['DELETE', '/batch-calls/{id}', 'editor'],
  listRecipients: ['GET', '/batch-calls/{id}/recipients', 'viewer'],
  executeBatch: ['POST', '/batch-calls/{id}/execute', 'editor'],
  pauseBatch: ['POST', '/batch-calls/{id}/pause', 'editor'],
  resumeBatch: ['POST', '/batch-calls/{id}/resume', 'editor'],
  cancelBatch: ['POST', '/batch-calls/{id}/cancel', 'editor'],
  watchBatch: ['GET', '/batch-calls/{id}/events', 'viewer'],
  getBatchResults: ['GET', '/batch-calls/{id}/results.csv', 'viewer'],

  createPhoneNumber: ['POST', '/phone-numbers', 'editor'],
  listPhoneNumbers: ['GET', '/phone-numbers', 'viewer'],
  getPhoneNumber: ['GET', '/phone-numbers/{id}', 'viewer'],
  updatePhoneNumber: ['PATCH', '/phone-numbers/{id}', 'editor'],
  deletePhoneNumber: ['DELETE', '/phone-numbers/{id}', 'editor'],
  checkPhoneNumber: ['POST', '/phone-numbers/{id}/check', 'editor'],

  createRepository: ['POST', '/knowledge-base', 'editor'],
  listRepositories: ['GET', '/knowledge-base', 'viewer'],
  getRepository: ['GET', '/knowledge-base/{id}', 'viewer'],
  updateRepository: ['PATCH', '/knowledge-base/{id}', 'editor'],
  deleteRepository: ['DELETE', '/knowledge-base/{id}', 'editor'],
  addDocument: ['POST', '/knowledge-base/{id}/documents', 'editor'],
  listDocuments: ['GET', '/knowledge-base/{id}/documents', 'viewer'],
  getDocument: ['GET', '/knowledge-base/{id}/documents/{document_id}', 'viewer'],
  reindexDocument: ['POST', '/knowledge-base/{id}/documents/{document_id}/reindex', 'editor'],
  deleteDocument: ['DELETE', '/knowledge-base/{id}/documents/{document_id}', 'editor'],
  searchRepository: ['POST', '/knowledge-base/{id}/search', 'viewer'],

  listCredentials: ['GET', '/credentials', 'viewer'],
  getCredentials: ['GET', '/credentials/{vendor}', 'viewer'],
  putCredentials: ['PUT', '/credentials/{vendor}', 'admin'],
  deleteCredentials: ['DELETE', '/credentials/{vendor}', 'admin'],
  checkCredentials: ['POST', '/credentials/{vendor}/check', 'editor'],

  createTool: ['POST', '/tools', 'editor'],
  listTools: ['GET', '/tools', 'viewer'],
  getTool: ['GET', '/tools/{id}', 'viewer'],
  updateTool: ['PATCH', '/tools/{id}', 'editor'],
  deleteTool: ['DELETE', '/tools/{id}', 'editor'],
  tryTool: ['POST', '/tools/{id}/try', 'editor'],
  createPronunciation: ['POST', '/pronunciations', 'editor'],
  listPronunciations: ['GET', '/pronunciations', 'viewer'],
  getPronunciation: ['GET', '/pronunciations/{id}', 'viewer'],
  updatePronunciation: ['PATCH', '/pronunciations/{id}', 'editor'],
  deletePronunciation: ['DELETE', '/pronunciations/{id}', 'editor'],

  getUsage: ['GET', '/usage', 'viewer'],
  getConcurrency: ['GET', '/usage/concurrency', 'viewer'],
  getUsageLimits: ['GET', '/usage/limits', 'viewer'],
  getPublicPrices: ['GET', '/usage/prices/public', 'viewer'],
  getUsagePrices: ['GET', '/usage/prices', 'viewer'],
  listNotices: ['GET', '/workspace/notices', 'viewer'],

  getCaller: ['GET', '/callers/{number}', 'viewer'],
  eraseCaller: ['DELETE', '/callers/{number}', 'admin'],
  listErasures: ['GET', '/erasures', 'viewer'],
  getErasure: ['GET', '/erasures/{id}', 'viewer'],

  createWebhook: ['POST', '/webhooks', 'editor'],
  listWebhooks: ['GET', '/webhooks', 'viewer'],
  getWebhook: ['GET', '/webhooks/{id}', 'viewer'],
  updateWebhook: ['PATCH', '/webhooks/{id}', 'editor'],
  deleteWebhook: ['DELETE', '/webhooks/{id}', 'editor'],
  testWebhook: ['POST', '/webhooks/{id}/test', 'editor'],
  rotateWebhookSecret: ['POST', '/webhooks/{id}/rotate-secret', 'editor'],
  listDeliveries: ['GET', '/webhooks/{id}/deliveries', 'viewer'],
  getDelivery: ['GET', '/webhooks/{id}/deliveries/{delivery_id}', 'viewer'],
  replayDelivery: ['POST', '/webhooks/{id}/deliveries/{delivery_id}/replay', 'editor'],
})

/** The speech-to-text service. */
export const transcriptAddresses = forRoles({
  uploadFile: ['POST', '/files', 'editor'],
  getFile: ['GET', '/files/{id}', 'viewer'],
  deleteFile: ['DELETE', '/files/{id}', 'editor'],

  createTranscript: ['POST', '/transcripts', 'editor'],
  transcribeNow: ['POST', '/transcripts/sync', 'editor'],
  listTranscripts: ['GET', '/transcripts', 'viewer'],
  getTranscript: ['GET', '/transcripts/{id}', 'viewer'],
  deleteTranscript: ['DELETE', '/transcripts/{id}', 'editor'],
  getTranscriptCorrections: ['GET', '/transcripts/{id}/corrections', 'viewer'],
  putTranscriptCorrections: ['PUT', '/transcripts/{id}/corrections', 'editor'],

  getCallbackSecret: ['GET', '/callback-secret', 'editor'],
  rotateCallbackSecret: ['POST', '/callback-secret/rotate', 'editor'],
})

/** The dashboard's own API. Below /workspaces/{id} a role counts in that workspace, elsewhere in any. */
export const dashboardAddresses = forPeople({
  login: ['POST', '/session', 'anyone'],
  openLink: ['POST', '/session/link', 'anyone'],
  currentSession: ['GET', '/session', 'person'],
  logout: ['DELETE', '/session', 'person'],
  changePassword: ['POST', '/session/password', 'person'],
  listSessions: ['GET', '/sessions', 'person'],
  endOtherSessions: ['DELETE', '/sessions', 'person'],
  endSession: ['DELETE', '/sessions/{id}', 'person'],

  listWorkspaces: ['GET', '/workspaces', 'person'],
  createWorkspace: ['POST', '/workspaces', 'owner'],
  updateWorkspace: ['PATCH', '/workspaces/{id}', 'admin'],
  deleteWorkspace: ['POST', '/workspaces/{id}/delete', 'admin'],
  listWorkspaceDeletions: ['GET', '/workspace-deletions', 'person'],

  listMembers: ['GET', '/workspaces/{id}/members', 'viewer'],
  updateMember: ['PATCH', '/workspaces/{id}/members/{user_id}', 'admin'],
  removeMember: ['DELETE', '/workspaces/{id}/members/{user_id}', 'admin'],

  listInvitations: ['GET', '/invitations', 'admin'],
  createInvitation: ['POST', '/invitations', 'admin'],
  revokeInvitation: ['DELETE', '/invitations/{id}', 'admin'],
  readInvitation: ['POST', '/invitation', 'anyone'],
  acceptInvitation: ['POST', '/invitation/accept', 'anyone'],

  listKeys: ['GET', '/keys', 'editor'],
  createKey: ['POST', '/keys', 'editor'],
  updateKey: ['PATCH', '/keys/{id}', 'editor'],

  listUsers: ['GET', '/users', 'owner'],
  updateUser: ['PATCH', '/users/{id}', 'owner'],
  deleteUser: ['DELETE', '/users/{id}', 'owner'],
  createPasswordLink: ['POST', '/users/{id}/password-link', 'owner'],
  listUserSessions: ['GET', '/users/{id}/sessions', 'owner'],
  endUserSessions: ['DELETE', '/users/{id}/sessions', 'owner'],
})

/** Part of the dashboard's own API, below `mountPaths.workspace`. */
export const trialAddresses = forRoles({
  tryAgent: ['POST', '/agents/{id}/try', 'editor'],
  tryNewAgent: ['POST', '/agents/try', 'editor'],
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
