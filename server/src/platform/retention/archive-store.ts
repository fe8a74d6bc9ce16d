// Archived days in the database: which are to be written, and what was.
import { liveClaimants } from '../db/claim.ts'
import { type Queries, statement } from '../db/db.ts'
import type { JobTable, SettledRow } from '../jobs/job.ts'
import { addDays, type ExpiringLog, firstId } from './expiring-log.ts'

export interface ClaimedArchive {
  log: string
  /** As YYYY-MM-DD. */
  day: string
}

export const archivesTable: JobTable = {
  table: 'archives',
  id: 'archive_id',
  lane: 'log',
  waiting: 'completed_at IS NULL',
  oldestFirst: true,
  triesColumn: 'tries',
  returning: 'd.log, d.day::text AS day',
}

// Days are archived in order, so everything before the first that is not is archived.
const until = statement(`
  SELECT id_at((coalesce(min(day) FILTER (WHERE completed_at IS NULL), max(day) + 1))::timestamp AT TIME ZONE 'UTC') AS id
  FROM archives WHERE log = $1`)

/** All records with ids below this are archived. */
export const archivedUntil = async (db: Queries, log: string): Promise<string> =>
  (await db.row<{ id: string | null }>(until, [log]))?.id ?? firstId

const planned = statement(`
  SELECT id_at((max(day) + 1)::timestamp AT TIME ZONE 'UTC') AS id FROM archives WHERE log = $1`)

const plan = statement(`
  INSERT INTO archives (archive_id, log, day) VALUES (new_id(), $1, $2) ON CONFLICT (log, day) DO NOTHING`)

// The limit exceeds what a worker has to catch up with after a long time off; the rest follows with the next sweep.
const mostDays = 60

/** Every day with records whose last record has expired becomes a job. */
export async function planArchives(
  db: Queries,
  { name, tables, keepDays }: ExpiringLog,
  now = Date.now(),
): Promise<void> {
  const [{ table, id }] = tables
  const nextDay = statement(`
    SELECT (time_of_id(${id}) AT TIME ZONE 'UTC')::date::text AS day FROM ${table} WHERE ${id} >= $1 ORDER BY ${id} LIMIT 1`)
  let after = (await db.row<{ id: string | null }>(planned, [name]))?.id ?? firstId
  for (let left = mostDays; left > 0; left--) {
    const day = (await db.row<{ day: string }>(nextDay, [after]))?.day
    if (day === undefined) return
    const end = addDays(new Date(day), 1)
    if (addDays(end, keepDays).getTime() > now) return
    await db.rows(plan, [name, day])
    after = (await db.row<{ id: string }>(statement('SELECT id_at($1) AS id'), [end]))?.id ?? after
  }
}

export interface ArchivedDay {
  /** Null: there was nothing to write. */
  readonly file: string | null
  readonly records: number
  readonly bytes: number
}

const finish = statement(`
  UPDATE archives SET file = $3, records = $4, bytes = $5, error = NULL, claimed_by = NULL, completed_at = now()
  WHERE archive_id = $1 AND claimed_by = $2`)

export async function finishArchives(
  db: Queries,
  settled: readonly SettledRow<ArchivedDay>[],
): Promise<void> {
  for (const { id, claimantId, result } of settled)
    await db.rows(finish, [id, claimantId, result.file, result.records, result.bytes])
}

const note = statement('UPDATE archives SET error = $2 WHERE archive_id = $1')

export const noteError = (db: Queries, archiveId: string, error: string) => db.rows(note, [archiveId, error])

export interface ArchiveRow {
  log: string
  day: string
  file: string | null
  /** A bigint: text, and so is `bytes`. */
  records: string | null
  bytes: string | null
  error: string | null
  tries: number
  completed_at: Date | null
}

const list = statement(`
  SELECT log, day::text AS day, file, records, bytes, error, tries, completed_at FROM archives
  WHERE $1::text IS NULL OR log = $1 ORDER BY day DESC, log LIMIT $2`)

/** The newest days first. */
export const listArchives = (db: Queries, log: string | null, most: number) =>
  db.rows<ArchiveRow>(list, [log, most])

/** A file that is complete. */
export interface ArchiveFile {
  archive_id: string
  file: string
  /** Bigints: texts. Together they change with its content. */
  records: string
  bytes: string
}

const fileColumns = 'archive_id, file, records, bytes'

const files = statement(`
  SELECT ${fileColumns} FROM archives WHERE ($1::text IS NULL OR log = $1) AND file IS NOT NULL ORDER BY day, log`)

/** Null: of all logs. */
export const listFiles = (db: Queries, log: string | null) => db.rows<ArchiveFile>(files, [log])

const beingWritten = statement(`
  SELECT EXISTS (SELECT FROM archives WHERE completed_at IS NULL AND claimed_by IS NOT NULL) AS is_so`)

// While nothing is to be archived no process writes days, and none would take over from a process that died.
const releaseLost = statement(`
  UPDATE archives SET claimed_by = NULL
  WHERE completed_at IS NULL AND claimed_by IS NOT NULL AND claimed_by NOT IN (${liveClaimants})`)

export const releaseDays = (db: Queries) => db.rows(releaseLost)

export const isBeingWritten = async (db: Queries): Promise<boolean> =>
  (await db.row<{ is_so: boolean }>(beingWritten))?.is_so ?? false

// Storage may take its time for a large file.
const waitForStorage = statement(`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`)
const lock = statement(`SELECT ${fileColumns} FROM archives WHERE archive_id = $1 FOR UPDATE`)

export async function lockArchiveFile(tx: Queries, archiveId: string): Promise<ArchiveFile | undefined> {
  await tx.rows(waitForStorage)
  return tx.row<ArchiveFile>(lock, [archiveId])
}

const replace = statement('UPDATE archives SET records = $2, bytes = $3 WHERE archive_id = $1')

export const replaceFile = (
  tx: Queries,
  archiveId: string,
  { records, bytes }: Pick<ArchivedDay, 'records' | 'bytes'>,
) => tx.rows(replace, [archiveId, records, bytes])
