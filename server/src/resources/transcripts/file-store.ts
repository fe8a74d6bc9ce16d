// Audio files in the database. An expired one is no longer visible; its content and its row are deleted later.
import { type Queries, statement } from '../../platform/db/db.ts'

export interface FileRow {
  file_id: string
  filename: string | null
  media_type: string
  bytes: string
  duration: number | null
  created_at: Date
  expires_at: Date
}

const columns = 'file_id, filename, media_type, bytes, duration, created_at, expires_at'

const insert = statement(`
  INSERT INTO speech_files (file_id, workspace_id, filename, media_type, bytes, duration, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 day') RETURNING ${columns}`)

const select = statement(`
  SELECT ${columns} FROM speech_files WHERE file_id = $1 AND workspace_id = $2 AND expires_at > now()`)

const selectAny = statement(`SELECT ${columns} FROM speech_files WHERE file_id = $1 AND expires_at > now()`)

// Transcripts that still need the file.
const listeners = 'SELECT 1 FROM transcripts t WHERE t.file_id = f.file_id AND t.completed_at IS NULL'

// A new transcript locks its file too. So after the lock, a second statement sees every transcript of the file, and none
// can be added before we commit.
const lock = statement(`
  SELECT 1 FROM speech_files WHERE file_id = $1 AND workspace_id = $2 AND expires_at > now() FOR UPDATE`)

const lockAny = statement('SELECT 1 FROM speech_files WHERE file_id = $1 FOR UPDATE')

const lockExpired = statement(`
  SELECT file_id FROM speech_files f WHERE expires_at <= now() AND NOT EXISTS (${listeners})
  ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`)

// Not now(), which is when a transaction began, and may be later than the now() of one that waited for it.
const expire = statement(`
  UPDATE speech_files f SET expires_at = '-infinity' WHERE file_id = ANY($1::uuid[]) AND NOT EXISTS (${listeners})
  RETURNING file_id`)

const expireUnused = statement(`
  UPDATE speech_files f SET expires_at = '-infinity'
  WHERE file_id = $1 AND NOT EXISTS (SELECT 1 FROM transcripts t WHERE t.file_id = f.file_id)
  RETURNING file_id`)

const forget = statement(`
  WITH gone AS (DELETE FROM speech_files WHERE file_id = ANY($1::uuid[]))
  UPDATE transcripts SET file_id = NULL WHERE file_id = ANY($1::uuid[])`)

export interface NewFile {
  fileId: string
  workspaceId: string
  filename: string | null
  mediaType: string
  bytes: number
  durationSeconds: number | null
  keptDays: number
}

export const insertFile = async (db: Queries, file: NewFile): Promise<FileRow> =>
  (await db.row<FileRow>(insert, [
    file.fileId,
    file.workspaceId,
    file.filename,
    file.mediaType,
    file.bytes,
    file.durationSeconds,
    file.keptDays,
  ])) as FileRow

/** In whatever workspace: for an address that is signed. */
export const findAnyFile = (db: Queries, fileId: string) => db.row<FileRow>(selectAny, [fileId])

export const findFile = (db: Queries, workspaceId: string, fileId: string) =>
  db.row<FileRow>(select, [fileId, workspaceId])

/** False if there is none, or no longer. */
export const lockFile = async (tx: Queries, workspaceId: string, fileId: string): Promise<boolean> =>
  (await tx.row(lock, [fileId, workspaceId])) !== undefined

/** For a locked file. Its id as it is stored; undefined if a transcript still needs the file. */
export const expireFile = async (tx: Queries, fileId: string): Promise<string | undefined> =>
  (await tx.row<{ file_id: string }>(expire, [[fileId]]))?.file_id

/** True if no transcript refers to it any more. */
export async function expireUnusedFile(tx: Queries, fileId: string): Promise<boolean> {
  await tx.row(lockAny, [fileId])
  return (await tx.row(expireUnused, [fileId])) !== undefined
}

/** Expired files that no transcript needs, and none can need any more. */
export async function takeExpiredFiles(tx: Queries, most: number): Promise<string[]> {
  const locked = await tx.rows<{ file_id: string }>(lockExpired, [most])
  if (locked.length === 0) return []
  const taken = await tx.rows<{ file_id: string }>(expire, [locked.map(({ file_id }) => file_id)])
  return taken.map(({ file_id }) => file_id)
}

export const forgetFiles = (db: Queries, fileIds: readonly string[]) => db.rows(forget, [fileIds])
