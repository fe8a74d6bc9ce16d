// Writes a back-up: everything in a database as of one moment, and the files that it knows.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Connection } from '../db/connection.ts'
import type { ByteRange } from '../storage/storage.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import { type BackupReport, formatVersion, type Manifest, type OnProgress } from './backup-format.ts'
import { type DumpedTable, openSnapshot, type Snapshot } from './database-dump.ts'

// A tar needs the length of a piece before its content: this much of a table is held in memory.
const pieceBytes = 4 * 1024 ** 2

export interface FoundFile {
  readonly bytes: number
  read(range: ByteRange): Promise<Readable>
}

/** Files of one kind, a folder in the archive. */
export interface FileKind {
  readonly folder: string
  /** SQL that selects the ids of the files that there are. */
  readonly sql: string
  find(id: string): Promise<FoundFile | undefined>
}

export interface BackupSource {
  readonly connection: Connection
  /** The fingerprints of the secrets that its values are sealed with. */
  readonly secretFingerprints: readonly string[]
  readonly files: readonly FileKind[]
}

export async function writeBackup(
  path: string,
  { connection, secretFingerprints, files }: BackupSource,
  onProgress: OnProgress,
): Promise<BackupReport> {
  await using opened = new AsyncDisposableStack()
  const snapshot = opened.adopt(await openSnapshot(connection), (it) => it.close())
  const manifest: Manifest = {
    format: formatVersion,
    made_at: new Date().toISOString(),
    secret_fingerprints: secretFingerprints,
    ...snapshot.schema,
  }
  const end = { tables: manifest.tables.length, files: 0, missing: 0 }
  await writeArchive(path, async (archive) => {
    await archive.add('backup.json', json(manifest))
    for (const table of manifest.tables) await addTable(archive, snapshot, table, onProgress)
    Object.assign(end, await addFiles(archive, snapshot, files, onProgress))
    await archive.add('end.json', json(end))
  })
  return { ...end, secret: secretFingerprints.join(', ') }
}

async function addTable(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  table: DumpedTable,
  onProgress: OnProgress,
) {
  let held: Buffer[] = []
  let heldBytes = 0
  let pieces = 0
  let bytes = 0
  const write = async () => {
    await archive.add(`tables/${table.name}/${String(pieces++).padStart(6, '0')}`, Buffer.concat(held))
    held = []
    heldBytes = 0
  }
  for await (const chunk of snapshot.rowsOf(table)) {
    held.push(chunk)
    heldBytes += chunk.length
    bytes += chunk.length
    if (heldBytes >= pieceBytes) await write()
    onProgress(table.name, bytes)
  }
  if (heldBytes > 0) await write()
}

async function addFiles(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  kinds: readonly FileKind[],
  onProgress: OnProgress,
) {
  const count = { files: 0, missing: 0 }
  let bytes = 0
  for (const { folder, sql, find } of kinds)
    for await (const id of snapshot.ids(sql)) {
      const stored = await find(id)
      const content = stored && (await begun(stored))
      if (!content) count.missing++
      else {
        await archive.addStream(`${folder}/${id}`, stored.bytes, content)
        count.files++
        bytes += stored.bytes
        onProgress(folder, bytes)
      }
    }
  return count
}

/** Returns undefined if the file was deleted meanwhile, which shows when it is opened. */
async function begun({ bytes, read }: FoundFile): Promise<AsyncIterable<Buffer> | undefined> {
  if (bytes === 0) return Readable.from([])
  try {
    const stream = await read({ first: 0, last: bytes - 1 })
    await once(stream, 'readable')
    return stream
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || name === 'NoSuchKey') return undefined
    throw error
  }
}

const json = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
