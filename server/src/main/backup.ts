// The back-up of an installation: everything in its database as of one moment, and the files that it knows.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Failure } from '../http/failure.ts'
import type { Ranged } from '../http/ranged-answer.ts'
import { type ArchiveWriter, writeArchive } from '../platform/backup/archive.ts'
import { type DumpedTable, openSnapshot, type Snapshot } from '../platform/backup/database-dump.ts'
import { readSealing } from '../platform/sealing.ts'
import { type BackupReport, formatVersion, type Manifest, type OnProgress } from './backup-format.ts'
import type { Infrastructure } from './infrastructure.ts'
import { openRecordingArchive } from './recording-archive.ts'
import { shortOf } from './secret.ts'
import { openUploadStorage } from './transcription.ts'

// A tar needs the length of a piece before its content: this much of a table is held in memory.
const pieceBytes = 4 * 1024 ** 2

export async function backUp(
  infrastructure: Infrastructure,
  path: string,
  { withFiles, onProgress }: { withFiles: boolean; onProgress: OnProgress },
): Promise<BackupReport> {
  const state = await readSealing(infrastructure.db)
  const fingerprints = [state?.fingerprint, state?.previous].flatMap((one) => (one ? [one] : []))
  await using opened = new AsyncDisposableStack()
  const snapshot = opened.adopt(await openSnapshot(infrastructure.sessions), (it) => it.close())
  const manifest: Manifest = {
    format: formatVersion,
    made_at: new Date().toISOString(),
    secret_fingerprints: fingerprints.map(shortOf),
    ...snapshot.schema,
  }
  const { tables } = manifest
  let files = { files: 0, missing: 0 }
  await writeArchive(path, async (archive) => {
    await archive.add('backup.json', json(manifest))
    for (const table of tables) await addTable(archive, snapshot, table, onProgress)
    if (withFiles) files = await addFiles(archive, snapshot, infrastructure, onProgress)
    await archive.add('end.json', json({ tables: tables.length, ...files }))
  })
  return { tables: tables.length, ...files, secret: manifest.secret_fingerprints.join(', ') }
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

interface FileKind {
  readonly folder: string
  /** The ids of those that there are. */
  readonly sql: string
  find(id: string): Promise<FoundFile | undefined>
}

type FoundFile = Pick<Ranged, 'bytes' | 'read'>

async function addFiles(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  infrastructure: Infrastructure,
  onProgress: OnProgress,
) {
  await using opened = new AsyncDisposableStack()
  const { recordings } = opened.adopt(await openRecordingArchive(infrastructure), (it) => it.storage.close())
  const uploads = opened.adopt(await openUploadStorage(infrastructure.config), (it) => it.close())
  const kinds: FileKind[] = [
    {
      folder: 'recordings',
      sql: 'SELECT session_id FROM calls WHERE recording IS NOT NULL',
      find: (id) => recordings.find(id).catch(orNone),
    },
    {
      folder: 'uploads',
      sql: 'SELECT file_id FROM speech_files',
      async find(id) {
        const found = await uploads.stat(id)
        return found && { bytes: found.bytes, read: (range) => uploads.read(id, range) }
      },
    },
  ]
  const count = { files: 0, missing: 0 }
  let bytes = 0
  for (const { folder, sql, find } of kinds)
    for await (const id of snapshot.ids(sql)) {
      const found = await find(id)
      const content = found && (await begun(found))
      if (!content) count.missing++
      else {
        await archive.addStream(`${folder}/${id}`, found.bytes, content)
        count.files++
        bytes += found.bytes
        onProgress(folder, bytes)
      }
    }
  return count
}

/** Undefined if it was deleted meanwhile, which shows when it is opened. */
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

function orNone(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

const json = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
