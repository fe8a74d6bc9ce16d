// The back-up of an installation: its database, and the files of every kind that it knows.
import { Failure } from '../http/failure.ts'
import type { BackupReport, OnProgress } from '../platform/backup/backup-format.ts'
import { type FileKind, writeBackup } from '../platform/backup/write-backup.ts'
import { readSealing } from '../platform/sealing.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Infrastructure } from './infrastructure.ts'
import { openRecordingArchive } from './recording-archive.ts'
import { openArchiveStorage } from './retention.ts'
import { shortOf } from './secret.ts'
import { openUploadStorage } from './transcription.ts'

export async function backUp(
  infrastructure: Infrastructure,
  path: string,
  { withFiles, onProgress }: { withFiles: boolean; onProgress: OnProgress },
): Promise<BackupReport> {
  const { db, sessions: connection } = infrastructure
  const state = await readSealing(db)
  const fingerprints = [state?.fingerprint, state?.previous].flatMap((one) => (one ? [one] : []))
  await using opened = new AsyncDisposableStack()
  const files = withFiles ? await openFiles(infrastructure, opened) : []
  return await writeBackup(
    path,
    { connection, secretFingerprints: fingerprints.map(shortOf), files },
    onProgress,
  )
}

async function openFiles(
  infrastructure: Infrastructure,
  opened: AsyncDisposableStack,
): Promise<readonly FileKind[]> {
  const { config } = infrastructure
  const { recordings } = opened.adopt(await openRecordingArchive(infrastructure), (it) => it.storage.close())
  const uploads = opened.adopt(await openUploadStorage(config), (it) => it.close())
  const archives = opened.adopt(await openArchiveStorage(config), (it) => it.close())
  return [
    {
      folder: 'recordings',
      sql: 'SELECT session_id FROM calls WHERE recording IS NOT NULL',
      find: (id) => recordings.find(id).catch(orNone),
    },
    { folder: 'uploads', sql: 'SELECT file_id FROM speech_files', find: finder(uploads) },
    { folder: 'archive', sql: 'SELECT file FROM archives WHERE file IS NOT NULL', find: finder(archives) },
  ]
}

const finder =
  (storage: Storage): FileKind['find'] =>
  async (name) => {
    const found = await storage.stat(name)
    return found && { bytes: found.bytes, read: (range) => storage.read(name, range) }
  }

function orNone(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}
