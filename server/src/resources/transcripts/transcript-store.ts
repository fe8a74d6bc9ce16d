// Transcripts in the database, for the API.
import type { PageQuery, TranscriptStatus } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import type { Options } from './transcription-options.ts'

export interface TranscriptRow {
  transcript_id: string
  status: TranscriptStatus
  progress: number
  file_id: string | null
  language: string | null
  language_confidence: number | null
  duration: number | null
  error: string | null
  metadata: Record<string, unknown> | null
  created_at: Date
  completed_at: Date | null
}

/** With the findings, as JSON text that is passed on unparsed. */
export interface WholeRow extends TranscriptRow {
  findings: string | null
}

export const summaryColumns = `
  transcript_id, status, progress, file_id, language, language_confidence, duration, error, metadata, created_at,
  completed_at`

// Only while the file exists; its deletion waits for us and then sees this transcript (file-store.ts).
const insert = statement(`
  WITH file AS (
    SELECT 1 FROM speech_files WHERE file_id = $3 AND workspace_id = $2 AND expires_at > now() FOR SHARE)
  INSERT INTO transcripts (transcript_id, workspace_id, file_id, audio_url, options, metadata, callback_url)
  SELECT $1, $2, $3, $4, $5, $6, $7
  WHERE $3::uuid IS NULL OR EXISTS (SELECT 1 FROM file)
  RETURNING transcript_id`)

const select = statement(`
  SELECT ${summaryColumns}, findings::text AS findings FROM transcripts
  WHERE transcript_id = $1 AND workspace_id = $2`)

const page = listStatements(
  summaryColumns,
  'transcripts WHERE workspace_id = $1 AND ($2::text IS NULL OR status = $2)',
  'created_at DESC, transcript_id DESC',
  2,
)

const remove = statement(`
  WITH gone AS (
    DELETE FROM transcripts WHERE transcript_id = $1 AND workspace_id = $2 RETURNING transcript_id, file_id
  ), untold AS (
    DELETE FROM transcript_callbacks c USING gone WHERE c.transcript_id = gone.transcript_id
  )
  SELECT file_id FROM gone`)

const old = statement(`
  DELETE FROM transcripts WHERE transcript_id IN (
    SELECT transcript_id FROM transcripts
    WHERE created_at < now() - $1 * interval '1 day' AND completed_at IS NOT NULL LIMIT $2)
  RETURNING transcript_id`)

export interface NewTranscriptRow {
  transcriptId: string
  workspaceId: string
  fileId: string | null
  audioUrl: string | null
  options: Options
  metadata: unknown
  callbackUrl: string | null
}

/** False if there is no such file. */
export const insertTranscript = async (db: Queries, row: NewTranscriptRow): Promise<boolean> =>
  (await db.row(insert, [
    row.transcriptId,
    row.workspaceId,
    row.fileId,
    row.audioUrl,
    JSON.stringify(row.options),
    row.metadata == null ? null : JSON.stringify(row.metadata),
    row.callbackUrl,
  ])) !== undefined

export const findTranscript = (db: Queries, workspaceId: string, transcriptId: string) =>
  db.row<WholeRow>(select, [transcriptId, workspaceId])

export const pageOfTranscripts = (
  db: Queries,
  workspaceId: string,
  status: TranscriptStatus | undefined,
  query: PageQuery,
) => readPage<TranscriptRow>(db, page, [workspaceId, status ?? null], query)

/** The id of its file; undefined if there is no such transcript. */
export const removeTranscript = (tx: Queries, workspaceId: string, transcriptId: string) =>
  tx.row<{ file_id: string | null }>(remove, [transcriptId, workspaceId])

// Small enough not to block others.
const atOnce = 500

/** True if there may be more. */
export const pruneTranscripts = async (db: Queries, days: number): Promise<boolean> =>
  (await db.rows(old, [days, atOnce])).length === atOnce
