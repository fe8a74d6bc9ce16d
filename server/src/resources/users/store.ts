// Dashboard users and their roles in workspaces, in the database.
import type { dashboard, PageQuery, Role } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface UserRow {
  user_id: string
  email: string
  name: string | null
  password_hash: string
  owner: boolean
  workspaces: dashboard.Membership[]
  created_at: Date
  last_login_at: Date | null
}

/** Columns of the user `u`. A workspace that is being deleted is nobody's. */
export const userColumns = `
  u.user_id, u.email, u.name, u.password_hash, u.role = 'admin' AS owner, u.created_at, u.last_login_at,
  (SELECT coalesce(json_agg(json_build_object('workspace_id', m.workspace_id, 'role', m.role) ORDER BY m.workspace_id), '[]')
    FROM user_workspaces m WHERE m.user_id = u.user_id) AS workspaces`

const insert = statement(`
  INSERT INTO users (user_id, email, name, password_hash, role)
  VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN 'admin' ELSE 'member' END)
  ON CONFLICT (lower(email)) DO NOTHING RETURNING user_id`)

const selectOne = statement(`SELECT ${userColumns} FROM users u WHERE u.user_id = $1`)
const selectByEmail = statement(`SELECT ${userColumns} FROM users u WHERE lower(u.email) = lower($1)`)

const page = listStatements(userColumns, 'users u', 'u.created_at DESC, u.user_id DESC', 0)

// Rows are locked in one order, so that no two transactions wait for each other's.
const lockAllOwners = statement("SELECT user_id FROM users WHERE role = 'admin' ORDER BY user_id FOR UPDATE")
const lockOne = statement('SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE')

const update = statement(`
  UPDATE users SET password_hash = coalesce($2, password_hash), name = coalesce($4, name),
    role = CASE $3::boolean WHEN true THEN 'admin' WHEN false THEN 'member' ELSE role END
  WHERE user_id = $1`)

const replacePassword = statement(`
  UPDATE users SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2 RETURNING user_id`)

const remove = statement('DELETE FROM users WHERE user_id = $1 RETURNING user_id')

const clearWorkspaces = statement('DELETE FROM user_workspaces WHERE user_id = $1')
const addWorkspaces = statement(`
  INSERT INTO user_workspaces (user_id, workspace_id, role)
  SELECT $1, * FROM unnest($2::uuid[], $3::text[]) ON CONFLICT (user_id, workspace_id) DO UPDATE SET role = EXCLUDED.role`)

const memberColumns = 'u.user_id, u.email, u.name, m.role, u.last_login_at'
const memberPage = listStatements(
  memberColumns,
  'user_workspaces m JOIN users u USING (user_id) WHERE m.workspace_id = $1',
  'lower(coalesce(u.name, u.email)), u.user_id',
  1,
)
const changeRole = statement(`
  UPDATE user_workspaces m SET role = $3 FROM users u
  WHERE m.workspace_id = $1 AND m.user_id = $2 AND u.user_id = m.user_id RETURNING ${memberColumns}`)
const removeOneMember = statement(`
  DELETE FROM user_workspaces WHERE workspace_id = $1 AND user_id = $2 RETURNING user_id`)

/** False if the address is taken. */
export const insertUser = async (
  db: Queries,
  {
    user_id,
    email,
    name,
    password_hash,
    owner,
  }: Omit<UserRow, 'workspaces' | 'created_at' | 'last_login_at'>,
): Promise<boolean> => (await db.row(insert, [user_id, email, name, password_hash, owner])) !== undefined

export const findUser = (db: Queries, userId: string) => db.row<UserRow>(selectOne, [userId])

export const findUserByEmail = (db: Queries, email: string) => db.row<UserRow>(selectByEmail, [email])

export const pageOfUsers = (db: Queries, query: PageQuery) => readPage<UserRow>(db, page, [], query)

export const countUsers = async (db: Queries) => (await db.row<{ total: number }>(page.count))?.total ?? 0

/** The ids of all owners, who stay as they are until the transaction ends. */
export const lockOwners = async (tx: Queries): Promise<string[]> =>
  (await tx.rows<{ user_id: string }>(lockAllOwners)).map(({ user_id }) => user_id)

/** False if there is no such user. */
export const lockUser = async (tx: Queries, userId: string): Promise<boolean> =>
  (await tx.row(lockOne, [userId])) !== undefined

/** False if the password is no longer the one with the hash `before`. */
export const changePasswordHash = async (tx: Queries, userId: string, before: string, after: string) =>
  (await tx.row(replacePassword, [userId, before, after])) !== undefined

export interface StoredChange {
  readonly passwordHash?: string | undefined
  readonly owner?: boolean | undefined
  readonly name?: string | undefined
}

export const updateUser = (db: Queries, userId: string, { passwordHash, owner, name }: StoredChange) =>
  db.rows(update, [userId, passwordHash ?? null, owner ?? null, name ?? null])

/** A role that they have already is replaced. */
export const addMemberships = (db: Queries, userId: string, given: readonly dashboard.Membership[]) =>
  db.rows(addWorkspaces, [
    userId,
    given.map(({ workspace_id }) => workspace_id),
    given.map(({ role }) => role),
  ])

export async function setMemberships(
  db: Queries,
  userId: string,
  given: readonly dashboard.Membership[],
): Promise<void> {
  await db.rows(clearWorkspaces, [userId])
  await addMemberships(db, userId, given)
}

export const removeUser = async (db: Queries, userId: string) =>
  (await db.row(remove, [userId])) !== undefined

export interface MemberRow {
  user_id: string
  email: string
  name: string | null
  role: Role
  last_login_at: Date | null
}

export const pageOfMembers = (db: Queries, workspaceId: string, query: PageQuery) =>
  readPage<MemberRow>(db, memberPage, [workspaceId], query)

/** Undefined if they are no member. */
export const changeMemberRole = (db: Queries, workspaceId: string, userId: string, role: Role) =>
  db.row<MemberRow>(changeRole, [workspaceId, userId, role])

export const removeMember = async (db: Queries, workspaceId: string, userId: string): Promise<boolean> =>
  (await db.row(removeOneMember, [workspaceId, userId])) !== undefined
