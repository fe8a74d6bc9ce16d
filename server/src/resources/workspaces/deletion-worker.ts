// Deletes workspaces: in order, so that nothing new comes while the rest goes, and again from the beginning after a failure.
import type { Db } from '../../platform/db/db.ts'
import { type Job, OwnerDied } from '../../platform/jobs/job.ts'
import {
  countCalls,
  type DeletionEnd,
  deleteCalls,
  deleteFiles,
  deleteRest,
  deletionsTable,
  endEverything,
  expectRows,
  markDeleted,
  settleDeletions,
  someCalls,
  someFiles,
} from './deletion-store.ts'

export interface DeletionOptions {
  readonly db: Db
  /** From storage and from this machine. Succeeds if there is none. */
  readonly removeRecording: (sessionId: string) => Promise<void>
  /** An uploaded file of the speech-to-text service. Succeeds if there is none. */
  readonly removeFile: (fileId: string) => Promise<void>
}

const mostTries = 5
// Storage that is out of reach is often back within a minute.
const retryMs = 2_000

export const workspaceDeletionJob = ({
  db,
  removeRecording,
  removeFile,
}: DeletionOptions): Job<{ workspace_id: string }, DeletionEnd> => ({
  name: 'deletions of workspaces',
  table: deletionsTable,
  // One at a time is enough: it is disk work, and nobody waits for it in front of a screen.
  caps: { process: 1, lane: 4 },
  retry: {
    mostTries,
    delayMs: (tries) => retryMs * 4 ** (tries - 1),
    giveUp: (error) => ({ is: 'failed', error: reasonOf(error) }),
  },
  // Not drained: the next process goes on with what is left.
  drainMs: 0,
  settle: settleDeletions,
  outcomeOf: ({ is }) => is,

  async run({ job_id: deletionId, workspace_id: workspaceId }, { signal }) {
    const deleting = { deletionId, workspaceId }
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
    for (let files = await someFiles(db, deleting); files.length > 0; files = await someFiles(db, deleting)) {
      signal.throwIfAborted()
      for (const fileId of files) await removeFile(fileId)
      await deleteFiles(db, deleting, files)
    }
    await deleteRest(db, deleting, signal)
    return { is: 'completed' }
  },
})

function reasonOf(error: unknown): string {
  if (error instanceof OwnerDied) return 'The process that deleted it died every time.'
  const message = error instanceof Error ? error.message : String(error)
  return `It could not be completed: ${message.replace(/\.$/, '')}. What is counted is gone, and nobody can enter the rest.`
}
