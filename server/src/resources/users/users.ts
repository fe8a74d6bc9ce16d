// The rules of dashboard users.
import { type dashboard, type PageQuery, paginate, type Role } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { removeSessionsExcept } from './session-store.ts'
import {
  addMemberships,
  changeMemberRole,
  countUsers,
  findUser,
  findUserByEmail,
  insertUser,
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

export interface NewUser {
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
  readonly owner: boolean
  readonly workspaces: readonly dashboard.Membership[]
}

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

  async list(query: PageQuery) {
    const { rows, total } = await pageOfUsers(db, query)
    return { data: rows.map(userView), pagination: paginate(query, total) }
  },

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

  async members(workspaceId: string, query: PageQuery) {
    const { rows, total } = await pageOfMembers(db, workspaceId, query)
    return { data: rows.map(memberView), pagination: paginate(query, total) }
  },

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

/** In a transaction of the caller's. */
export async function createUser(
  tx: Queries,
  { email, name, passwordHash, owner, workspaces }: Omit<NewUser, 'password'> & { passwordHash: string },
): Promise<dashboard.User> {
  const userId = newId()
  if (!(await insertUser(tx, { userId, email, name: name ?? null, passwordHash, owner }))) {
    fail('VALIDATION_ERROR', {
      details: [{ path: 'email', message: 'A user with this address exists already.' }],
    })
  }
  await addMemberships(tx, userId, workspaces)
  return userView((await findUser(tx, userId)) as UserRow)
}

async function mustLeaveAnOwner(tx: Queries, userId: string): Promise<void> {
  const owners = await lockOwners(tx)
  if (!owners.includes(userId.toLowerCase()) || owners.length > 1) return
  fail('RESOURCE_IN_USE', { message: 'This is the last owner of the installation; make another one first.' })
}

export const userView = (row: UserRow): dashboard.User => ({
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  owner: row.owner,
  workspaces: row.workspaces,
  created_at: row.created_at.toISOString(),
  last_login_at: row.last_login_at?.toISOString() ?? null,
})

const memberView = (row: MemberRow): dashboard.Member => ({
  ...row,
  last_login_at: row.last_login_at?.toISOString() ?? null,
})
