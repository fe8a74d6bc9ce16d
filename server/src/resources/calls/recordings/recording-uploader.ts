// Uploads complete recordings to storage, and repairs those whose writer died. What storage does not accept stays on
// this machine and is retried, also after a restart: the folder is the queue.
import { readdir } from 'node:fs/promises'
import type { Link } from '../../../http/doors/signed-links.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Sweep } from '../../../platform/jobs/job.ts'
import { startSweep } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import type { Loop } from '../../../platform/loop.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { erasedAmong } from '../../callers/callers.ts'
import { recordingPath, removeRecordingFile, repairRecording } from './recording-file.ts'
import { endedWithoutRecording, noteRecording } from './recording-store.ts'
import { recordingName } from './recordings.ts'

export interface RecordingUploaderOptions {
  readonly db: Db
  readonly log: Log
  readonly storage: Storage
  readonly folder: string
  readonly linkTo: (sessionId: string) => Link
}

// Not urgent: a recording can be played from this machine too.
const everyMs = 60_000
const brokenMs = 5_000

export const startRecordingUploader = (options: RecordingUploaderOptions): Loop =>
  startSweep(recordingUploads(options), options)

const recordingUploads = (options: RecordingUploaderOptions): Sweep => ({
  name: 'recordings',
  everyMs,
  afterErrorMs: brokenMs,
  async run() {
    const { folder, log } = options
    await removeErased(options, await readdir(folder))
    await repairAll(options, idsOf(await readdir(folder), '.wav.part'))
    let left = 0
    for (const sessionId of idsOf(await readdir(folder), '.wav')) {
      const error = await upload(options, sessionId)
      if (error === undefined) continue
      left++
      log.warn({ err: error, session_id: sessionId }, 'recording not uploaded; retrying later')
    }
    return left > 0 ? brokenMs : everyMs
  },
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const idsOf = (names: readonly string[], ending: string): string[] =>
  names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((id) => uuid.test(id))

/** Calls that were erased elsewhere while their recording was here. */
async function removeErased(
  { db, folder }: RecordingUploaderOptions,
  names: readonly string[],
): Promise<void> {
  const sessionIds = [...idsOf(names, '.wav'), ...idsOf(names, '.wav.part')]
  if (sessionIds.length === 0) return
  for (const sessionId of await erasedAmong(db, sessionIds)) await removeRecordingFile(folder, sessionId)
}

/** Returns the error, if any. Another process with the same folder may have been faster. */
const upload = ({ db, storage, folder }: RecordingUploaderOptions, sessionId: string): Promise<unknown> =>
  storage
    .take(recordingName(sessionId), recordingPath(folder, sessionId))
    .then(async () => {
      // The call may have been erased meanwhile, before its recording was there.
      if ((await erasedAmong(db, [sessionId])).length > 0) await storage.remove(recordingName(sessionId))
    })
    .catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : error))

/** Repairs recordings of ended calls only: the others are still being written, perhaps by another process. */
async function repairAll(
  { db, folder, linkTo }: RecordingUploaderOptions,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return
  for (const sessionId of await endedWithoutRecording(db, sessionIds)) {
    if (await repairRecording(recordingPath(folder, sessionId))) {
      await noteRecording(db, sessionId, linkTo(sessionId))
    }
  }
}
