// What a worker does for workspaces: it deletes them. In order, so that nothing new comes while the rest goes, and
// again from the beginning after a failure.
import { type Db, type Queries, statement } from '../../platform/db/db.ts'
import { type Job, OwnerDied } from '../../platform/jobs/job.ts'
import type { ArchiveFiles, IsGone } from '../../platform/retention/archive-files.ts'
import {
  countCalls,
  deleteCalls,
  deleteFiles,
  deleteRest,
  deleteSpeech,
  deleteWorkspace,
  endEverything,
  expectRows,
  markDeleted,
  someCalls,
  someFiles,
  someSpeech,
  tablesOfWorkspaces,
} from './content-store.ts'
import {
  countDeletedRecords,
  type DeletedWorkspace,
  type DeletionEnd,
  deletionsTable,
  isClosed,
  noteOf,
  settleDeletions,
} from './deletion-store.ts'

export interface DeletionOptions {
  readonly db: Db
  /** Removes a recording from storage and from this machine. Succeeds if there is none. */
  readonly removeRecording: (sessionId: string) => Promise<void>
  /** Removes an uploaded file of the speech-to-text service. Succeeds if there is none. */
  readonly removeFile: (fileId: string) => Promise<void>
  /** Removes kept speech. Succeeds if there is none. */
  readonly removeSpeech: (workspaceId: string, key: string) => Promise<void>
  readonly archive: ArchiveFiles
}

const mostTries = 10
// Storage that is out of reach is often back within a minute, and else within hours.
const retryMs = 2_000
const longestRetryMs = 60 * 60 * 1000

export const workspaceDeletionJob = (
  options: DeletionOptions,
): Job<{ workspace_id: string }, DeletionEnd> => ({
  name: 'deletions of workspaces',
  table: deletionsTable,
  // One deletion at a time is enough: it is disk work that nobody watches.
  caps: { process: 1, lane: 4 },
  retry: {
    mostTries,
    delayMs: (tries) => Math.min(longestRetryMs, retryMs * 4 ** (tries - 1)),
    giveUp: (error) => ({ is: 'failed', error: givenUp(error) }),
  },
  // The job is not drained: the next process goes on with what is left.
  drainMs: 0,
  settle: settleDeletions,
  outcomeOf: ({ is }) => is,

  async run({ job_id: deletionId, workspace_id: workspaceId }, { signal }) {
    const { db } = options
    const deleting = { deletionId, workspaceId }
    // The process that deleted it died before it could say so.
    if (!(await isClosed(db, deleting))) return { is: 'completed' }
    try {
      return await deleteAll(options, deleting, signal)
    } catch (error) {
      if (!signal.aborted) await noteOf(db, deleting, `${reasonOf(error)} It is tried again.`).catch(() => {})
      throw error
    }
  },
})

async function deleteAll(
  { db, removeRecording, removeFile, removeSpeech, archive }: DeletionOptions,
  deleting: DeletedWorkspace,
  signal: AbortSignal,
): Promise<DeletionEnd> {
  await expectRows(db, deleting)
  await endEverything(db, deleting)
  for (let calls = await someCalls(db, deleting); calls.length > 0; calls = await someCalls(db, deleting)) {
    signal.throwIfAborted()
    await markDeleted(db, calls)
    for (const { session_id } of calls) await removeRecording(session_id)
    await deleteCalls(db, deleting, calls)
  }
  const running = await countCalls(db, deleting)
  if (running > 0) return { is: 'waiting', why: `${running} calls are being ended.` }
  // Content is removed first: a row without content is found again, content without a row never is.
  for (let files = await someFiles(db, deleting); files.length > 0; files = await someFiles(db, deleting)) {
    signal.throwIfAborted()
    for (const fileId of files) await removeFile(fileId)
    await deleteFiles(db, deleting, files)
  }
  for (let keys = await someSpeech(db, deleting); keys.length > 0; keys = await someSpeech(db, deleting)) {
    signal.throwIfAborted()
    for (const key of keys) await removeSpeech(deleting.workspaceId, key)
    await deleteSpeech(db, deleting, keys)
  }
  await deleteRest(db, deleting, signal)
  // The archive comes after the rows: what is gone from the database is in no file that is written from now on.
  if (!(await eraseArchived(db, archive, deleting, signal)))
    return { is: 'waiting', why: 'A file of the archive is being written; it is looked through then.' }
  await deleteWorkspace(db, deleting)
  return { is: 'completed' }
}

/** Returns false while a file is being written, which may hold what was deleted a moment ago. */
async function eraseArchived(
  db: Db,
  archive: ArchiveFiles,
  deleting: DeletedWorkspace,
  signal: AbortSignal,
): Promise<boolean> {
  if (await archive.isBeingWritten()) return false
  const files = await archive.list()
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted()
    await noteOf(db, deleting, `The archive is looked through: file ${at + 1} of ${files.length}.`)
    await archive.remove(file, belongsTo(deleting), (tx, count) => countDeletedRecords(tx, deleting, count))
  }
  return true
}

const belongsTo =
  ({ workspaceId }: DeletedWorkspace): IsGone =>
  async (lines) =>
    // Reading a record takes longer than looking for the workspace in it.
    lines.map((line) => line.includes(workspaceId) && ownersOf(line).includes(workspaceId))

/** A record has one object that names its workspace, whatever log it is of. */
const ownersOf = (line: string): unknown[] =>
  Object.values(JSON.parse(line) as Record<string, { workspace_id?: unknown } | null>).map(
    (part) => part?.workspace_id,
  )

function reasonOf(error: unknown): string {
  if (error instanceof OwnerDied) return 'The process that deleted it died every time.'
  const message = error instanceof Error ? error.message : String(error)
  return `It could not be completed: ${message.replace(/\.$/, '')}.`
}

const givenUp = (error: unknown): string =>
  `${reasonOf(error)} What is counted is gone, nobody can enter the rest, and it is tried again in a day.`

// Deletions that have ended and have more to do: they are taken up again.

// An upload that was let in before the workspace was closed lasts at most that long.
const lateFor = `interval '1 day'`
// By then the obstacle has probably gone, or a person is needed.
const retryAfter = `interval '1 day'`
// Too large to be read for it. An event comes from a call, which is found itself.
const unread = 'events'

/**
 * Reopens deletions of a release that did not look into the archive, those that failed, and those whose workspace
 * some row has named since. Meanwhile the workspace exists again, closed, so that nobody can create another one with
 * its id.
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
