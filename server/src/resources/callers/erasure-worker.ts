// Erases callers: in order, so that nothing new comes while the rest goes, and again from the beginning after a failure.
// Whatever is gone is gone, and counted with it.
import type { Db } from '../../platform/db/db.ts'
import { type Job, OwnerDied } from '../../platform/jobs/job.ts'
import type { ArchiveFiles } from '../../platform/retention/archive-files.ts'
import type { Vault } from '../../platform/secrets.ts'
import { eraseArchived } from './erase-archived.ts'
import {
  type ClaimedErasure,
  callsLeft,
  cancelWaitingCalls,
  type ErasureEnd,
  eraseCalls,
  eraseMemories,
  eraseRecipients,
  erasurePurpose,
  erasuresTable,
  expectCalls,
  markErased,
  nextCalls,
  settleErasures,
} from './erasure-store.ts'

export interface ErasureOptions {
  readonly db: Db
  readonly vault: Vault
  /** From storage and from this machine. Succeeds if there is none. */
  readonly removeRecording: (sessionId: string) => Promise<void>
  readonly archive: ArchiveFiles
}

const mostTries = 5
// Storage that is out of reach is often back within a minute.
const retryMs = 2_000

// One at a time is enough: it is disk work, and nobody waits for it in front of a screen.
const caps = { process: 1, lane: 4 }

export const erasureJob = ({
  db,
  vault,
  removeRecording,
  archive,
}: ErasureOptions): Job<ClaimedErasure, ErasureEnd> => ({
  name: 'erasures',
  table: erasuresTable,
  caps,
  retry: {
    mostTries,
    delayMs: (tries) => retryMs * 4 ** (tries - 1),
    giveUp: (error) => ({ is: 'failed', error: reasonOf(error) }),
  },
  // Not drained: the next process goes on with what is left.
  drainMs: 0,
  settle: settleErasures,
  outcomeOf: ({ is }) => is,

  async run({ job_id: erasureId, workspace_id: workspaceId, caller }, { signal }) {
    const erasing = { erasureId, workspaceId, caller: vault.open(erasurePurpose, erasureId, caller) }
    await expectCalls(db, erasing)
    await cancelWaitingCalls(db, erasing)
    await eraseRecipients(db, erasing, signal)
    for (let calls = await nextCalls(db, erasing); calls.length > 0; calls = await nextCalls(db, erasing)) {
      signal.throwIfAborted()
      await markErased(db, calls)
      for (const { session_id } of calls) await removeRecording(session_id)
      await eraseCalls(db, erasing, calls)
    }
    if ((await callsLeft(db, erasing)) > 0)
      return { is: 'waiting', why: 'A call with them is under way; it is erased when it has ended.' }
    // After the calls: the end of a call is remembered.
    await eraseMemories(db, erasing)
    if (!(await eraseArchived(db, archive, erasing, signal)))
      return { is: 'waiting', why: 'A file of the archive is being written; it is looked through then.' }
    return { is: 'completed' }
  },
})

function reasonOf(error: unknown): string {
  if (error instanceof OwnerDied) return 'The process that erased it died every time.'
  const message = error instanceof Error ? error.message : String(error)
  return `It could not be completed: ${message.replace(/\.$/, '')}. What is counted is gone; ask again for the rest.`
}
