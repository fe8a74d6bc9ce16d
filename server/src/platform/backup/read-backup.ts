// Restores a back-up: its rows at once, or not at all, and its files before them.
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Connection } from '../db/connection.ts'
import { Refusal } from '../refusal.ts'
import type { Storage } from '../storage/storage.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { type BackupReport, End, Manifest, type OnProgress } from './backup-format.ts'
import { type DatabaseLoad, openLoad } from './database-load.ts'

export interface Backup {
  /** The fingerprints of the secrets that its values are sealed with. */
  readonly secretFingerprints: readonly string[]
  /** Restores the back-up; call it once. */
  restore(target: RestoreTarget, onProgress: OnProgress): Promise<BackupReport>
  close(): Promise<void>
}

export interface RestoreTarget {
  readonly connection: Connection
  /** The storage of the files, by their folder in the archive. */
  readonly files: Readonly<Record<string, RestoredFiles>>
  /** Where files are written before they move into storage. */
  readonly folder: string
}

export interface RestoredFiles {
  readonly storage: Storage
  nameOf(id: string): string
}

/** Reads what the back-up says of itself. */
export async function openBackup(path: string): Promise<Backup> {
  const entries = readArchive(path)
  const close = async () => void (await entries.return(undefined))
  try {
    const manifest = await readManifest(path, entries)
    return {
      secretFingerprints: manifest.secret_fingerprints,
      restore: (target, onProgress) => restore({ path, entries, manifest }, target, onProgress),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function readManifest(path: string, entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest> {
  const { value: first } = await entries.next()
  const read = first?.name === 'backup.json' ? Manifest.safeParse(await jsonOf(first)) : undefined
  if (!read?.success) throw new Refusal(`${path} is not a back-up that this release can read.`)
  return read.data
}

interface OpenedBackup {
  readonly path: string
  readonly entries: AsyncGenerator<ArchiveEntry>
  readonly manifest: Manifest
}

async function restore(
  { path, entries, manifest }: OpenedBackup,
  { connection, files, folder }: RestoreTarget,
  onProgress: OnProgress,
): Promise<BackupReport> {
  await using opened = new AsyncDisposableStack()
  const load = opened.adopt(await openLoad(connection, manifest), (it) => it.close())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  let end: End | undefined
  for await (const entry of entries) {
    if (entry.name === 'end.json') end = End.parse(await jsonOf(entry))
    else await restoreEntry(entry, load, { files, folder }, onProgress)
  }
  if (!end) throw new Refusal(`${path} is incomplete; nothing was stored in the database.`)
  await load.commit()
  return { ...end, secret: manifest.secret_fingerprints.join(', ') }
}

async function restoreEntry(
  { name, content }: ArchiveEntry,
  load: DatabaseLoad,
  target: Pick<RestoreTarget, 'files' | 'folder'>,
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
  else await storeFile(target.files[folder] ?? unknownEntry(name), rest, join(target.folder, rest), counted())
}

/** The entry is first written to a file, because storage takes whole files. */
async function storeFile(
  { storage, nameOf }: RestoredFiles,
  id: string,
  beside: string,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  await pipeline(content, createWriteStream(beside, { mode: 0o600 }))
  await storage.take(nameOf(id), beside)
}

function unknownEntry(name: string): never {
  throw new Refusal(`The back-up has ${JSON.stringify(name)}, which this release does not know.`)
}

async function jsonOf({ content }: ArchiveEntry): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}
