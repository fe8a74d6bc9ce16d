// Asks for the deletion of a workspace, and says how far it is.
import type { dashboard, PageQuery } from '@parley/contract'
import { refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Db } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import { closeWorkspace, type DeletionRow, pageOfDeletions } from './deletion-store.ts'

/** Who asks. Without an id: the command line. */
export interface Requester {
  readonly userId: string | null
  readonly name: string
}

export const workspaceDeletions = (db: Db) => ({
  /** Its name is typed once more: nothing of it can be brought back. */
  async request(workspaceId: string, name: string, by: Requester): Promise<dashboard.WorkspaceDeletion> {
    const wanted = { deletionId: newId(), workspaceId, name, userId: by.userId, requester: by.name }
    const row = await db.transaction((tx) => closeWorkspace(tx, wanted))
    return view(row ?? refuseField('name', 'This is not the name of the workspace.'))
  },

  /** Null: those of everybody. */
  list: async (userId: string | null, query: PageQuery) =>
    listOf(query, await pageOfDeletions(db, userId, query), view),
})

export type WorkspaceDeletions = ReturnType<typeof workspaceDeletions>

const view = (row: DeletionRow): dashboard.WorkspaceDeletion => ({
  deletion_id: row.deletion_id,
  workspace_id: row.workspace_id,
  name: row.name,
  status: row.status,
  progress: progressOf(row),
  removed: {
    calls: row.calls,
    recordings: row.recordings,
    files: row.files,
    rows: Number(row.rows),
    archived: row.archived ?? 0,
  },
  error: row.error,
  requested_by: row.requester,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
})

function progressOf({ status, expected, calls, files, rows }: DeletionRow): number {
  if (status === 'completed') return 1
  return expected === null ? 0 : Math.min(0.99, (calls + files + Number(rows)) / (Number(expected) + 1))
}
