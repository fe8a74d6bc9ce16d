// Recordings: where they are on this machine and in storage, and their signed URLs.
import { mkdir, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RangedContent } from '../../../http/body/ranged-answer.ts'
import { type Link, signedLinks } from '../../../http/doors/signed-links.ts'
import { fail } from '../../../http/failure.ts'
import type { Infrastructure } from '../../../platform/infrastructure.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { openStorage, storageFolder } from '../../../platform/storage/open-storage.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { recordingPath, removeRecordingFile, repairRecording } from './recording-file.ts'

export interface RecordingsOptions {
  readonly vault: Vault
  readonly storage: Storage
  /** Where recordings are written, and stay until they are uploaded. */
  readonly folder: string
  /** Without a trailing slash; known once the service listens. */
  readonly publicUrl: () => string
  readonly urlSeconds: number
}

const purpose = 'recording address'

export type PlayableRecording = RangedContent

export const recordingName = (sessionId: string): string => basename(recordingPath('', sessionId))

export function recordings({ vault, storage, folder, publicUrl, urlSeconds }: RecordingsOptions) {
  const links = signedLinks({ vault, purpose, publicUrl, urlSeconds })

  return {
    link: (sessionId: string): Link => links.link(`/recordings/${sessionId}`, sessionId.toLowerCase()),

    /** Fails if the signature is wrong or expired. */
    mustBeSigned(sessionId: string, query: unknown): void {
      if (!links.isValid(sessionId.toLowerCase(), query)) fail('RECORDING_LINK_INVALID')
    },

    /** Reads the recording from this machine as long as it is here, even if storage cannot be reached. */
    async find(sessionId: string): Promise<PlayableRecording> {
      const path = recordingPath(folder, sessionId)
      const name = recordingName(sessionId)
      const here = await stat(path).catch(() => undefined)
      if (here) {
        return {
          bytes: here.size,
          etag: `"${here.size.toString(36)}-${Math.trunc(here.mtimeMs).toString(36)}"`,
          modifiedAt: here.mtime,
          // The file is gone once it is uploaded, which may be at any moment.
          async read(range) {
            const file = await open(path).catch(() => undefined)
            return (
              file?.createReadStream({ start: range.first, end: range.last }) ?? storage.read(name, range)
            )
          },
        }
      }
      const kept = (await storage.stat(name)) ?? fail('RECORDING_NOT_FOUND')
      return { ...kept, read: (range) => storage.read(name, range) }
    },
  }
}

export type Recordings = ReturnType<typeof recordings>

export interface RecordingArchive {
  /** The base URL of recordings. Set once we listen, unless the operator has set it. */
  address: string | undefined
  readonly storage: Storage
  /** Where calls write their recordings. */
  readonly folder: string
  readonly recordings: Recordings
  /** Completes the recording of a call whose process died, if it is on this machine. */
  salvage(sessionId: string): Promise<Link | null>
  /** Removes a recording from storage and from this machine, complete or not. */
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
