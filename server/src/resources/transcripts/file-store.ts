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

// Transcripts that still need the file.
const listeners = 'SELECT 1 FROM transcripts t WHERE t.file_id = f.file_id AND t.completed_at IS NULL'

const expire = statement(`
  UPDATE speech_files f SET expires_at = now() WHERE file_id = $1 AND NOT EXISTS (${listeners}) RETURNING file_id`)

const expireUnused = statement(`
  UPDATE speech_files f SET expires_at = now()
  WHERE file_id = $1 AND NOT EXISTS (SELECT 1 FROM transcripts t WHERE t.file_id = f.file_id)`)

const expired = statement(`
  SELECT file_id FROM speech_files f WHERE expires_at <= now() AND NOT EXISTS (${listeners})
  ORDER BY expires_at LIMIT $1`)

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

export const findFile = (db: Queries, workspaceId: string, fileId: string) =>
  db.row<FileRow>(select, [fileId, workspaceId])

/** False if a transcript still needs it. */
export const expireFile = async (db: Queries, fileId: string): Promise<boolean> =>
  (await db.row(expire, [fileId])) !== undefined

export const expireUnusedFile = (db: Queries, fileId: string) => db.rows(expireUnused, [fileId])

export const expiredFiles = async (db: Queries, most: number): Promise<string[]> =>
  (await db.rows<{ file_id: string }>(expired, [most])).map(({ file_id }) => file_id)

export const forgetFiles = (db: Queries, fileIds: readonly string[]) => db.rows(forget, [fileIds])
