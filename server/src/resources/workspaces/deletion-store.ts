// Deletions of workspaces in the database: asked for, claimed, told of, settled.
import type { PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import type { JobTable, SettledRow } from '../../platform/jobs/job.ts'

export interface DeletionRow {
  deletion_id: string
  workspace_id: string
  name: string
  requester: string
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  error: string | null
  /** A bigint: text, and so is `rows`. */
  expected: string | null
  calls: number
  recordings: number
  files: number
  rows: string
  /** Null: the archive has not been looked through. */
  archived: number | null
  created_at: Date
  completed_at: Date | null
}

export const deletionsTable: JobTable = {
  table: 'workspace_deletions',
  id: 'deletion_id',
  waiting: 'completed_at IS NULL',
  oldestFirst: true,
  triesColumn: 'tries',
  onClaim: "status = 'in_progress'",
  returning: 'd.workspace_id',
}

const columns = `deletion_id, workspace_id, name, requester, status, error, expected, calls, recordings, files, rows, archived,
  created_at, completed_at`

// Closes the workspace: neither people nor programs can enter it from now on.
const close = statement(`
  UPDATE workspaces SET closed_at = now()
  WHERE workspace_id = $1 AND closed_at IS NULL AND name = $2 RETURNING workspace_id`)
const dismissMembers = statement('DELETE FROM user_workspaces WHERE workspace_id = $1')
// Invitations to this workspace alone are withdrawn at once; otherwise the admins of all other workspaces would see
// them.
const withdrawInvitations = statement(`
  DELETE FROM invitations i
  WHERE NOT owner AND EXISTS (
      SELECT FROM invitation_workspaces t WHERE t.invitation_id = i.invitation_id AND t.workspace_id = $1)
    AND NOT EXISTS (
      SELECT FROM invitation_workspaces t WHERE t.invitation_id = i.invitation_id AND t.workspace_id <> $1)`)
const removeLoneKeys = statement(`
  DELETE FROM api_keys k
  WHERE workspace_id IS NULL
    AND EXISTS (SELECT FROM api_key_access a WHERE a.api_key_id = k.api_key_id AND a.workspace_id = $1)
    AND NOT EXISTS (SELECT FROM api_key_access a WHERE a.api_key_id = k.api_key_id AND a.workspace_id <> $1)`)
const revokeKeys = statement('UPDATE api_keys SET active = false WHERE workspace_id = $1')
const withdrawAccess = statement(
  "WITH gone AS (DELETE FROM api_key_access WHERE workspace_id = $1) SELECT pg_notify('api_keys', '')",
)
const insert = statement(`
  INSERT INTO workspace_deletions (deletion_id, workspace_id, name, requested_by, requester)
  VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`)

const page = listStatements(
  columns,
  'workspace_deletions WHERE ($1::uuid IS NULL OR requested_by = $1)',
  'created_at DESC, deletion_id DESC',
  1,
)

const closed = statement('SELECT 1 FROM workspaces WHERE workspace_id = $1 AND closed_at IS NOT NULL')
const note = statement('UPDATE workspace_deletions SET error = $2 WHERE deletion_id = $1')
const addArchived = statement(
  'UPDATE workspace_deletions SET archived = coalesce(archived, 0) + $2 WHERE deletion_id = $1',
)

const complete = statement(`
  UPDATE workspace_deletions SET status = 'completed', error = NULL, archived = coalesce(archived, 0), claimed_by = NULL,
    completed_at = now()
  WHERE deletion_id = $1 AND claimed_by = $2`)
const fail = statement(`
  UPDATE workspace_deletions SET status = 'failed', error = $3, claimed_by = NULL, completed_at = now()
  WHERE deletion_id = $1 AND claimed_by = $2`)
const wait = statement(`
  UPDATE workspace_deletions SET status = 'queued', error = $3, claimed_by = NULL, tries = 0,
    due_at = now() + interval '1 second'
  WHERE deletion_id = $1 AND claimed_by = $2`)

export interface NewDeletion {
  readonly deletionId: string
  readonly workspaceId: string
  readonly name: string
  readonly userId: string | null
  readonly requester: string
}

/** In a transaction. Undefined if there is no open workspace with this id and name. */
export async function closeWorkspace(tx: Queries, made: NewDeletion): Promise<DeletionRow | undefined> {
  const { deletionId, workspaceId, name, userId, requester } = made
  if (!(await tx.row(close, [workspaceId, name]))) return undefined
  for (const withdraw of [dismissMembers, withdrawInvitations, removeLoneKeys, revokeKeys, withdrawAccess])
    await tx.rows(withdraw, [workspaceId])
  return tx.row<DeletionRow>(insert, [deletionId, workspaceId, name, userId, requester])
}

/** Null: of everybody. */
export const pageOfDeletions = (db: Queries, userId: string | null, query: PageQuery) =>
  readPage<DeletionRow>(db, page, [userId], query)

/** Which workspace, and by which request. */
export interface DeletedWorkspace {
  readonly deletionId: string
  readonly workspaceId: string
}

/** False: it is gone, or was created anew with the same id. */
export const isClosed = async (db: Queries, { workspaceId }: DeletedWorkspace): Promise<boolean> =>
  (await db.row(closed, [workspaceId])) !== undefined

/** Stores what the deletion is doing, waits for, or failed of. */
export const noteOf = (db: Queries, { deletionId }: DeletedWorkspace, sentence: string) =>
  db.rows(note, [deletionId, sentence])

export const countDeletedRecords = (db: Queries, { deletionId }: DeletedWorkspace, records: number) =>
  db.rows(addArchived, [deletionId, records])

export type DeletionEnd =
  | { readonly is: 'completed' }
  | { readonly is: 'failed'; readonly error: string }
  /** Calls are under way, or a file of the archive is being written. */
  | { readonly is: 'waiting'; readonly why: string }

export async function settleDeletions(
  db: Queries,
  settled: readonly SettledRow<DeletionEnd>[],
): Promise<void> {
  for (const { id, claimantId, result } of settled) {
    if (result.is === 'waiting') await db.rows(wait, [id, claimantId, result.why])
    else if (result.is === 'failed') await db.rows(fail, [id, claimantId, result.error])
    else await db.rows(complete, [id, claimantId])
  }
}
