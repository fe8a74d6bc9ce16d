// The restoration of a back-up on an empty machine.
import { join } from 'node:path'
import type { BackupReport, OnProgress } from '../platform/backup/backup-format.ts'
import { openBackup, type RestoredFiles } from '../platform/backup/read-backup.ts'
import type { Config } from '../platform/config.ts'
import { readOwnSecret } from '../platform/own-secret.ts'
import { Refusal } from '../platform/refusal.ts'
import { openVault } from '../platform/secrets.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { nameOf } from '../resources/calls/recordings/recordings.ts'
import { findDatabase, prepareDataDir } from './infrastructure.ts'
import { openRecordingStorage } from './recording-archive.ts'
import { openArchiveStorage } from './retention.ts'
import { shortOf } from './secret.ts'
import { openUploadStorage } from './transcription.ts'

export async function restore(config: Config, path: string, onProgress: OnProgress): Promise<BackupReport> {
  await using opened = new AsyncDisposableStack()
  const backup = opened.adopt(await openBackup(path), (it) => it.close())
  await prepareDataDir(config.dataDir)
  await mustHaveSecret(config, backup.secretFingerprints)
  const { sessions: connection, stop } = await findDatabase(config)
  opened.defer(stop)
  const files = await openFiles(config, opened)
  return await backup.restore({ connection, files, folder: join(config.dataDir, 'restoring') }, onProgress)
}

async function mustHaveSecret({ secret, previousSecret, dataDir }: Config, fingerprints: readonly string[]) {
  const given = secret ?? (await readOwnSecret(dataDir))
  const known = [given, previousSecret].flatMap((one) => (one ? [shortOf(openVault(one).fingerprint)] : []))
  const unknown = fingerprints.find((fingerprint) => !known.includes(fingerprint))
  if (unknown)
    throw new Refusal(
      `The back-up needs the secret with the fingerprint ${unknown}: set PARLEY_SECRET, or put it into ${join(dataDir, 'secret')}.`,
    )
}

async function openFiles(
  config: Config,
  opened: AsyncDisposableStack,
): Promise<Readonly<Record<string, RestoredFiles>>> {
  const adopt = (storage: Storage) => opened.adopt(storage, (it) => it.close())
  return {
    recordings: { storage: adopt(await openRecordingStorage(config)), nameOf },
    uploads: { storage: adopt(await openUploadStorage(config)), nameOf: (id) => id },
    archive: { storage: adopt(await openArchiveStorage(config)), nameOf: (file) => file },
  }
}
