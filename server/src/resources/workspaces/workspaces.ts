// The rules of workspaces.
import type { dashboard, PageQuery, Role } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import { isCountry } from '../destinations/destinations.ts'
import {
  insertWorkspace,
  missingWorkspaces,
  oldestWorkspace,
  pageOfWorkspaces,
  updateWorkspace,
  type WorkspaceRow,
} from './store.ts'

export { workspaceDeletions } from './deletions.ts'

export const workspaces = (db: Queries) => ({
  /** Creates a workspace for an owner, who is an admin of every workspace. */
  async create(name: string): Promise<dashboard.Workspace> {
    return view((await insertWorkspace(db, newId(), name)) as WorkspaceRow, 'admin')
  },

  /** Makes sure that a workspace with a predefined id exists. */
  async ensure(workspaceId: string, name: string): Promise<void> {
    await insertWorkspace(db, workspaceId, name)
  },

  /** `visibleIds` is null for a user who sees all of them. */
  async list(
    visibleIds: string[] | null,
    query: PageQuery,
    roleIn: (workspaceId: string) => Role = () => 'admin',
  ) {
    const page = await pageOfWorkspaces(db, visibleIds, query)
    return listOf(query, page, (row) => view(row, roleIn(row.workspace_id)))
  },

  /** Changes the name of a workspace, and what it may call. */
  async update(workspaceId: string, change: dashboard.WorkspaceChange): Promise<dashboard.Workspace> {
    mustBeCountries(change.allowed_destinations ?? [])
    return view((await updateWorkspace(db, workspaceId, change)) ?? fail('WORKSPACE_NOT_FOUND'), 'admin')
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

/** Codes that people write instead of those of ISO 3166. */
const otherwise: Readonly<Record<string, string>> = { UK: 'GB', EN: 'GB', EL: 'GR' }

function mustBeCountries(destinations: readonly string[]): void {
  const details = destinations.flatMap((name, at) => {
    if (name.startsWith('+') || isCountry(name)) return []
    const mend = otherwise[name]
      ? `Write ${otherwise[name]}.`
      : 'Write it in two letters of ISO 3166, such as DE.'
    return [{ path: `allowed_destinations.${at}`, message: `${name} is not a country. ${mend}` }]
  })
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

const view = (row: WorkspaceRow, role: Role): dashboard.Workspace => ({
  ...row,
  role,
  cost_per_day: row.cost_per_day === null ? null : Number(row.cost_per_day),
  created_at: row.created_at.toISOString(),
})
