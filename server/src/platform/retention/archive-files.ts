// The files of the archive: read, and written anew without some of their records.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Db, Queries } from '../db/db.ts'
import type { Storage } from '../storage/storage.ts'
import {
  type ArchivedDay,
  type ArchiveFile,
  isBeingWritten,
  listFiles,
  lockArchiveFile,
  replaceFile,
} from './archive-store.ts'

export interface ArchiveFilesOptions {
  readonly db: Db
  /** Called when there is a file to read. */
  readonly openStorage: () => Promise<Storage>
  /** For files that are not complete. */
  readonly folder: string
}

/** For each of these records, whether it is to go. */
export type IsGone = (lines: readonly string[]) => Promise<readonly boolean[]>

export interface ArchiveFiles {
  /** Oldest first; without a log, those of all. */
  list(log?: string): Promise<readonly ArchiveFile[]>
  /** Whether a file is being written that is not listed yet, and may have records that are deleted now. */
  isBeingWritten(): Promise<boolean>
  /** Writes the file anew if it has such records; `also` gets their number in the same transaction. */
  remove(
    file: ArchiveFile,
    isGone: IsGone,
    also: (tx: Queries, count: number) => Promise<unknown>,
  ): Promise<void>
  close(): Promise<void>
}

// A record may have a few hundred kilobytes.
const recordsAtOnce = 200

export function archiveFiles({ db, openStorage, folder }: ArchiveFilesOptions): ArchiveFiles {
  let opened: Promise<Storage> | undefined
  const storage = () => {
    opened ??= openStorage()
    return opened
  }

  /** Undefined if the operator has removed the file. */
  async function read(file: string): Promise<Readable | undefined> {
    const from = await storage()
    const stats = await from.stat(file)
    return stats && from.read(file, { first: 0, last: stats.bytes - 1 })
  }

  /** The places of the records that are to go. */
  async function placesIn(file: string, isGone: IsGone): Promise<ReadonlySet<number>> {
    const places = new Set<number>()
    const content = await read(file)
    if (!content) return places
    let before = 0
    await pipeline(content, createGunzip(), linesOf, batchesOf, async (batches) => {
      for await (const lines of batches) {
        for (const [place, gone] of (await isGone(lines)).entries()) if (gone) places.add(before + place)
        before += lines.length
      }
    })
    return places
  }

  async function write(file: string, places: ReadonlySet<number>, to: string) {
    let [place, records] = [0, 0]
    async function* others(lines: AsyncIterable<string>) {
      for await (const line of lines) {
        if (places.has(place++)) continue
        records++
        yield `${line}\n`
      }
    }
    const target = createWriteStream(to, { mode: 0o600, flush: true })
    await pipeline(
      (await read(file)) ?? Readable.from([]),
      createGunzip(),
      linesOf,
      others,
      createGzip(),
      target,
    )
    return { records, bytes: target.bytesWritten }
  }

  return {
    list: (log) => listFiles(db, log ?? null),
    isBeingWritten: () => isBeingWritten(db),

    async remove(listed, isGone, also) {
      const { archive_id: id, file } = listed
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = join(folder, `${file}.${randomUUID()}.part`)
      /** The file as it is now, if that is not the one that was read. */
      const replace = (read: ArchiveFile, written: Pick<ArchivedDay, 'records' | 'bytes'>, count: number) =>
        db.transaction(async (tx) => {
          const current = await lockArchiveFile(tx, id)
          if (current?.records !== read.records || current.bytes !== read.bytes) return current
          await (await storage()).take(file, unfinished)
          await replaceFile(tx, id, written)
          await also(tx, count)
          return undefined
        })
      try {
        for (let read: ArchiveFile | undefined = listed; read; ) {
          const places = await placesIn(file, isGone)
          if (places.size === 0) return
          // Another process may have removed other records meanwhile; then this goes on with the file that it left.
          read = await replace(read, await write(file, places, unfinished), places.size)
        }
      } finally {
        await rm(unfinished, { force: true })
      }
    },

    close: async () => (await opened)?.close(),
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let some: string[] = []
  for await (const line of lines) {
    some.push(line)
    if (some.length < recordsAtOnce) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
