// The rules of workspaces.
import { type dashboard, type PageQuery, paginate } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import {
  insertWorkspace,
  missingWorkspaces,
  oldestWorkspace,
  pageOfWorkspaces,
  renameWorkspace,
  type WorkspaceRow,
} from './store.ts'

export const workspaces = (db: Queries) => ({
  async create(name: string): Promise<dashboard.Workspace> {
    return view((await insertWorkspace(db, newId(), name)) as WorkspaceRow)
  },

  /** For a workspace with a predefined id. */
  async ensure(workspaceId: string, name: string): Promise<void> {
    await insertWorkspace(db, workspaceId, name)
  },

  /** `visibleIds` is null for a user who sees all of them. */
  async list(visibleIds: string[] | null, query: PageQuery) {
    const { rows, total } = await pageOfWorkspaces(db, visibleIds, query)
    return { data: rows.map(view), pagination: paginate(query, total) }
  },

  async rename(workspaceId: string, name: string): Promise<dashboard.Workspace> {
    return view((await renameWorkspace(db, workspaceId, name)) ?? fail('WORKSPACE_NOT_FOUND'))
  },

  async mustExist(workspaceIds: string[], path: string): Promise<void> {
    const missing = await missingWorkspaces(db, workspaceIds)
    if (missing.length === 0) return
    fail('VALIDATION_ERROR', {
      details: missing.map((id) => ({ path, message: `There is no workspace ${id}.` })),
    })
  },

  first: () => oldestWorkspace(db),
})

export type Workspaces = ReturnType<typeof workspaces>

const view = ({ workspace_id, name, created_at }: WorkspaceRow): dashboard.Workspace => ({
  workspace_id,
  name,
  created_at: created_at.toISOString(),
})
