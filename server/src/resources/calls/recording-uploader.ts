// Brings complete recordings to where they are kept, and mends those whose writer died. What storage does not take now
// stays on this machine and is offered again, also after a restart.
import { readdir } from 'node:fs/promises'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { recordingPath, repairRecording } from './recording-file.ts'
import { endedWithoutRecording, noteRecording } from './recording-store.ts'
import { type Link, nameOf } from './recordings.ts'

export interface RecordingUploaderOptions {
  readonly db: Db
  readonly log: Log
  readonly storage: Storage
  readonly folder: string
  readonly linkTo: (sessionId: string) => Link
}

// Nothing is in a hurry: what is here can be heard here.
const everyMs = 60_000
const brokenMs = 5_000

export function startRecordingUploader(options: RecordingUploaderOptions): Loop {
  const { folder, log } = options
  const step = async () => {
    await mendAll(options, idsOf(await readdir(folder), '.wav.part'))
    let left = 0
    for (const sessionId of idsOf(await readdir(folder), '.wav')) {
      const error = await keep(options, sessionId)
      if (error === undefined) continue
      left++
      log.warn({ err: error, session_id: sessionId }, 'recording waits for storage')
    }
    return left > 0 ? brokenMs : everyMs
  }
  return startLoop(step, (err) => {
    log.warn({ err }, 'recordings wait to be mended')
    return brokenMs
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const idsOf = (names: readonly string[], ending: string): string[] =>
  names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((id) => uuid.test(id))

/** What went wrong, if anything did. A neighbour in the same folder may have been quicker. */
const keep = ({ storage, folder }: RecordingUploaderOptions, sessionId: string): Promise<unknown> =>
  storage
    .take(nameOf(sessionId), recordingPath(folder, sessionId))
    .catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : error))

/** Only of calls that have ended: the others are being written to, perhaps by a neighbour. */
async function mendAll(
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
