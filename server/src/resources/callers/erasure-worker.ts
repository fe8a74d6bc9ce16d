// Erases callers: in order, so that nothing new comes while the rest goes, and again from the beginning after a
// failure. Each step counts what it has removed.
import type { Db, Queries } from '../../platform/db/db.ts'
import { type Job, OwnerDied } from '../../platform/jobs/job.ts'
import type { ArchiveFiles, IsGone } from '../../platform/retention/archive-files.ts'
import type { Vault } from '../../platform/secrets.ts'
import {
  type ArchivedCall,
  archivedOfCaller,
  type CallerErasure,
  type ClaimedErasure,
  callsLeft,
  cancelWaitingCalls,
  countErasedRecords,
  type ErasureEnd,
  eraseCalls,
  erasedAmong,
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
  /** Removes a recording from storage and from this machine. Succeeds if there is none. */
  readonly removeRecording: (sessionId: string) => Promise<void>
  readonly archive: ArchiveFiles
}

const mostTries = 5
// Storage that is out of reach is often back within a minute.
const retryMs = 2_000

// One erasure at a time is enough: it is disk work that nobody watches.
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
  // The job is not drained: the next process goes on with what is left.
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
    // Memories are erased after the calls, because the end of a call adds to them.
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

// Erases callers from files of the archive: first the calls, which are marked, then the events of marked calls.

/** Returns false while a file is being written, which may hold what was deleted a moment ago. */
async function eraseArchived(
  db: Db,
  archive: ArchiveFiles,
  erasing: CallerErasure,
  signal: AbortSignal,
): Promise<boolean> {
  if (await archive.isBeingWritten()) return false
  const also = (tx: Queries, count: number) => countErasedRecords(tx, erasing, count)
  for (const [log, isGone] of [
    ['calls', theirCalls(db, erasing)],
    ['events', eventsOfErased(db, erasing)],
  ] as const)
    for (const file of await archive.list(log)) {
      signal.throwIfAborted()
      await archive.remove(file, isGone, also)
    }
  return true
}

/** Marks the calls that it finds, so that their events are found by the mark. */
const theirCalls =
  (db: Db, erasing: CallerErasure): IsGone =>
  async (lines) => {
    const calls = lines.map((line) => callIn(line, erasing))
    const ofCaller = await archivedOfCaller(db, erasing, calls)
    await markErased(db, ofCaller)
    const ids = new Set(ofCaller.map(({ session_id }) => session_id))
    return calls.map((call) => call !== undefined && ids.has(call.session_id))
  }

const eventsOfErased =
  (db: Db, erasing: CallerErasure): IsGone =>
  async (lines) => {
    const ids = lines.map((line) => callOfEvent(line, erasing))
    const erased = new Set(
      await erasedAmong(
        db,
        ids.filter((id) => id !== undefined),
      ),
    )
    return ids.map((id) => id !== undefined && erased.has(id))
  }

/** Reading a record takes longer than looking for the workspace in it. */
const ofWorkspace = (line: string, { workspaceId }: CallerErasure): boolean => line.includes(workspaceId)

const callIn = (line: string, erasing: CallerErasure): ArchivedCall | undefined =>
  ofWorkspace(line, erasing) ? (JSON.parse(line) as { call: ArchivedCall }).call : undefined

// An event of an earlier release does not say which call it is of, except in its body.
const inBody = /"session_id" ?: ?"([0-9a-f-]{36})"/

function callOfEvent(line: string, erasing: CallerErasure): string | undefined {
  if (!ofWorkspace(line, erasing)) return undefined
  const { event } = JSON.parse(line) as { event: { session_id: string | null; payload: string } }
  return event.session_id ?? inBody.exec(event.payload)?.[1]
}
