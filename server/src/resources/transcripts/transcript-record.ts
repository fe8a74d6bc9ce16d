// Reading transcripts: from rows to wire format.
import type { TranscriptEvent, TranscriptSummary } from '@parley/contract'
import type { TranscriptRow, WholeRow } from './transcript-store.ts'

export const transcriptSummaryOf = (row: TranscriptRow): TranscriptSummary => ({
  transcript_id: row.transcript_id,
  status: row.status,
  progress: rounded(row.progress),
  file_id: row.file_id,
  language: row.language,
  language_confidence: row.language_confidence === null ? null : rounded(row.language_confidence),
  duration: row.duration,
  error: row.error,
  metadata: row.metadata,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
})

const nothingFound = '{"text":"","speakers":[],"segments":[],"translation":null}'

/** As JSON: the findings, perhaps hours of speech, are passed on unparsed. */
export const wholeJson = ({ findings, ...row }: WholeRow): string =>
  `${JSON.stringify(transcriptSummaryOf(row)).slice(0, -1)},${(findings ?? nothingFound).slice(1)}`

export const eventOf = (row: TranscriptRow, id: string): TranscriptEvent => ({
  id,
  type: row.status === 'failed' ? 'transcript.failed' : 'transcript.completed',
  created_at: (row.completed_at ?? new Date()).toISOString(),
  data: transcriptSummaryOf(row),
})

/** Stored as a four-byte float; rounding hides the imprecision. */
const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
