// Dashboard users and their sessions in the database.
import type { dashboard, PageQuery } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface UserRow {
  user_id: string
  email: string
  password_hash: string
  role: dashboard.Role
  workspace_ids: string[]
  created_at: Date
  last_login_at: Date | null
}

export interface SessionRow extends UserRow {
  expires_at: Date
}

const columns = `
  u.user_id, u.email, u.password_hash, u.role, u.created_at, u.last_login_at,
  ARRAY(SELECT w.workspace_id FROM user_workspaces w WHERE w.user_id = u.user_id ORDER BY 1) AS workspace_ids`

const insert = statement(`
  INSERT INTO users (user_id, email, password_hash, role) VALUES ($1, $2, $3, $4)
  ON CONFLICT (lower(email)) DO NOTHING RETURNING user_id`)

const selectOne = statement(`SELECT ${columns} FROM users u WHERE u.user_id = $1`)
const selectByEmail = statement(`SELECT ${columns} FROM users u WHERE lower(u.email) = lower($1)`)

const selectPage = statement(`
  SELECT ${columns} FROM users u ORDER BY u.created_at DESC, u.user_id DESC LIMIT $1 OFFSET $2`)

const count = statement('SELECT count(*)::int AS total FROM users')
// In one order, so that two who wait for each other's rows cannot be.
const lockAllAdmins = statement("SELECT user_id FROM users WHERE role = 'admin' ORDER BY user_id FOR UPDATE")
const lockOne = statement('SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE')

const update = statement(`
  UPDATE users SET password_hash = coalesce($2, password_hash), role = coalesce($3, role) WHERE user_id = $1`)

const replacePassword = statement(`
  UPDATE users SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2 RETURNING user_id`)

const remove = statement('DELETE FROM users WHERE user_id = $1 RETURNING user_id')

const clearWorkspaces = statement('DELETE FROM user_workspaces WHERE user_id = $1')
const addWorkspaces = statement(`
  INSERT INTO user_workspaces (user_id, workspace_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING`)

// Only for a user who is still there, with the password that was checked, if one was. A change of the password either
// waits and ends this session, or comes first.
const insertOneSession = statement(`
  INSERT INTO sessions (token_hash, user_id, expires_at)
  SELECT $1, user_id, $3 FROM users
  WHERE user_id = $2 AND ($4::text IS NULL OR password_hash = $4) FOR SHARE
  RETURNING user_id`)
const markLogin = statement('UPDATE users SET last_login_at = now() WHERE user_id = $1')

const selectSession = statement(`
  SELECT ${columns}, s.expires_at FROM sessions s JOIN users u USING (user_id)
  WHERE s.token_hash = $1 AND s.expires_at > now()`)

const removeOneSession = statement('DELETE FROM sessions WHERE token_hash = $1')
const removeOtherSessions = statement('DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2')
const prune = statement('DELETE FROM sessions WHERE expires_at <= now()')

const insertOneLink = statement(`
  INSERT INTO sign_in_links (token_hash, user_id, expires_at) SELECT $1, user_id, $3 FROM users WHERE lower(email) = lower($2)`)
const useOneLink = statement(`
  WITH used AS (DELETE FROM sign_in_links WHERE token_hash = $1 OR expires_at <= now() RETURNING *)
  SELECT user_id FROM used WHERE token_hash = $1 AND expires_at > now()`)

/** False if the address is taken. */
export const insertUser = async (
  db: Queries,
  userId: string,
  email: string,
  passwordHash: string,
  role: string,
) => (await db.row(insert, [userId, email, passwordHash, role])) !== undefined

export const findUser = (db: Queries, userId: string) => db.row<UserRow>(selectOne, [userId])

export const findUserByEmail = (db: Queries, email: string) => db.row<UserRow>(selectByEmail, [email])

export const pageOfUsers = (db: Queries, query: PageQuery) =>
  readPage<UserRow>(db, { select: selectPage, count }, [], query)

export const countUsers = async (db: Queries) => (await db.row<{ total: number }>(count))?.total ?? 0

/** The ids of all administrators, who stay as they are until the transaction ends. */
export const lockAdmins = async (tx: Queries): Promise<string[]> =>
  (await tx.rows<{ user_id: string }>(lockAllAdmins)).map(({ user_id }) => user_id)

/** False if there is no such user. */
export const lockUser = async (tx: Queries, userId: string): Promise<boolean> =>
  (await tx.row(lockOne, [userId])) !== undefined

/** False if the password is no longer the one with the hash `before`. */
export const changePasswordHash = async (tx: Queries, userId: string, before: string, after: string) =>
  (await tx.row(replacePassword, [userId, before, after])) !== undefined

export const updateUser = (db: Queries, userId: string, passwordHash: string | null, role: string | null) =>
  db.rows(update, [userId, passwordHash, role])

export async function setWorkspaces(db: Queries, userId: string, workspaceIds: string[]): Promise<void> {
  await db.rows(clearWorkspaces, [userId])
  await db.rows(addWorkspaces, [userId, workspaceIds])
}

export const removeUser = async (db: Queries, userId: string) =>
  (await db.row(remove, [userId])) !== undefined

export interface NewSession {
  readonly tokenHash: Buffer
  readonly userId: string
  readonly expiresAt: Date
  /** Of the password that the user signed in with; null: without one. */
  readonly passwordHash: string | null
}

/** False if the user is gone, or the password was changed meanwhile. */
export async function insertSession(db: Queries, session: NewSession): Promise<boolean> {
  const { tokenHash, userId, expiresAt, passwordHash } = session
  if (!(await db.row(insertOneSession, [tokenHash, userId, expiresAt, passwordHash]))) return false
  await db.rows(markLogin, [userId])
  return true
}

export const findSession = (db: Queries, tokenHash: Buffer) => db.row<SessionRow>(selectSession, [tokenHash])

export const removeSession = (db: Queries, tokenHash: Buffer) => db.rows(removeOneSession, [tokenHash])

export const removeSessionsExcept = (db: Queries, userId: string, tokenHash: Buffer) =>
  db.rows(removeOtherSessions, [userId, tokenHash])

export const pruneSessions = (db: Queries) => db.rows(prune)

export const insertLink = (db: Queries, tokenHash: Buffer, email: string, expiresAt: Date) =>
  db.rows(insertOneLink, [tokenHash, email, expiresAt])

/** Returns its user; deletes it and all expired ones. */
export const useLink = async (db: Queries, tokenHash: Buffer): Promise<string | undefined> =>
  (await db.row<{ user_id: string }>(useOneLink, [tokenHash]))?.user_id
