// The backlog of transcripts: claimed one at a time, from the workspace with the fewest in progress.
import { liveClaimants } from '../../platform/db/claim.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { JobTable } from '../../platform/jobs/job.ts'
import type { Options } from './transcription-options.ts'

export interface ClaimedTranscript {
  file_id: string | null
  audio_url: string | null
  options: Options
}

// A transcript that was attempted before may be what killed its process. Only one such is in progress at a time, so
// that another crash is not blamed on the others.
export const transcriptsTable: JobTable = {
  table: 'transcripts',
  id: 'transcript_id',
  lane: 'workspace_id',
  waiting: 'due_at IS NOT NULL',
  turns: 'fewest-first',
  oldestFirst: true,
  triesColumn: 'tries',
  suspectsAlone: true,
  onClaim: "status = 'processing'",
  onRelease: "status = 'queued'",
  returning: 'd.file_id, d.audio_url, d.options',
}

// Only rows whose claim still holds; the others were deleted, or claimed by another process.
const report = statement(`
  UPDATE transcripts t SET progress = reported.progress
  FROM unnest($1::uuid[], $2::int[], $3::real[]) AS reported(transcript_id, claimed_by, progress)
  WHERE t.transcript_id = reported.transcript_id AND t.claimed_by = reported.claimed_by
  RETURNING t.transcript_id`)

// A process of release 0.1 that runs beside us clears the due time when it claims; if it dies, the engine would not see
// the row. With a due time it is recovered like any other.
const makeDue = statement(`
  UPDATE transcripts SET due_at = now()
  WHERE claimed_by IS NOT NULL AND due_at IS NULL AND claimed_by NOT IN (${liveClaimants})`)

const alive = statement(`SELECT id FROM unnest($1::int[]) AS id WHERE id IN (${liveClaimants})`)

export interface TranscriptProgress {
  readonly transcriptId: string
  readonly claimantId: number
  /** Between 0 and 1. */
  readonly share: number
}

/** Returns those that are still ours. */
export async function reportTranscribing(
  db: Queries,
  progress: readonly TranscriptProgress[],
): Promise<Set<string>> {
  const rows = await db.rows<{ transcript_id: string }>(report, [
    progress.map(({ transcriptId }) => transcriptId),
    progress.map(({ claimantId }) => claimantId),
    progress.map(({ share }) => share),
  ])
  return new Set(rows.map(({ transcript_id }) => transcript_id))
}

/** Makes claims without a due time whose claimant died visible to the engine. */
export const exposeLostClaims = (db: Queries) => db.rows(makeDue)

export async function aliveAmong(db: Queries, claimantIds: readonly number[]): Promise<Set<number>> {
  return new Set((await db.rows<{ id: number }>(alive, [claimantIds])).map(({ id }) => id))
}
