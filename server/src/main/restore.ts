// The restoration of a back-up on an empty machine: the database first and at once, or not at all.
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ArchiveEntry, readArchive } from '../platform/backup/archive.ts'
import { type DatabaseLoad, openLoad } from '../platform/backup/database-load.ts'
import type { Config } from '../platform/config.ts'
import { readOwnSecret } from '../platform/own-secret.ts'
import { Refusal } from '../platform/refusal.ts'
import { openVault } from '../platform/secrets.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { nameOf } from '../resources/calls/recordings.ts'
import { type BackupReport, End, Manifest, type OnProgress } from './backup-format.ts'
import { findDatabase, prepareDataDir } from './infrastructure.ts'
import { openRecordingStorage } from './recording-archive.ts'
import { openArchiveStorage } from './retention.ts'
import { shortOf } from './secret.ts'
import { openUploadStorage } from './transcription.ts'

export async function restore(config: Config, path: string, onProgress: OnProgress): Promise<BackupReport> {
  await using opened = new AsyncDisposableStack()
  const entries = readArchive(path)
  opened.defer(async () => void (await entries.return(undefined)))
  const manifest = await readManifest(path, entries)
  const { secret_fingerprints: fingerprints, migrations, tables, sequences } = manifest
  await prepareDataDir(config.dataDir)
  await mustHaveSecret(config, fingerprints)
  const { sessions, stop } = await findDatabase(config)
  opened.defer(stop)
  const schema = { migrations, tables, sequences }
  const load = opened.adopt(await openLoad(sessions, schema), (it) => it.close())
  const files = opened.adopt(await openFiles(config), (it) => it.close())
  let end: End | undefined
  for await (const entry of entries) {
    if (entry.name === 'end.json') end = End.parse(await jsonOf(entry))
    else await restoreEntry(entry, load, files, onProgress)
  }
  if (!end) throw new Refusal(`${path} is incomplete; nothing was stored in the database.`)
  await load.commit()
  return { ...end, secret: fingerprints.join(', ') }
}

async function readManifest(path: string, entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest> {
  const { value: first } = await entries.next()
  const read = first?.name === 'backup.json' ? Manifest.safeParse(await jsonOf(first)) : undefined
  if (!read?.success) throw new Refusal(`${path} is not a back-up that this release can read.`)
  return read.data
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

interface RestoredFiles {
  put(folder: string, id: string, content: AsyncIterable<Buffer>): Promise<void>
  close(): Promise<void>
}

/** Through a folder beside them, as they came: storage takes whole files. */
async function openFiles(config: Config): Promise<RestoredFiles> {
  const beside = join(config.dataDir, 'restoring')
  await mkdir(beside, { recursive: true, mode: 0o700 })
  const storages: Record<string, { storage: Storage; nameFor(id: string): string }> = {
    recordings: { storage: await openRecordingStorage(config), nameFor: nameOf },
    uploads: { storage: await openUploadStorage(config), nameFor: (id) => id },
    archive: { storage: await openArchiveStorage(config), nameFor: (file) => file },
  }
  return {
    async put(folder, id, content) {
      const { storage, nameFor } = storages[folder] ?? unknownEntry(`${folder}/${id}`)
      const path = join(beside, id)
      await pipeline(content, createWriteStream(path, { mode: 0o600 }))
      await storage.take(nameFor(id), path)
    },
    async close() {
      for (const { storage } of Object.values(storages)) storage.close()
      await rm(beside, { recursive: true, force: true })
    },
  }
}

async function restoreEntry(
  { name, content }: ArchiveEntry,
  load: DatabaseLoad,
  files: RestoredFiles,
  onProgress: OnProgress,
): Promise<void> {
  const [, folder = '', rest = ''] = name.match(/^([a-z]+)\/(\w[\w.-]*(?:\/\d+)?)$/) ?? unknownEntry(name)
  let bytes = 0
  const counted = async function* () {
    for await (const piece of content) {
      bytes += piece.length
      onProgress(folder === 'tables' ? rest : folder, bytes)
      yield piece
    }
  }
  if (folder === 'tables') await load.load(rest.split('/')[0] ?? '', counted())
  else await files.put(folder, rest, counted())
}

function unknownEntry(name: string): never {
  throw new Refusal(`The back-up has ${JSON.stringify(name)}, which this release does not know.`)
}

async function jsonOf({ content }: ArchiveEntry): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}
