// People of the dashboard for tests: invited, signed in, asking.
import { randomUUID } from 'node:crypto'
import type { dashboard, Role } from '@parley/contract'
import { expect } from 'vitest'
import { admin, type Reply, type TestService, workspaceId } from './service.ts'

export const password = 'a long enough password'

export interface TestPerson {
  readonly cookie: string
  readonly csrf: string
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

const office = (
  service: TestService,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => service.bare(method, `/dashboard/api${path}`, { headers, body })

function personOf(service: TestService, { status, headers, body }: Reply): TestPerson {
  expect(status).toBe(201)
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const csrf = body.data.csrf_token
  return {
    cookie,
    csrf,
    ask: (method, path, sent, more = {}) =>
      office(service, method, path, sent, { cookie, 'x-csrf-token': csrf, ...more }),
  }
}

export const signIn = async (service: TestService, email: string, secret = password): Promise<TestPerson> =>
  personOf(service, await office(service, 'POST', '/session', { email, password: secret }))

/** The first owner of the installation. */
export const owner = (service: TestService) => signIn(service, admin.email, admin.password)

/** Rights in the usual workspace, by one word. */
export const as = (role: Role, id = workspaceId): dashboard.Membership => ({ workspace_id: id, role })

export interface InvitedUser {
  readonly owner?: boolean
  readonly workspaces?: readonly dashboard.Membership[]
  readonly email?: string
}

/** Invited by the first owner, accepted and signed in. */
export async function invite(service: TestService, invited: InvitedUser): Promise<TestPerson> {
  const wish = { email: `${randomUUID()}@example.com`, ...invited }
  const { status, body } = await (await owner(service)).ask('POST', '/invitations', wish)
  expect(status).toBe(201)
  const token = new URL(body.data.link).hash.slice(1)
  const accepting = { token, name: 'Ada Lovelace', password }
  return personOf(service, await office(service, 'POST', '/invitation/accept', accepting))
}
