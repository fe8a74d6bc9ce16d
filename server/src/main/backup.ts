// The back-up of an installation, which is its database and the files of every kind that it knows, and its
// restoration on an empty machine.
import { join } from 'node:path'
import { Failure } from '../http/failure.ts'
import type { BackupReport, OnProgress } from '../platform/backup/backup-format.ts'
import { openBackup, type RestoredFiles } from '../platform/backup/read-backup.ts'
import { type FileKind, writeBackup } from '../platform/backup/write-backup.ts'
import type { Config } from '../platform/config.ts'
import { findDatabase, prepareDataDir } from '../platform/db/find-database.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { readOwnSecret } from '../platform/own-secret.ts'
import { Refusal } from '../platform/refusal.ts'
import { readSealing } from '../platform/sealing.ts'
import { shortFingerprint } from '../platform/secret-rotation.ts'
import { openVault } from '../platform/secrets.ts'
import { openStorage, type StorageKind } from '../platform/storage/open-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { openRecordingArchive, recordingName } from '../resources/calls/work.ts'

export async function backUp(
  infrastructure: Infrastructure,
  path: string,
  { withFiles, onProgress }: { withFiles: boolean; onProgress: OnProgress },
): Promise<BackupReport> {
  const { db, sessions: connection } = infrastructure
  const state = await readSealing(db)
  const fingerprints = [state?.fingerprint, state?.previous].flatMap((one) => (one ? [one] : []))
  await using opened = new AsyncDisposableStack()
  const files = withFiles ? await filesToKeep(infrastructure, opened) : []
  return await writeBackup(
    path,
    { connection, secretFingerprints: fingerprints.map(shortFingerprint), files },
    onProgress,
  )
}

async function filesToKeep(
  infrastructure: Infrastructure,
  opened: AsyncDisposableStack,
): Promise<readonly FileKind[]> {
  const { config } = infrastructure
  const { recordings } = opened.adopt(await openRecordingArchive(infrastructure), (it) => it.storage.close())
  const uploads = opened.adopt(await openStorage(config, 'uploads'), (it) => it.close())
  const archives = opened.adopt(await openStorage(config, 'archive'), (it) => it.close())
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
    const stored = await storage.stat(name)
    return stored && { bytes: stored.bytes, read: (range) => storage.read(name, range) }
  }

function orNone(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

export async function restore(config: Config, path: string, onProgress: OnProgress): Promise<BackupReport> {
  await using opened = new AsyncDisposableStack()
  const backup = opened.adopt(await openBackup(path), (it) => it.close())
  await prepareDataDir(config.dataDir)
  await mustHaveSecret(config, backup.secretFingerprints)
  const { sessions: connection, stop } = await findDatabase(config)
  opened.defer(stop)
  const files = await placesOfFiles(config, opened)
  return await backup.restore({ connection, files, folder: join(config.dataDir, 'restoring') }, onProgress)
}

async function mustHaveSecret({ secret, previousSecret, dataDir }: Config, fingerprints: readonly string[]) {
  const given = secret ?? (await readOwnSecret(dataDir))
  const known = [given, previousSecret].flatMap((one) =>
    one ? [shortFingerprint(openVault(one).fingerprint)] : [],
  )
  const unknown = fingerprints.find((fingerprint) => !known.includes(fingerprint))
  if (unknown)
    throw new Refusal(
      `The back-up needs the secret with the fingerprint ${unknown}: set PARLEY_SECRET, or put it into ${join(dataDir, 'secret')}.`,
    )
}

async function placesOfFiles(
  config: Config,
  opened: AsyncDisposableStack,
): Promise<Readonly<Record<string, RestoredFiles>>> {
  const open = async (kind: StorageKind) =>
    opened.adopt(await openStorage(config, kind), (storage) => storage.close())
  return {
    recordings: { storage: await open('recordings'), nameOf: recordingName },
    uploads: { storage: await open('uploads'), nameOf: (id) => id },
    archive: { storage: await open('archive'), nameOf: (file) => file },
  }
}
