// The rules of dashboard users.
import type { dashboard, PageQuery, Role } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { removeSessionsExcept } from './session-store.ts'
import {
  changeMemberRole,
  countUsers,
  findUser,
  findUserByEmail,
  lockOwners,
  lockUser,
  type MemberRow,
  pageOfMembers,
  pageOfUsers,
  removeMember,
  removeUser,
  setMemberships,
  type UserRow,
  updateUser,
} from './store.ts'
import { createUser, type NewUser, userView } from './user-record.ts'

export { invitations } from './invitations.ts'
export { makeLink, sessions, type UserSessions } from './sessions.ts'

export interface UserChange {
  readonly password?: string | undefined
  readonly name?: string | undefined
  readonly owner?: boolean | undefined
  readonly workspaces?: readonly dashboard.Membership[] | undefined
}

export const users = (db: Db) => ({
  async create(user: NewUser): Promise<dashboard.User> {
    const passwordHash = await hashPassword(user.password)
    return db.transaction((tx) => createUser(tx, { ...user, passwordHash }))
  },

  list: async (query: PageQuery) => listOf(query, await pageOfUsers(db, query), userView),

  async get(userId: string): Promise<dashboard.User> {
    return userView((await findUser(db, userId)) ?? fail('USER_NOT_FOUND'))
  },

  /** A new password ends their sessions. */
  async update(userId: string, { password, name, owner, workspaces }: UserChange): Promise<dashboard.User> {
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    return db.transaction(async (tx) => {
      if (owner === false) await mustLeaveAnOwner(tx, userId)
      if (!(await lockUser(tx, userId))) fail('USER_NOT_FOUND')
      await updateUser(tx, userId, { passwordHash, owner, name })
      if (workspaces) await setMemberships(tx, userId, workspaces)
      if (passwordHash) await removeSessionsExcept(tx, userId, null)
      return userView((await findUser(tx, userId)) as UserRow)
    })
  },

  async remove(userId: string) {
    await db.transaction(async (tx) => {
      await mustLeaveAnOwner(tx, userId)
      if (!(await removeUser(tx, userId))) fail('USER_NOT_FOUND')
    })
    return { user_id: userId, deleted: true as const }
  },

  members: async (workspaceId: string, query: PageQuery) =>
    listOf(query, await pageOfMembers(db, workspaceId, query), memberView),

  async changeMember(workspaceId: string, userId: string, role: Role): Promise<dashboard.Member> {
    return memberView((await changeMemberRole(db, workspaceId, userId, role)) ?? fail('USER_NOT_FOUND'))
  },

  async removeMember(workspaceId: string, userId: string) {
    if (!(await removeMember(db, workspaceId, userId))) fail('USER_NOT_FOUND')
    return { user_id: userId, removed: true as const }
  },

  async idOf(email: string): Promise<string | undefined> {
    return (await findUserByEmail(db, email))?.user_id
  },

  async exist(): Promise<boolean> {
    return (await countUsers(db)) > 0
  },
})

export type Users = ReturnType<typeof users>

async function mustLeaveAnOwner(tx: Queries, userId: string): Promise<void> {
  const owners = await lockOwners(tx)
  if (!owners.includes(userId.toLowerCase()) || owners.length > 1) return
  fail('RESOURCE_IN_USE', { message: 'This is the last owner of the installation; make another one first.' })
}

const memberView = (row: MemberRow): dashboard.Member => ({
  ...row,
  last_login_at: row.last_login_at?.toISOString() ?? null,
})
