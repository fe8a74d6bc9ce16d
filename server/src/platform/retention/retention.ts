// How long logs are kept: whether what expires is archived first, and where to.
import type { Infrastructure } from '../infrastructure.ts'
import type { Sweep } from '../jobs/job.ts'
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
  if (!config.archive) {
    await jobs.sweep(
      retentionSweep(logs, folder, async (log) => {
        await releaseDays(db)
        return keepLog(db, log, lastId)
      }),
    )
    return { close: async () => {} }
  }
  const storage = await openStorage(config, 'archive')
  await jobs.start(archiveJob({ db, logs, storage, folder }))
  await jobs.sweep(
    retentionSweep(logs, folder, async (log) => {
      await planArchives(db, log)
      return keepLog(db, log, await archivedUntil(db, log.name))
    }),
  )
  return { close: async () => storage.close() }
}

/** Opens the files of the archive, also if nothing is archived any more. */
export const openArchiveFiles = ({ config, db }: RetentionParts): ArchiveFiles =>
  archiveFiles({
    db,
    openStorage: () => openStorage(config, 'archive'),
    folder: storageFolder(config, 'archive'),
  })

/** `keep` returns true if there is more to delete. */
const retentionSweep = (
  logs: readonly ExpiringLog[],
  folder: string,
  keep: (log: ExpiringLog) => Promise<boolean>,
): Sweep => ({
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
