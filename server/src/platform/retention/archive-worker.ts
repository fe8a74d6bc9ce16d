// Writes the records of a day to a file before they are deleted: JSON, one record a line, compressed with gzip.

import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Db, statement } from '../db/db.ts'
import type { Job } from '../jobs/job.ts'
import type { Storage } from '../storage/storage.ts'
import {
  type ArchivedDay,
  archivesTable,
  type ClaimedArchive,
  finishArchives,
  noteError,
} from './archive-store.ts'
import { addDays, type ExpiringLog, firstId } from './expiring-log.ts'

export interface ArchiveOptions {
  readonly db: Db
  readonly logs: readonly ExpiringLog[]
  readonly storage: Storage
  /** For files that are not complete. */
  readonly folder: string
}

const firstRetryMs = 30_000
const longestRetryMs = 60 * 60 * 1000
// A record may have a few hundred kilobytes.
const recordsAtOnce = 200

export const archiveJob = (options: ArchiveOptions): Job<ClaimedArchive, ArchivedDay> => ({
  name: 'archives',
  table: archivesTable,
  // No user waits for an archive: one day is written at a time, so that calls and requests keep the machine.
  caps: { process: 1, lane: 1 },
  retry: {
    // A day is never given up, because what is not archived is not deleted.
    mostTries: 2 ** 31 - 1,
    delayMs: (tries) => Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(tries - 1, 10)),
    giveUp: (error) => {
      throw error
    },
  },
  // The job is not drained: the next process writes the day again, to the same file.
  drainMs: 0,
  settle: finishArchives,

  async run({ job_id: archiveId, log: name, day }, { signal }) {
    const log = options.logs.find((one) => one.name === name)
    if (!log) throw new Error(`there is no log ${name}`)
    try {
      return await writeDay(options, log, day, signal)
    } catch (error) {
      if (!signal.aborted) await noteError(options.db, archiveId, (error as Error).message).catch(() => {})
      throw error
    }
  },
})

async function writeDay(
  { db, storage, folder }: ArchiveOptions,
  log: ExpiringLog,
  day: string,
  signal: AbortSignal,
): Promise<ArchivedDay> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = `${log.name}-${day}.jsonl.gz`
  const unfinished = join(folder, `${file}.part`)
  let records = 0
  async function* lines() {
    for await (const line of recordsOf(db, log, day)) {
      records++
      yield `${line}\n`
    }
  }
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    createWriteStream(unfinished, { mode: 0o600, flush: true }),
    { signal },
  )
  const { size: bytes } = await stat(unfinished)
  await storage.take(file, unfinished)
  return { file, records, bytes }
}

/** In order of their ids. */
async function* recordsOf(db: Db, { tables, record }: ExpiringLog, day: string): AsyncGenerator<string> {
  const [{ table, id }] = tables
  const some = statement(`
    SELECT l.${id} AS id, (${record})::text AS line FROM ${table} l
    WHERE l.${id} > $1 AND l.${id} >= id_at($2) AND l.${id} < id_at($3) ORDER BY l.${id} LIMIT ${recordsAtOnce}`)
  const begin = new Date(day)
  for (let after = firstId; ; ) {
    const rows = await db.rows<{ id: string; line: string }>(some, [after, begin, addDays(begin, 1)])
    for (const { line } of rows) yield line
    const last = rows.at(-1)
    if (!last || rows.length < recordsAtOnce) return
    after = last.id
  }
}
