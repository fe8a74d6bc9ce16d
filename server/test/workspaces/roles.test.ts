// Who may do what: every route of the dashboard's door, with every role side by side, and every operation with keys
// of every role. The rows below say what is expected; a route that has none fails.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Access,
  type Address,
  dashboardAddresses,
  isAtLeast,
  mountPaths,
  type Role,
  transcriptAddresses,
  trialAddresses,
  voiceAddresses,
} from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, invite, owner, type TestPerson } from '../support/people.ts'
import { openService, type TestService, workspaceId } from '../support/service.ts'

/** The dashboard's own operations, each with a row. */
const own: Record<keyof typeof dashboardAddresses, Access> = {
  login: 'anyone',
  openLink: 'anyone',
  readInvitation: 'anyone',
  acceptInvitation: 'anyone',
  currentSession: 'person',
  logout: 'person',
  changePassword: 'person',
  listSessions: 'person',
  endOtherSessions: 'person',
  endSession: 'person',
  listWorkspaces: 'person',
  listWorkspaceDeletions: 'person',
  listMembers: 'viewer',
  listKeys: 'editor',
  createKey: 'editor',
  updateKey: 'editor',
  updateWorkspace: 'admin',
  deleteWorkspace: 'admin',
  updateMember: 'admin',
  removeMember: 'admin',
  listInvitations: 'admin',
  createInvitation: 'admin',
  revokeInvitation: 'admin',
  createWorkspace: 'owner',
  listUsers: 'owner',
  updateUser: 'owner',
  deleteUser: 'owner',
  createPasswordLink: 'owner',
  listUserSessions: 'owner',
  endUserSessions: 'owner',
}

/** Of the other interfaces: a viewer reads, an editor writes. These are the ones that differ. */
const exceptions: Readonly<Record<string, Role>> = {
  searchRepository: 'viewer',
  getCallbackSecret: 'editor',
  eraseCaller: 'admin',
  putCredentials: 'admin',
  deleteCredentials: 'admin',
}

const expectedOf = ({ id, method }: Address): Role =>
  exceptions[id] ?? (method === 'GET' ? 'viewer' : 'editor')

/** The id of nothing that exists, so that requests that are let in change nothing. */
const nobody = '99999999-9999-4999-8999-999999999999'

interface Row {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly access: Access
}

const rowsBelow = (addresses: Record<string, Address>): Row[] =>
  Object.values(addresses).map((address) => ({
    ...address,
    path: mountPaths.workspace + address.path,
    access: expectedOf(address),
  }))

const rows: Row[] = [
  ...Object.values(dashboardAddresses).map((address) => ({ ...address, access: own[address.id] })),
  ...rowsBelow(voiceAddresses),
  ...rowsBelow(transcriptAddresses),
  ...rowsBelow(trialAddresses),
]

let service: TestService
const people = new Map<string, TestPerson>()
const routes: string[] = []

const watch = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) if (verb !== 'HEAD') routes.push(`${verb} ${url}`)
  })
}

beforeAll(async () => {
  subscribe('fastify.initialization', watch)
  service = await openService({ PARLEY_AUTH_FAILURE_LIMIT: '100000' })
  unsubscribe('fastify.initialization', watch)
  const boss = await owner(service)
  const elsewhere = await boss.ask('POST', '/workspaces', { name: 'Elsewhere' })
  const other = elsewhere.body.data.workspace_id
  for (const role of ['viewer', 'editor', 'admin'] as const)
    people.set(role, await invite(service, { workspaces: [as(role)] }))
  people.set('outsider', await invite(service, { workspaces: [as('viewer', other)] }))
  people.set('owner', boss)
})
afterAll(() => service?.close())

const fill = (path: string) =>
  path
    .replace('{workspace_id}', workspaceId)
    .replace('/workspaces/{id}', `/workspaces/${workspaceId}`)
    .replaceAll(/\{\w+\}/g, nobody)

/** Whether somebody is let in, by what is expected of the row. */
function isAllowed(who: string, access: Access): boolean {
  if (access === 'anyone') return true
  if (access === 'person' || who === 'owner') return who !== 'nobody'
  if (access === 'owner' || who === 'nobody' || who === 'outsider') return false
  return isAtLeast(who as Role, access)
}

async function isLetIn(who: string, { id, method, path }: Row): Promise<boolean | string> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  const person = people.get(who)
  const url = fill(path)
  const { status, body: answer } = person
    ? await person.ask(method, url, body)
    : await service.bare(method, mountPaths.dashboard + url, { body })
  if (status === 401 && (who === 'nobody' || id === 'login')) return answer.code !== 'SESSION_REQUIRED'
  if (status === 403) return false
  return status < 500 && status !== 401 ? true : `${status} ${answer.code}`
}

describe('the dashboard', () => {
  it('has a row for every route of its door', () => {
    const known = new Set(rows.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`))
    const served = routes.flatMap((route) => {
      const [method, url = ''] = route.split(' ')
      return url.startsWith(`${mountPaths.dashboard}/`)
        ? [`${method} ${url.slice(mountPaths.dashboard.length)}`]
        : []
    })
    expect(served.length).toBeGreaterThan(80)
    expect(served.filter((route) => !known.has(route))).toEqual([])
    expect([...known].filter((route) => !served.includes(route))).toEqual([])
  })

  it.each(['nobody', 'outsider', 'viewer', 'editor', 'admin', 'owner'])(
    'lets %s do what their role may, and nothing else',
    async (who) => {
      const wrong: string[] = []
      // Signing out comes last.
      for (const row of rows.toSorted((a, b) => Number(a.id === 'logout') - Number(b.id === 'logout'))) {
        const found = await isLetIn(who, row)
        if (found !== isAllowed(who, row.access)) wrong.push(`${row.id}: ${found}`)
      }
      expect(wrong).toEqual([])
    },
  )
})

describe('a key', () => {
  it.each(['viewer', 'editor', null] as const)('with the role %s may do what it may', async (role) => {
    const boss = await owner(service)
    const wish = { label: `A ${role}`, role, workspace_id: workspaceId }
    const { key } = (await boss.ask('POST', '/keys', wish)).body.data
    const wrong: string[] = []
    const doors = [
      [mountPaths.voice, voiceAddresses, 'x-api-key'],
      [mountPaths.transcripts, transcriptAddresses, 'authorization'],
    ] as const
    for (const [prefix, addresses, header] of doors)
      for (const address of Object.values(addresses) as Address[]) {
        const { method, path, id } = address
        const reply = await service.bare(method, prefix + fill(path), {
          headers: { [header]: key, 'idempotency-key': `${role} ${id}` },
          ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
        })
        const isRefused = reply.status === 403 && reply.body.code === 'ROLE_REQUIRED'
        const isExpected = role !== null && !isAtLeast(role, expectedOf(address))
        if (isRefused !== isExpected) wrong.push(`${id}: ${reply.status} ${reply.body.code}`)
      }
    expect(wrong).toEqual([])
  })

  it('may not do more than whoever makes it', async () => {
    const editor = await invite(service, { workspaces: [as('editor')] })
    const make = async (role: Role | null) => {
      const wish = { label: 'Mine', role, workspace_id: workspaceId }
      return (await editor.ask('POST', '/keys', wish)).status
    }
    expect([await make('viewer'), await make('editor'), await make('admin'), await make(null)]).toEqual([
      ...[201, 201, 403, 403],
    ])
    const strong = (
      await (await owner(service)).ask('POST', '/keys', { label: 'Strong', workspace_id: workspaceId })
    ).body.data
    const revoked = await editor.ask('PATCH', `/keys/${strong.api_key_id}`, { active: false })
    expect([revoked.status, revoked.body.code]).toEqual([403, 'ROLE_REQUIRED'])
  })
})

describe('a role that is changed', () => {
  it('counts from the next request on, and ends streams that are open', async () => {
    const boss = await owner(service)
    const person = await invite(service, { workspaces: [as('editor')] })
    const { user_id } = (await person.ask('GET', '/session')).body.data.user
    const agents = `/workspaces/${workspaceId}/agents`
    const made = await person.ask('POST', agents, { agent_config: { agent_name: 'Desk', llm_agent: {} } })
    expect(made.status).toBe(201)
    const { agent_id } = made.body.data
    const placed = await person.ask('POST', `/workspaces/${workspaceId}/calls`, {
      agent_id,
      to_phone_number: '+15550100',
    })
    const events = await fetch(
      `${service.url}/dashboard/api/workspaces/${workspaceId}/calls/${placed.body.data.session_id}/events`,
      { headers: { cookie: person.cookie } },
    )
    expect(events.status).toBe(200)

    const member = `/workspaces/${workspaceId}/members/${user_id}`
    expect((await boss.ask('PATCH', member, { role: 'viewer' })).body.data.role).toBe('viewer')
    const refused = await person.ask('DELETE', `${agents}/${agent_id}`)
    expect(refused.body.message).toBe('An editor of the workspace may do this. Your role is viewer.')
    expect((await person.ask('GET', agents)).status).toBe(200)

    expect((await boss.ask('DELETE', member)).body.data.removed).toBe(true)
    // It would go on for as long as the call waits.
    await expect(events.text()).rejects.toThrow()
    expect((await person.ask('GET', agents)).body.code).toBe('WORKSPACE_ACCESS_DENIED')
  })

  it('lets an admin decide about their own workspace only', async () => {
    const boss = await owner(service)
    const other = (await boss.ask('POST', '/workspaces', { name: 'Other' })).body.data.workspace_id
    const admin = await invite(service, { workspaces: [as('admin')] })
    const ask = async (body: object) => (await admin.ask('POST', '/invitations', body)).body
    const email = 'somebody@example.com'
    expect((await ask({ email, workspaces: [as('viewer', other)] })).code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await ask({ email, owner: true })).code).toBe('ROLE_REQUIRED')
    expect((await ask({ email })).details[0].path).toBe('workspaces')
    expect((await ask({ email, workspaces: [as('viewer')] })).data.is).toBe('invited')
    const limits = await admin.ask('PATCH', `/workspaces/${workspaceId}`, { calls_per_day: null })
    expect(limits.body.message).toContain('Only an owner')
  })
})
