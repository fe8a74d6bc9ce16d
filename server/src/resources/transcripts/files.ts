// The rules of files: what is accepted, how long it is kept, and that it is really deleted afterwards.
import { stat } from 'node:fs/promises'
import type { SpeechFile } from '@parley/contract'
import type { IncomingFile } from '../../http/body/file-tray.ts'
import type { RangedContent } from '../../http/body/ranged-answer.ts'
import type { SignedLinks } from '../../http/doors/signed-links.ts'
import { fail } from '../../http/failure.ts'
import type { Db } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { SoundDecoder } from '../../ports/sound-decoder.ts'
import {
  expireFile,
  type FileRow,
  findAnyFile,
  findFile,
  forgetFiles,
  insertFile,
  lockFile,
  takeExpiredFiles,
} from './file-store.ts'

export interface FilesOptions {
  readonly db: Db
  readonly storage: Storage
  readonly decoder: SoundDecoder
  readonly keptDays: number
  readonly links: SignedLinks
}

// The upload request waits for this probe; the decoder has limits of its own.
const lookMs = 30_000
// Small enough not to block others; the sweep continues with the rest.
const atOnce = 100

export const files = ({ db, storage, decoder, keptDays, links }: FilesOptions) => {
  const view = (row: FileRow): SpeechFile => ({
    file_id: row.file_id,
    filename: row.filename,
    bytes: Number(row.bytes),
    media_type: row.media_type,
    duration: row.duration,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    url: links.link(`/files/${row.file_id}/content`, row.file_id).url,
  })

  /** Content first: a row without content is swept again, but content without a row would stay forever. */
  const discard = async (fileIds: readonly string[]): Promise<void> => {
    for (const fileId of fileIds) await storage.remove(fileId)
    if (fileIds.length > 0) await forgetFiles(db, fileIds)
  }

  const sweep = async (): Promise<boolean> => {
    const fileIds = await db.transaction((tx) => takeExpiredFiles(tx, atOnce))
    await discard(fileIds)
    return fileIds.length === atOnce
  }

  return {
    /** True if there may be more to sweep. */
    sweep,

    /** For a file that has expired. */
    discard: (fileId: string) => discard([fileId]),

    async add(workspaceId: string, { path, filename }: IncomingFile): Promise<SpeechFile> {
      const facts = await decoder.inspect(path, AbortSignal.timeout(lookMs))
      if (!facts.ok) fail('NOT_AUDIO', { message: facts.reason })
      const { size: bytes } = await stat(path)
      const { mediaType, durationSeconds } = facts
      const fileId = newId()
      const row = await insertFile(db, {
        fileId,
        workspaceId,
        filename,
        mediaType,
        bytes,
        durationSeconds,
        keptDays,
      })
      await storage.take(fileId, path)
      // The file may have been deleted with its workspace meanwhile, before its content was there.
      if (!(await findAnyFile(db, fileId))) {
        await storage.remove(fileId)
        fail('FILE_NOT_FOUND')
      }
      return view(row)
    },

    get: async (workspaceId: string, fileId: string): Promise<SpeechFile> =>
      view((await findFile(db, workspaceId, fileId)) ?? fail('FILE_NOT_FOUND')),

    /** Returns the content that a signed address leads to. */
    async content(fileId: string, query: unknown): Promise<RangedContent & { readonly mediaType: string }> {
      if (!links.isValid(fileId, query)) fail('FILE_LINK_INVALID')
      const row = (await findAnyFile(db, fileId)) ?? fail('FILE_NOT_FOUND')
      const stored = (await storage.stat(fileId)) ?? fail('FILE_NOT_FOUND')
      return { ...stored, mediaType: row.media_type, read: (range) => storage.read(fileId, range) }
    },

    async remove(workspaceId: string, fileId: string) {
      const expired = await db.transaction(async (tx) => {
        if (!(await lockFile(tx, workspaceId, fileId))) fail('FILE_NOT_FOUND')
        const message = 'This file is being transcribed; wait for its transcripts, or delete them first.'
        return (await expireFile(tx, fileId)) ?? fail('RESOURCE_IN_USE', { message })
      })
      await discard([expired])
      await sweep()
      return { file_id: fileId, deleted: true as const }
    },
  }
}

export type Files = ReturnType<typeof files>
