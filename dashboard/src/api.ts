// The only door to the server: every operation of the dashboard, typed by the contract.
import type {
  AgentConfig,
  AgentPatch,
  BodyOf,
  createAgent,
  DataOf,
  dashboard,
  deleteAgent,
  ErrorBody,
  Fault,
  getAgent,
  listAgents,
  Operation,
  updateAgent,
} from '@parley/contract'

/** The server said no, in a sentence for a person. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly faults: readonly Fault[]
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorBody>, cause?: unknown) {
    super(body.message ?? 'The server gave an answer that the dashboard does not understand.', { cause })
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.faults = body.details ?? []
    this.requestId = body.request_id
  }
}

/** Belongs to the session; the server wants it on everything that changes something. */
let csrfToken = ''

async function ask<O extends Operation>(
  method: O['method'],
  path: string,
  body?: unknown,
): Promise<DataOf<O>> {
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    headers: {
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new Refusal(
      0,
      { message: 'The server does not answer. Check your connection and try again.' },
      cause,
    )
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok || answer.status !== 'success') throw new Refusal(response.status, answer)
  return answer.data
}

const remember = (session: dashboard.Session): dashboard.Session => {
  csrfToken = session.csrf_token
  return session
}

const agentsOf = (workspaceId: string) => `/workspaces/${workspaceId}/agents`
const page = (number: number, limit = 20) => `?page=${number}&limit=${limit}`

export const api = {
  session: () => ask<typeof dashboard.currentSession>('GET', '/session').then(remember),
  login: (body: BodyOf<typeof dashboard.login>) =>
    ask<typeof dashboard.login>('POST', '/session', body).then(remember),
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

  agents: (workspaceId: string, number: number) =>
    ask<typeof listAgents>('GET', agentsOf(workspaceId) + page(number)),
  agent: (workspaceId: string, id: string) =>
    ask<typeof getAgent>('GET', `${agentsOf(workspaceId)}/${encodeURIComponent(id)}`),
  createAgent: (workspaceId: string, config: Partial<AgentConfig>) =>
    ask<typeof createAgent>('POST', agentsOf(workspaceId), { agent_config: config }),
  updateAgent: (workspaceId: string, id: string, changes: AgentPatch) =>
    ask<typeof updateAgent>('PATCH', `${agentsOf(workspaceId)}/${id}`, { agent_config: changes }),
  deleteAgent: (workspaceId: string, id: string) =>
    ask<typeof deleteAgent>('DELETE', `${agentsOf(workspaceId)}/${id}`),
}

/** By name, as people look for them. */
export async function everyWorkspace(): Promise<dashboard.Workspace[]> {
  const all: dashboard.Workspace[] = []
  for (let number = 1; ; number++) {
    const { data, pagination } = await api.workspaces(number, 100)
    all.push(...data)
    if (!pagination.has_next_page) return all.sort((one, other) => one.name.localeCompare(other.name))
  }
}
