// Recordings: where they are written, where they are stored, and how they are served.
import { mkdir } from 'node:fs/promises'
import type { Link } from '../../../http/doors/signed-links.ts'
import type { Infrastructure } from '../../../platform/infrastructure.ts'
import { openStorage, storageFolder } from '../../../platform/storage/open-storage.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { recordingPath, removeRecordingFile, repairRecording } from './recording-file.ts'
import { type Recordings, recordingName, recordings } from './recordings.ts'

export interface RecordingArchive {
  /** The base URL of recordings. Set once we listen, unless the operator has set it. */
  address: string | undefined
  readonly storage: Storage
  /** Where calls write their recordings. */
  readonly folder: string
  readonly recordings: Recordings
  /** Completes the recording of a call whose process died, if it is on this machine. */
  salvage(sessionId: string): Promise<Link | null>
  /** From storage and from this machine, complete or not. */
  remove(sessionId: string): Promise<void>
}

export async function openRecordingArchive({
  config,
  vault,
}: Pick<Infrastructure, 'config' | 'vault'>): Promise<RecordingArchive> {
  const folder = storageFolder(config, 'recordings')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const storage = await openStorage(config, 'recordings')
  const archive: RecordingArchive = {
    address: config.publicUrl,
    storage,
    folder,
    recordings: recordings({
      vault,
      storage,
      folder,
      publicUrl: () => archive.address ?? '',
      urlSeconds: config.recordingUrlSeconds,
    }),
    salvage: async (sessionId) =>
      (await repairRecording(recordingPath(folder, sessionId))) ? archive.recordings.link(sessionId) : null,
    async remove(sessionId) {
      await storage.remove(recordingName(sessionId))
      await removeRecordingFile(folder, sessionId)
    },
  }
  return archive
}
