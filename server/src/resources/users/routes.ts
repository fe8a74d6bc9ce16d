// Dashboard routes of sign-in and users.
import { dashboard } from '@parley/contract'
import { csrfTokenOf, type DashboardDoor, type Person } from '../../http/dashboard-door.ts'
import { fail } from '../../http/failure.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { UserSessions } from './sessions.ts'
import type { Users } from './users.ts'

export function mountUsers(
  door: DashboardDoor,
  users: Users,
  sessions: UserSessions,
  workspaces: Workspaces,
): void {
  door.open(dashboard.login, async ({ body }, visitor) => {
    const { token, expiresAt } = await sessions.login(body.email, body.password, visitor.address)
    visitor.startSession(token, expiresAt)
    return sessionView((await sessions.find(token)) ?? fail('SESSION_REQUIRED'))
  })
  door.open(dashboard.openLink, async ({ body }, visitor) => {
    const { token, expiresAt } = await sessions.openLink(body.token)
    visitor.startSession(token, expiresAt)
    return sessionView((await sessions.find(token)) ?? fail('SESSION_REQUIRED'))
  })
  door.signedIn(dashboard.currentSession, async (_input, person) => sessionView(person))
  door.signedIn(dashboard.logout, async (_input, person) => {
    await sessions.logout(person.token)
    person.endSession()
    return { signed_out: true as const }
  })
  door.signedIn(dashboard.changePassword, async ({ body }, person) => {
    await sessions.changePassword(person, body.current_password, body.new_password)
    return { changed: true as const }
  })

  door.admin(dashboard.listUsers, ({ query }) => users.list(query))
  door.admin(dashboard.createUser, async ({ body }) => {
    const { workspace_ids: workspaceIds, ...user } = body
    await workspaces.mustExist(workspaceIds, 'workspace_ids')
    return users.create({ ...user, workspaceIds })
  })
  door.admin(dashboard.updateUser, async ({ params, body }) => {
    const { workspace_ids: workspaceIds, ...change } = body
    if (workspaceIds) await workspaces.mustExist(workspaceIds, 'workspace_ids')
    return users.update(params.id, { ...change, workspaceIds })
  })
  door.admin(dashboard.deleteUser, ({ params }) => users.remove(params.id))
}

const sessionView = ({ user, token, expiresAt }: Person): dashboard.Session => ({
  user,
  csrf_token: csrfTokenOf(token),
  expires_at: expiresAt.toISOString(),
})
