// Recordings in the database, and the retention of calls.
import type { Link } from '../../http/signed-links.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { nameOf } from './recordings.ts'

const ended = statement(`
  SELECT session_id FROM calls WHERE session_id = ANY($1::uuid[]) AND finished AND recording IS NULL`)

const note = statement(`
  UPDATE calls SET recording = $2, updated_at = now() WHERE session_id = $1 AND recording IS NULL`)

const old = statement(`
  SELECT session_id FROM calls
  WHERE created_at < now() - $1 * interval '1 day' AND finished AND recording IS NOT NULL LIMIT $2`)

const forget = statement('UPDATE calls SET recording = NULL WHERE session_id = ANY($1::uuid[])')

const prune = statement(`
  WITH old AS (
    DELETE FROM calls WHERE session_id IN (
      SELECT session_id FROM calls
      WHERE created_at < now() - $1 * interval '1 day' AND finished AND recording IS NULL LIMIT $2)
    RETURNING session_id
  ), events AS (
    DELETE FROM call_events e USING old WHERE e.session_id = old.session_id
  )
  SELECT count(*)::int AS pruned FROM old`)

/** Those of these calls that have ended and have no recording registered. */
export async function endedWithoutRecording(db: Queries, sessionIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ session_id: string }>(ended, [sessionIds])
  return rows.map(({ session_id }) => session_id)
}

export const noteRecording = (db: Queries, sessionId: string, link: Link) =>
  db.rows(note, [sessionId, JSON.stringify(link)])

// Small enough not to block others; the worker comes back for the rest.
const atOnce = 500

export interface Keeping {
  readonly callDays: number
  readonly recordingDays: number
}

/** Recordings first, so that no call is deleted before its recording. True if there may be more. */
export async function pruneCalls(
  db: Queries,
  storage: Storage,
  { callDays, recordingDays }: Keeping,
): Promise<boolean> {
  const rows = await db.rows<{ session_id: string }>(old, [Math.min(callDays, recordingDays), atOnce])
  const sessionIds = rows.map(({ session_id }) => session_id)
  for (const sessionId of sessionIds) await storage.remove(nameOf(sessionId))
  if (sessionIds.length > 0) await db.rows(forget, [sessionIds])
  const calls = await db.row<{ pruned: number }>(prune, [callDays, atOnce])
  return sessionIds.length === atOnce || calls?.pruned === atOnce
}
