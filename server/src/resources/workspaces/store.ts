// Workspaces in the database.
import type { PageQuery } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface WorkspaceRow {
  workspace_id: string
  name: string
  created_at: Date
}

const columns = 'workspace_id, name, created_at'

// $1 is null for a user who sees every workspace.
const visible = '($1::uuid[] IS NULL OR workspace_id = ANY($1))'

const insert = statement(`
  INSERT INTO workspaces (workspace_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${columns}`)

const selectPage = statement(`
  SELECT ${columns} FROM workspaces WHERE ${visible} ORDER BY created_at DESC, workspace_id DESC LIMIT $2 OFFSET $3`)

const count = statement(`SELECT count(*)::int AS total FROM workspaces WHERE ${visible}`)

const rename = statement(`UPDATE workspaces SET name = $2 WHERE workspace_id = $1 RETURNING ${columns}`)

const missing = statement(`
  SELECT wanted AS workspace_id FROM unnest($1::uuid[]) AS wanted
  WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = wanted)`)

const oldest = statement('SELECT workspace_id FROM workspaces ORDER BY created_at, workspace_id LIMIT 1')

/** Undefined if the id is taken. */
export const insertWorkspace = (db: Queries, workspaceId: string, name: string) =>
  db.row<WorkspaceRow>(insert, [workspaceId, name])

export const pageOfWorkspaces = (db: Queries, visibleIds: string[] | null, query: PageQuery) =>
  readPage<WorkspaceRow>(db, { select: selectPage, count }, [visibleIds], query)

export const renameWorkspace = (db: Queries, workspaceId: string, name: string) =>
  db.row<WorkspaceRow>(rename, [workspaceId, name])

export const missingWorkspaces = async (db: Queries, workspaceIds: string[]) =>
  (await db.rows<{ workspace_id: string }>(missing, [workspaceIds])).map(({ workspace_id }) => workspace_id)

export const oldestWorkspace = async (db: Queries) =>
  (await db.row<{ workspace_id: string }>(oldest))?.workspace_id
