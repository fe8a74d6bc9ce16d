// Deletions that have ended and have more to do: they are taken up again.
import { type Queries, statement } from '../../platform/db/db.ts'
import { tablesOfWorkspaces } from './content-store.ts'

// An upload that was let in before the workspace was closed lasts at most that long.
const lateFor = `interval '1 day'`
// Whatever was in the way is probably mended by then, or a person is needed.
const retryAfter = `interval '1 day'`
// Too large to be read for it. An event comes from a call, which is found itself.
const unread = 'events'

/**
 * Those of a release that did not look into the archive, those that failed, and those whose workspace something has named
 * since. Meanwhile the workspace is there again, closed: nobody can create another one with its id.
 */
export async function reopenDeletions(db: Queries): Promise<void> {
  const tables = (await tablesOfWorkspaces(db)).filter(({ whole }) => whole !== unread)
  const isNamed = tables.map(
    ({ table }) => `EXISTS (SELECT FROM "${table}" t WHERE t.workspace_id = d.workspace_id)`,
  )
  await db.rows(
    statement(`
      WITH again AS (
        SELECT d.deletion_id, d.workspace_id, d.name FROM workspace_deletions d
          LEFT JOIN workspaces w USING (workspace_id)
        WHERE (d.status = 'failed' AND d.completed_at < now() - ${retryAfter} AND w.closed_at IS NOT NULL)
          OR (d.status = 'completed' AND w.workspace_id IS NULL AND (d.archived IS NULL
            OR (d.completed_at > now() - ${lateFor} AND (${isNamed.join(' OR ')}))))
      ), closed AS (
        INSERT INTO workspaces (workspace_id, name, closed_at) SELECT workspace_id, name, now() FROM again
        ON CONFLICT DO NOTHING
      )
      UPDATE workspace_deletions d
      SET status = 'queued', error = NULL, tries = 0, due_at = now(), completed_at = NULL
      FROM again WHERE d.deletion_id = again.deletion_id`),
  )
}
