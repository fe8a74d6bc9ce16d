// Erases deleted workspaces from files of the archive.
import type { Db } from '../../platform/db/db.ts'
import type { ArchiveFiles, IsGone } from '../../platform/retention/archive-files.ts'
import { countArchived, type Deleting, noteOf } from './deletion-store.ts'

/** False: a file is being written, which may have what was deleted a moment ago. */
export async function eraseArchived(
  db: Db,
  archive: ArchiveFiles,
  deleting: Deleting,
  signal: AbortSignal,
): Promise<boolean> {
  if (await archive.isBeingWritten()) return false
  const files = await archive.list()
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted()
    await noteOf(db, deleting, `The archive is looked through: file ${at + 1} of ${files.length}.`)
    await archive.remove(file, belongsTo(deleting), (tx, count) => countArchived(tx, deleting, count))
  }
  return true
}

const belongsTo =
  ({ workspaceId }: Deleting): IsGone =>
  async (lines) =>
    // Reading a record takes longer than looking for the workspace in it.
    lines.map((line) => line.includes(workspaceId) && ownersOf(line).includes(workspaceId))

/** A record has one object that names its workspace, whatever log it is of. */
const ownersOf = (line: string): unknown[] =>
  Object.values(JSON.parse(line) as Record<string, { workspace_id?: unknown } | null>).map(
    (part) => part?.workspace_id,
  )
