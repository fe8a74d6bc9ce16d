// Corrections of transcripts in the database.
import type { NewCorrections } from '@parley/contract'
import type { Author } from '../../http/author.ts'
import { type Queries, statement } from '../../platform/db/db.ts'

export type CorrectedParts = Pick<NewCorrections, 'speakers' | 'segments'>

/** The transcript exists; everything else is null if nobody has corrected it. */
export interface CorrectionsRow {
  transcript_id: string
  version: number | null
  corrected: CorrectedParts | null
  author_type: 'key' | 'user' | null
  author_id: string | null
  /** null: the author has been removed. */
  author_name: string | null
  saved_at: Date | null
}

/** With what can be corrected. */
export interface HeardRow extends CorrectionsRow {
  status: string
  error: string | null
  /** How many segments there are. */
  segments: number | null
  speakers: string[]
}

const columns =
  'c.version, c.corrected, c.author_type, c.author_id, author_name(c.author_type, c.author_id), c.saved_at'

const from = `
  FROM transcripts t LEFT JOIN transcript_corrections c ON c.transcript_id = t.transcript_id
  WHERE t.transcript_id = $1 AND t.workspace_id = $2`

const select = statement(`SELECT t.transcript_id, ${columns} ${from}`)

const selectHeard = statement(`
  SELECT t.status, t.error, json_array_length(t.findings -> 'segments') AS segments,
    ARRAY(SELECT speaker ->> 'speaker' FROM json_array_elements(t.findings -> 'speakers') AS speaker) AS speakers,
    t.transcript_id, ${columns} ${from}`)

// The first one is version 1; any other replaces the one that it was made from. Its transcript cannot be deleted meanwhile.
const save = statement(`
  WITH whole AS (
    SELECT transcript_id FROM transcripts
    WHERE transcript_id = $1 AND workspace_id = $2 AND status = 'completed' FOR KEY SHARE)
  INSERT INTO transcript_corrections AS c (transcript_id, version, corrected, author_type, author_id)
  SELECT transcript_id, 1, $4, $5, $6 FROM whole
  WHERE $3 = 0 OR EXISTS (SELECT FROM transcript_corrections WHERE transcript_id = $1)
  ON CONFLICT (transcript_id) DO UPDATE
    SET version = c.version + 1, corrected = EXCLUDED.corrected, author_type = EXCLUDED.author_type,
      author_id = EXCLUDED.author_id, saved_at = now()
    WHERE c.version = $3
  RETURNING c.transcript_id, ${columns}`)

/** Undefined if there is no such transcript. */
export const findCorrections = (db: Queries, workspaceId: string, transcriptId: string) =>
  db.row<CorrectionsRow>(select, [transcriptId, workspaceId])

export const findHeard = (db: Queries, workspaceId: string, transcriptId: string) =>
  db.row<HeardRow>(selectHeard, [transcriptId, workspaceId])

export interface NewCorrectionsRow {
  readonly workspaceId: string
  readonly transcriptId: string
  readonly baseVersion: number
  readonly corrected: CorrectedParts
  readonly author: Author
}

/** Undefined if they are at another version, or their transcript is gone. */
export const saveCorrections = (db: Queries, row: NewCorrectionsRow) =>
  db.row<CorrectionsRow>(save, [
    row.transcriptId,
    row.workspaceId,
    row.baseVersion,
    JSON.stringify(row.corrected),
    row.author.type,
    row.author.id,
  ])
