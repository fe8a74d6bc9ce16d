// Sessions of dashboard users, and links that sign in once, in the database.
import type { PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import { type UserRow, userColumns } from './store.ts'

export interface SessionRow extends UserRow {
  session_id: string
  expires_at: Date
  /** Long enough ago to be stored again. */
  unseen: boolean
}

export interface SignedInRow {
  session_id: string
  device: string | null
  address: string | null
  created_at: Date
  last_seen_at: Date
}

// Only for a user who is still there, with the password that was checked, if one was. A change of the password either
// waits and ends this session, or comes first.
const insert = statement(`
  INSERT INTO sessions (token_hash, user_id, expires_at, device, address)
  SELECT $1, user_id, $3, $5, $6 FROM users
  WHERE user_id = $2 AND ($4::text IS NULL OR password_hash = $4) FOR SHARE
  RETURNING user_id`)
const markLogin = statement('UPDATE users SET last_login_at = now() WHERE user_id = $1')

const select = statement(`
  SELECT ${userColumns}, s.session_id, s.expires_at, s.last_seen_at < now() - interval '1 minute' AS unseen
  FROM sessions s JOIN users u USING (user_id)
  WHERE s.token_hash = $1 AND s.expires_at > now()`)

const touch = statement('UPDATE sessions SET last_seen_at = now(), address = $2 WHERE session_id = $1')

const page = listStatements(
  'session_id, device, address, created_at, last_seen_at',
  'sessions WHERE user_id = $1 AND expires_at > now()',
  'last_seen_at DESC, session_id',
  1,
)

const removeByToken = statement('DELETE FROM sessions WHERE token_hash = $1')
const removeOne = statement('DELETE FROM sessions WHERE user_id = $1 AND session_id = $2 RETURNING 1')
const removeOthers = statement(
  'DELETE FROM sessions WHERE user_id = $1 AND session_id IS DISTINCT FROM $2::uuid RETURNING 1',
)
const prune = statement('DELETE FROM sessions WHERE expires_at <= now()')

const insertOneLink = statement(`
  INSERT INTO sign_in_links (token_hash, user_id, expires_at) SELECT $1, user_id, $3 FROM users WHERE lower(email) = lower($2)`)
const useOneLink = statement(`
  WITH used AS (DELETE FROM sign_in_links WHERE token_hash = $1 OR expires_at <= now() RETURNING *)
  SELECT user_id FROM used WHERE token_hash = $1 AND expires_at > now()`)

const isOpen = statement('SELECT 1 FROM workspaces WHERE workspace_id = $1 AND closed_at IS NULL')

export interface NewSession {
  readonly tokenHash: Buffer
  readonly userId: string
  readonly expiresAt: Date
  /** The hash of the password that the user signed in with; null: without one. */
  readonly passwordHash: string | null
  readonly device: string | null
  readonly address: string
}

/** False if the user is gone, or the password was changed meanwhile. */
export async function insertSession(db: Queries, session: NewSession): Promise<boolean> {
  const { tokenHash, userId, expiresAt, passwordHash, device, address } = session
  if (!(await db.row(insert, [tokenHash, userId, expiresAt, passwordHash, device, address]))) return false
  await db.rows(markLogin, [userId])
  return true
}

export const findSession = (db: Queries, tokenHash: Buffer) => db.row<SessionRow>(select, [tokenHash])

export const touchSession = (db: Queries, sessionId: string, address: string) =>
  db.rows(touch, [sessionId, address])

export const pageOfSessions = (db: Queries, userId: string, query: PageQuery) =>
  readPage<SignedInRow>(db, page, [userId], query)

export const removeSession = (db: Queries, tokenHash: Buffer) => db.rows(removeByToken, [tokenHash])

/** False if it is not theirs. */
export const removeSessionOf = async (db: Queries, userId: string, sessionId: string): Promise<boolean> =>
  (await db.row(removeOne, [userId, sessionId])) !== undefined

/** Returns how many there were. Null: all of them. */
export const removeSessionsExcept = async (db: Queries, userId: string, sessionId: string | null) =>
  (await db.rows(removeOthers, [userId, sessionId])).length

export const pruneSessions = (db: Queries) => db.rows(prune)

export const insertLink = (db: Queries, tokenHash: Buffer, email: string, expiresAt: Date) =>
  db.rows(insertOneLink, [tokenHash, email, expiresAt])

/** Returns its user; deletes it and all expired ones. */
export const useLink = async (db: Queries, tokenHash: Buffer): Promise<string | undefined> =>
  (await db.row<{ user_id: string }>(useOneLink, [tokenHash]))?.user_id

export const isOpenWorkspace = async (db: Queries, workspaceId: string): Promise<boolean> =>
  (await db.row(isOpen, [workspaceId])) !== undefined
