// Dashboard routes of sign-in, sessions, users, members and invitations.
import { dashboard } from '@parley/contract'
import {
  csrfTokenOf,
  type DashboardDoor,
  type Person,
  roleIn,
  visibleTo,
} from '../../http/doors/dashboard-door.ts'
import { fail, refuseField } from '../../http/failure.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Invitations } from './invitations.ts'
import type { Login, UserSessions } from './sessions.ts'
import type { Users } from './users.ts'

export interface UserRules {
  readonly users: Users
  readonly sessions: UserSessions
  readonly invitations: Invitations
  readonly workspaces: Workspaces
}

export function mountUsers(door: DashboardDoor, rules: UserRules): void {
  mountSessions(door, rules)
  mountUserAccounts(door, rules)
  mountMembers(door, rules)
  mountInvitations(door, rules)
}

function mountSessions(door: DashboardDoor, { sessions }: UserRules): void {
  door.open(dashboard.login, async ({ body }, visitor) =>
    begun(sessions, await sessions.login(body.email, body.password, visitor), visitor),
  )
  door.open(dashboard.openLink, async ({ body }, visitor) =>
    begun(sessions, await sessions.openLink(body.token, visitor), visitor),
  )
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
  door.signedIn(dashboard.listSessions, ({ query }, { user, sessionId }) =>
    sessions.list(user.user_id, sessionId, query),
  )
  door.signedIn(dashboard.endSession, ({ params }, { user }) => sessions.end(user.user_id, params.id))
  door.signedIn(dashboard.endOtherSessions, (_input, { user, sessionId }) =>
    sessions.endAll(user.user_id, sessionId),
  )
}

function mountUserAccounts(
  door: DashboardDoor,
  { users, sessions, invitations, workspaces }: UserRules,
): void {
  door.signedIn(dashboard.listUsers, ({ query }) => users.list(query))
  door.signedIn(dashboard.updateUser, async ({ params, body }) => {
    if (body.workspaces) await workspaces.mustExist(idsOf(body.workspaces), 'workspaces')
    return users.update(params.id, body)
  })
  door.signedIn(dashboard.deleteUser, ({ params }) => users.remove(params.id))
  door.signedIn(dashboard.createPasswordLink, ({ params }, { user, origin }) =>
    invitations.passwordLink(params.id, userName(user), origin),
  )
  door.signedIn(dashboard.listUserSessions, async ({ params, query }, { sessionId }) => {
    const { user_id } = await users.get(params.id)
    return sessions.list(user_id, sessionId, query)
  })
  door.signedIn(dashboard.endUserSessions, async ({ params }) => {
    const { user_id } = await users.get(params.id)
    return sessions.endAll(user_id, null)
  })
}

function mountMembers(door: DashboardDoor, { users }: UserRules): void {
  door.signedIn(dashboard.listMembers, ({ params, query }) => users.members(params.id, query))
  door.signedIn(dashboard.updateMember, ({ params, body }) =>
    users.changeMember(params.id, params.user_id, body.role),
  )
  door.signedIn(dashboard.removeMember, ({ params }) => users.removeMember(params.id, params.user_id))
}

function mountInvitations(door: DashboardDoor, { invitations, sessions, workspaces }: UserRules): void {
  door.signedIn(dashboard.listInvitations, ({ query }, person) =>
    invitations.list(visibleTo(person, 'admin'), query),
  )
  door.signedIn(dashboard.createInvitation, async ({ body }, person) => {
    mustDecideAbout(person, body)
    await workspaces.mustExist(idsOf(body.workspaces), 'workspaces')
    return invitations.invite({ ...body, by: userName(person.user), origin: person.origin })
  })
  door.signedIn(dashboard.revokeInvitation, ({ params }, person) =>
    invitations.revoke(visibleTo(person, 'admin'), params.id),
  )
  door.open(dashboard.readInvitation, ({ body }) => invitations.read(body.token))
  door.open(dashboard.acceptInvitation, async ({ body }, visitor) => {
    const userId = await invitations.accept(body.token, body.name, body.password)
    return begun(sessions, await sessions.begin(userId, visitor), visitor)
  })
}

const idsOf = (given: readonly dashboard.Membership[]): string[] =>
  given.map(({ workspace_id }) => workspace_id)

export const userName = ({ name, email }: dashboard.User): string => (name ? `${name} (${email})` : email)

interface Wish {
  readonly owner: boolean
  readonly workspaces: readonly dashboard.Membership[]
}

/** An owner about everything, others about the workspaces of which they are admins. */
function mustDecideAbout(person: Person, { owner, workspaces }: Wish): void {
  if (owner && !person.user.owner) fail('ROLE_REQUIRED', { message: 'Only an owner can invite an owner.' })
  if (!owner && workspaces.length === 0)
    refuseField('workspaces', 'Choose at least one workspace, or make them an owner.')
  for (const { workspace_id } of workspaces) {
    const role = roleIn(person, workspace_id) ?? fail('WORKSPACE_ACCESS_DENIED')
    if (role !== 'admin')
      fail('ROLE_REQUIRED', { message: 'Only an admin of a workspace can invite people to it.' })
  }
}

interface SessionStarter {
  startSession(token: string, expiresAt: Date): void
}

async function begun(
  sessions: UserSessions,
  { token, expiresAt }: Login,
  visitor: SessionStarter,
): Promise<dashboard.Session> {
  visitor.startSession(token, expiresAt)
  return sessionView((await sessions.find(token)) ?? fail('SESSION_REQUIRED'))
}

const sessionView = ({ user, token, expiresAt }: Person): dashboard.Session => ({
  user,
  csrf_token: csrfTokenOf(token),
  expires_at: expiresAt.toISOString(),
})
