// The rules of corrections: they name parts of the transcript that are there, and nobody overwrites what they have
// not seen.
import { isDeepStrictEqual } from 'node:util'
import type { Corrections, Fault, NewCorrections } from '@parley/contract'
import type { Author } from '../../http/authenticate.ts'
import { fail } from '../../http/failure.ts'
import { type Db, type Queries, statement } from '../../platform/db/db.ts'

type CorrectedParts = Pick<NewCorrections, 'speakers' | 'segments'>

/** The transcript exists; everything else is null if nobody has corrected it. */
interface CorrectionsRow {
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
interface HeardRow extends CorrectionsRow {
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

// The first one is version 1; any other replaces the one that it was made from. Its transcript cannot be deleted
// meanwhile.
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
const findCorrections = (db: Queries, workspaceId: string, transcriptId: string) =>
  db.row<CorrectionsRow>(select, [transcriptId, workspaceId])

const findHeard = (db: Queries, workspaceId: string, transcriptId: string) =>
  db.row<HeardRow>(selectHeard, [transcriptId, workspaceId])

interface NewCorrectionsRow {
  readonly workspaceId: string
  readonly transcriptId: string
  readonly baseVersion: number
  readonly corrected: CorrectedParts
  readonly author: Author
}

/** Undefined if they are at another version, or their transcript is gone. */
const saveCorrections = (db: Queries, row: NewCorrectionsRow) =>
  db.row<CorrectionsRow>(save, [
    row.transcriptId,
    row.workspaceId,
    row.baseVersion,
    JSON.stringify(row.corrected),
    row.author.type,
    row.author.id,
  ])

export const correctionRules = (db: Db) => {
  const put = async (
    workspaceId: string,
    transcriptId: string,
    request: NewCorrections,
    author: Author,
  ): Promise<Corrections> => {
    const heard = (await findHeard(db, workspaceId, transcriptId)) ?? fail('TRANSCRIPT_NOT_FOUND')
    mustBeCompleted(heard)
    mustBeThere(request, heard)
    const stored = wireOf(heard)
    const corrected = inOrder(request)
    // Also when it is sent again because the answer was lost.
    if (isDeepStrictEqual(corrected, { speakers: stored.speakers, segments: stored.segments })) return stored
    const { base_version: baseVersion } = request
    if (baseVersion !== stored.version)
      fail('CORRECTIONS_CONFLICT', {
        message: `The corrections are at version ${stored.version} by now, not ${baseVersion}; nothing was written.`,
      })
    const row = await saveCorrections(db, { workspaceId, transcriptId, baseVersion, corrected, author })
    // Another request was faster; the second look shows what it did.
    return row ? wireOf(row) : put(workspaceId, transcriptId, request, author)
  }

  return {
    put,

    async get(workspaceId: string, transcriptId: string): Promise<Corrections> {
      const row = (await findCorrections(db, workspaceId, transcriptId)) ?? fail('TRANSCRIPT_NOT_FOUND')
      return wireOf(row)
    },
  }
}

export type CorrectionRules = ReturnType<typeof correctionRules>

function mustBeCompleted({ status, error }: HeardRow): void {
  if (status === 'completed') return
  const message =
    status === 'failed'
      ? `It failed: ${error}`
      : 'This transcript is not completed; it can be corrected when it is.'
  fail('TRANSCRIPT_NOT_READY', { message })
}

function mustBeThere({ speakers, segments }: NewCorrections, heard: HeardRow): void {
  const known = new Set(heard.speakers)
  const details: Fault[] = [
    ...speakers.flatMap(({ speaker }, at) =>
      known.has(speaker)
        ? []
        : [{ path: `speakers.${at}.speaker`, message: 'The transcript has no such speaker.' }],
    ),
    ...segments.flatMap(({ id }, at) =>
      id < (heard.segments ?? 0)
        ? []
        : [{ path: `segments.${at}.id`, message: 'The transcript has no segment with this id.' }],
    ),
  ]
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

/** Sorts corrections, so that the same ones are recognised whatever the order in which they were sent. */
const inOrder = ({ speakers, segments }: NewCorrections): CorrectedParts => ({
  speakers: speakers.toSorted((one, other) => (one.speaker < other.speaker ? -1 : 1)),
  segments: segments.toSorted((one, other) => one.id - other.id),
})

const wireOf = (row: CorrectionsRow): Corrections => ({
  transcript_id: row.transcript_id,
  version: row.version ?? 0,
  speakers: row.corrected?.speakers ?? [],
  segments: row.corrected?.segments ?? [],
  author: row.author_type && { type: row.author_type, id: row.author_id, name: row.author_name },
  saved_at: row.saved_at?.toISOString() ?? null,
})
