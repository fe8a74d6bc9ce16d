// Recordings: where they are written, where they are stored, and how they are served.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Link } from '../http/doors/signed-links.ts'
import type { Config } from '../platform/config.ts'
import { openFileStorage } from '../platform/storage/file-storage.ts'
import { openS3Storage } from '../platform/storage/s3-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import {
  recordingPath,
  removeRecordingFile,
  repairRecording,
} from '../resources/calls/recordings/recording-file.ts'
import { nameOf, type Recordings, recordings } from '../resources/calls/recordings/recordings.ts'
import type { Infrastructure } from './infrastructure.ts'

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

/** Where complete recordings are. */
export const openRecordingStorage = async ({ s3, dataDir }: Config): Promise<Storage> =>
  s3 ? openS3Storage(s3) : openFileStorage(folderIn(dataDir))

const folderIn = (dataDir: string): string => join(dataDir, 'recordings')

export async function openRecordingArchive({ config, vault }: Infrastructure): Promise<RecordingArchive> {
  const folder = folderIn(config.dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const storage = await openRecordingStorage(config)
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
      await storage.remove(nameOf(sessionId))
      await removeRecordingFile(folder, sessionId)
    },
  }
  return archive
}
