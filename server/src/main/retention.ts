// How long calls and events are kept: which logs there are, whether they are archived first, and where to.
import { join } from 'node:path'
import type { Config } from '../platform/config.ts'
import type { Sweep } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { type ArchiveFiles, archiveFiles } from '../platform/retention/archive-files.ts'
import { archivedUntil, planArchives, releaseDays } from '../platform/retention/archive-store.ts'
import { archiveJob } from '../platform/retention/archive-worker.ts'
import { type ExpiringLog, lastId } from '../platform/retention/expiring-log.ts'
import { keepLog } from '../platform/retention/keep-log.ts'
import { removeAbandonedParts } from '../platform/storage/abandoned-parts.ts'
import { openFileStorage } from '../platform/storage/file-storage.ts'
import { openS3Storage } from '../platform/storage/s3-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { callLog } from '../resources/calls/record/call-log.ts'
import { eventLog } from '../resources/webhooks/event-log.ts'
import type { Infrastructure } from './infrastructure.ts'

// What has expired may be there a little longer.
const sweepMs = 10 * 60 * 1000

export async function startRetention(
  { config, db }: Infrastructure,
  jobs: Jobs,
): Promise<{ close(): Promise<void> }> {
  const logs = [callLog(config.callLogDays), eventLog(config.webhookLogDays)]
  const folder = folderIn(config.dataDir)
  if (!config.archive) {
    await jobs.sweep(
      retentionSweep(logs, folder, async (log) => {
        await releaseDays(db)
        return keepLog(db, log, lastId)
      }),
    )
    return { close: async () => {} }
  }
  const storage = await openArchiveStorage(config)
  await jobs.start(archiveJob({ db, logs, storage, folder }))
  await jobs.sweep(
    retentionSweep(logs, folder, async (log) => {
      await planArchives(db, log)
      return keepLog(db, log, await archivedUntil(db, log.name))
    }),
  )
  return { close: async () => storage.close() }
}

/** What there is of the archive, also if nothing is archived any more. */
export const openArchiveFiles = ({ config, db }: Infrastructure): ArchiveFiles =>
  archiveFiles({ db, openStorage: () => openArchiveStorage(config), folder: folderIn(config.dataDir) })

/** Where archives are. */
export const openArchiveStorage = async ({ s3, dataDir }: Config): Promise<Storage> =>
  s3
    ? openS3Storage({ ...s3, prefix: `${s3.prefix}archive/` }, 'application/gzip')
    : openFileStorage(folderIn(dataDir))

const folderIn = (dataDir: string): string => join(dataDir, 'archive')

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
