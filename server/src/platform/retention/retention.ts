// How long logs are kept: whether what expires is archived first, and where to.
import type { Infrastructure } from '../infrastructure.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { removeAbandonedParts } from '../storage/file-storage.ts'
import { openStorage, storageFolder } from '../storage/open-storage.ts'
import { type ArchiveFiles, archiveFiles } from './archive-files.ts'
import { archivedUntil, planArchives, releaseDays } from './archive-store.ts'
import { archiveJob } from './archive-worker.ts'
import { type ExpiringLog, lastId } from './expiring-log.ts'
import { keepLog } from './keep-log.ts'

// Expired records may stay a little longer.
const sweepMs = 10 * 60 * 1000

type RetentionParts = Pick<Infrastructure, 'config' | 'db'>

export async function startRetention(
  { config, db }: RetentionParts,
  jobs: Jobs,
  logs: readonly ExpiringLog[],
): Promise<{ close(): Promise<void> }> {
  const folder = storageFolder(config, 'archive')
  const storage = config.archive ? await openStorage(config, 'archive') : undefined
  if (storage) await jobs.start(archiveJob({ db, logs, storage, folder }))
  /** True if there is more to delete. */
  const keep = async (log: ExpiringLog): Promise<boolean> => {
    await (storage ? planArchives(db, log) : releaseDays(db))
    return keepLog(db, log, storage ? await archivedUntil(db, log.name) : lastId)
  }
  await jobs.sweep({
    name: 'retention',
    everyMs: sweepMs,
    afterErrorMs: sweepMs,
    async run() {
      await removeAbandonedParts(folder)
      let hasMore = false
      for (const log of logs) if (await keep(log)) hasMore = true
      return hasMore ? 0 : sweepMs
    },
  })
  return { close: async () => storage?.close() }
}

/** Opens the files of the archive, also if nothing is archived any more. */
export const openArchiveFiles = ({ config, db }: RetentionParts): ArchiveFiles =>
  archiveFiles({
    db,
    openStorage: () => openStorage(config, 'archive'),
    folder: storageFolder(config, 'archive'),
  })
