// Ends a transcript: stores its result or error and enqueues its callback, atomically.
import { type Db, statement } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { SettledRow } from '../../platform/jobs/job.ts'
import { insertCallback } from './callback-worker.ts'
import { eventOf } from './transcript-record.ts'
import { summaryColumns, type TranscriptRow } from './transcript-store.ts'

export type TranscriptEnd =
  | {
      readonly status: 'completed'
      readonly language: string | null
      readonly languageConfidence: number | null
      readonly durationSeconds: number
      /** JSON of the contract's findings. */
      readonly findings: string
      /** Why it has no translation. */
      readonly error: string | null
    }
  | { readonly status: 'failed'; readonly error: string; readonly durationSeconds: number | null }

const end = statement(`
  UPDATE transcripts SET status = $3, progress = CASE $3 WHEN 'completed' THEN 1 ELSE progress END, language = $4,
    language_confidence = $5, duration = $6, findings = $7, error = $8, claimed_by = NULL, due_at = NULL,
    completed_at = now()
  WHERE transcript_id = $1 AND claimed_by = $2
  RETURNING ${summaryColumns}, workspace_id, callback_url`)

const removeCheckpoints = statement('DELETE FROM transcript_notes WHERE transcript_id = $1')

interface EndedTranscriptRow extends TranscriptRow {
  workspace_id: string
  callback_url: string | null
}

/** Each in its own transaction, and only while its claim holds, so a repeated call has no effect. */
export async function endTranscripts(db: Db, settled: readonly SettledRow<TranscriptEnd>[]): Promise<void> {
  for (const { id, claimantId, result } of settled) await endTranscript(db, id, claimantId, result)
}

const endTranscript = (db: Db, transcriptId: string, claimantId: number, ending: TranscriptEnd) =>
  db.transaction(async (tx) => {
    const transcribed = ending.status === 'completed' ? ending : undefined
    const row = await tx.row<EndedTranscriptRow>(end, [
      transcriptId,
      claimantId,
      ending.status,
      transcribed?.language ?? null,
      transcribed?.languageConfidence ?? null,
      ending.durationSeconds,
      transcribed?.findings ?? null,
      ending.error,
    ])
    if (!row) return
    await tx.rows(removeCheckpoints, [transcriptId])
    if (row.callback_url === null) return
    const deliveryId = newId()
    await insertCallback(tx, {
      deliveryId,
      transcriptId,
      workspaceId: row.workspace_id,
      url: row.callback_url,
      payload: JSON.stringify(eventOf(row, newId())),
    })
  })
