// Erases callers from files of the archive: first the calls, which are marked, then the events of marked calls.
import type { Db, Queries } from '../../platform/db/db.ts'
import type { ArchiveFiles, IsGone } from '../../platform/retention/archive-files.ts'
import {
  type ArchivedCall,
  archivedOfCaller,
  type CallerErasure,
  countErasedRecords,
  erasedAmong,
  markErased,
} from './erasure-store.ts'

/** False: a file is being written, which may have what was deleted a moment ago. */
export async function eraseArchived(
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

/** Marks those it finds: their events are found by it. */
const theirCalls =
  (db: Db, erasing: CallerErasure): IsGone =>
  async (lines) => {
    const calls = lines.map((line) => callIn(line, erasing))
    const found = await archivedOfCaller(db, erasing, calls)
    await markErased(db, found)
    const ids = new Set(found.map(({ session_id }) => session_id))
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
