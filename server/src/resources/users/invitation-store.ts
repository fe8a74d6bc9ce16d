// Links that let somebody in once, in the database: invitations, and links to choose a new password.
import type { dashboard, PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface InvitationRow {
  invitation_id: string
  email: string
  /** Whose password it is for; null: of an invitation. */
  user_id: string | null
  owner: boolean
  /** Their names as well, which lists leave out. */
  workspaces: (dashboard.Membership & { name: string })[]
  invited_by: string
  created_at: Date
  expires_at: Date
}

const columns = `
  i.invitation_id, i.email, i.user_id, i.owner, i.invited_by, i.created_at, i.expires_at,
  (SELECT coalesce(json_agg(json_build_object('workspace_id', w.workspace_id, 'role', t.role, 'name', w.name)
      ORDER BY w.name), '[]')
    FROM invitation_workspaces t JOIN workspaces w USING (workspace_id)
    WHERE t.invitation_id = i.invitation_id) AS workspaces`

// Invitations that lead nowhere but to these workspaces ($1; null: all).
const visible = `
  i.user_id IS NULL AND i.expires_at > now() AND ($1::uuid[] IS NULL OR (NOT i.owner AND NOT EXISTS (
    SELECT 1 FROM invitation_workspaces t WHERE t.invitation_id = i.invitation_id AND t.workspace_id <> ALL($1))))`

// A person who is invited again gets a new link, and the former one becomes invalid.
const insert = statement(`
  INSERT INTO invitations (invitation_id, token_hash, email, user_id, owner, invited_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`)
const insertWorkspaces = statement(`
  INSERT INTO invitation_workspaces (invitation_id, workspace_id, role) SELECT $1, * FROM unnest($2::uuid[], $3::text[])`)
const removeFormer = statement(`
  DELETE FROM invitations WHERE CASE WHEN $2::uuid IS NULL THEN user_id IS NULL AND lower(email) = lower($1)
    ELSE user_id = $2 END`)

const page = listStatements(
  columns,
  `invitations i WHERE ${visible}`,
  'i.created_at DESC, i.invitation_id DESC',
  1,
)
const selectByToken = statement(`
  SELECT ${columns} FROM invitations i WHERE i.token_hash = $1 AND i.expires_at > now()`)
const take = statement('DELETE FROM invitations WHERE invitation_id = $1 RETURNING invitation_id')
const revoke = statement(`
  DELETE FROM invitations i WHERE ${visible} AND i.invitation_id = $2 RETURNING i.invitation_id`)
const selectForEmail = statement(`
  SELECT ${columns} FROM invitations i WHERE i.user_id IS NULL AND lower(i.email) = lower($1) AND i.expires_at > now()`)
const prune = statement('DELETE FROM invitations WHERE expires_at <= now()')

export interface NewInvitation {
  readonly invitationId: string
  readonly tokenHash: Buffer
  readonly email: string
  readonly userId: string | null
  readonly owner: boolean
  readonly workspaces: readonly dashboard.Membership[]
  readonly invitedBy: string
  readonly expiresAt: Date
}

/** In the place of a former one for the same person. */
export async function insertInvitation(tx: Queries, made: NewInvitation): Promise<void> {
  const { invitationId, tokenHash, email, userId, owner, workspaces, invitedBy, expiresAt } = made
  await tx.rows(removeFormer, [email, userId])
  await tx.rows(insert, [invitationId, tokenHash, email, userId, owner, invitedBy, expiresAt])
  await tx.rows(insertWorkspaces, [
    invitationId,
    workspaces.map(({ workspace_id }) => workspace_id),
    workspaces.map(({ role }) => role),
  ])
}

export const pageOfInvitations = (db: Queries, visibleIds: string[] | null, query: PageQuery) =>
  readPage<InvitationRow>(db, page, [visibleIds], query)

/** Undefined if it was used, was revoked or has expired. */
export const findInvitation = (db: Queries, tokenHash: Buffer) =>
  db.row<InvitationRow>(selectByToken, [tokenHash])

export const findInvitationFor = (db: Queries, email: string) =>
  db.row<InvitationRow>(selectForEmail, [email])

/** False if somebody else has used it meanwhile. */
export const takeInvitation = async (tx: Queries, invitationId: string): Promise<boolean> =>
  (await tx.row(take, [invitationId])) !== undefined

export const revokeInvitation = async (db: Queries, visibleIds: string[] | null, invitationId: string) =>
  (await db.row(revoke, [visibleIds, invitationId])) !== undefined

export const pruneInvitations = (db: Queries) => db.rows(prune)
