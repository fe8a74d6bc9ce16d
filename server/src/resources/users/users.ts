// The rules of dashboard users.
import { type dashboard, type PageQuery, paginate } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import { hashPassword } from '../../platform/passwords.ts'
import {
  countUsers,
  findUser,
  findUserByEmail,
  insertUser,
  lockAdmins,
  lockUser,
  pageOfUsers,
  removeSessionsExcept,
  removeUser,
  setWorkspaces,
  type UserRow,
  updateUser,
} from './store.ts'

export interface NewUser {
  email: string
  password: string
  role: dashboard.Role
  workspaceIds: string[]
}

export interface UserChange {
  password?: string | undefined
  role?: dashboard.Role | undefined
  workspaceIds?: string[] | undefined
}

const noSession = Buffer.alloc(0)

export const users = (db: Db) => ({
  async create({ email, password, role, workspaceIds }: NewUser): Promise<dashboard.User> {
    const userId = newId()
    const passwordHash = await hashPassword(password)
    return db.transaction(async (tx) => {
      if (!(await insertUser(tx, userId, email, passwordHash, role))) {
        fail('VALIDATION_ERROR', {
          details: [{ path: 'email', message: 'A user with this address exists already.' }],
        })
      }
      await setWorkspaces(tx, userId, workspaceIds)
      return userView((await findUser(tx, userId)) as UserRow)
    })
  },

  async list(query: PageQuery) {
    const { rows, total } = await pageOfUsers(db, query)
    return { data: rows.map(userView), pagination: paginate(query, total) }
  },

  async update(userId: string, { password, role, workspaceIds }: UserChange): Promise<dashboard.User> {
    const passwordHash = password === undefined ? null : await hashPassword(password)
    return db.transaction(async (tx) => {
      if (role === 'member') await mustLeaveAnAdmin(tx, userId)
      if (!(await lockUser(tx, userId))) fail('USER_NOT_FOUND')
      await updateUser(tx, userId, passwordHash, role ?? null)
      if (workspaceIds) await setWorkspaces(tx, userId, workspaceIds)
      if (passwordHash) await removeSessionsExcept(tx, userId, noSession)
      return userView((await findUser(tx, userId)) as UserRow)
    })
  },

  async remove(userId: string) {
    await db.transaction(async (tx) => {
      await mustLeaveAnAdmin(tx, userId)
      if (!(await removeUser(tx, userId))) fail('USER_NOT_FOUND')
    })
    return { user_id: userId, deleted: true as const }
  },

  async idOf(email: string): Promise<string> {
    return ((await findUserByEmail(db, email)) ?? fail('USER_NOT_FOUND')).user_id
  },

  async exist(): Promise<boolean> {
    return (await countUsers(db)) > 0
  },
})

export type Users = ReturnType<typeof users>

async function mustLeaveAnAdmin(tx: Queries, userId: string): Promise<void> {
  const admins = await lockAdmins(tx)
  if (!admins.includes(userId.toLowerCase()) || admins.length > 1) return
  fail('RESOURCE_IN_USE', { message: 'This is the last administrator; make another one first.' })
}

export const userView = (row: UserRow): dashboard.User => ({
  user_id: row.user_id,
  email: row.email,
  role: row.role,
  workspace_ids: row.workspace_ids,
  created_at: row.created_at.toISOString(),
  last_login_at: row.last_login_at?.toISOString() ?? null,
})
