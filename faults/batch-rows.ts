// What is stored of batches: their recipients, and the attempts to call them.
import { type Db, statement } from '../server/src/platform/db/db.ts'
import type { AttemptRow, BatchEvidence, RecipientRow } from './batch-check.ts'

const countOpen = statement('SELECT count(*)::int AS n FROM batches WHERE completed_at IS NULL')
const selectRecipients = statement(
  'SELECT batch_id AS "batchId", place, status, attempts FROM batch_recipients',
)
const selectAttempts = statement(`
  SELECT session_id AS "sessionId", batch_id AS "batchId", recipient_place AS place, finished, hangup_reason AS "hangupReason"
  FROM calls WHERE batch_id IS NOT NULL`)
const selectTold = statement("SELECT payload::json->'data'->>'session_id' AS id FROM events")

/** The session of every event that was published. */
export const toldSessions = async (db: Db): Promise<string[]> =>
  (await db.rows<{ id: string }>(selectTold)).map(({ id }) => id)

export async function batchRows(db: Db): Promise<Omit<BatchEvidence, 'dials'>> {
  // Events are counted in this process: joining them in SQL by a part of their payload takes minutes where there are thousands.
  const told = new Map<string, number>()
  for (const id of await toldSessions(db)) told.set(id, (told.get(id) ?? 0) + 1)
  const attempts = await db.rows<Omit<AttemptRow, 'events'>>(selectAttempts)
  return {
    openBatches: (await db.row<{ n: number }>(countOpen))?.n ?? 0,
    recipients: await db.rows<RecipientRow>(selectRecipients),
    attempts: attempts.map((attempt) => ({ ...attempt, events: told.get(attempt.sessionId) ?? 0 })),
  }
}
