// Recordings in the database, and how long they are kept.
import type { Link } from '../../../http/doors/signed-links.ts'
import { type Queries, statement } from '../../../platform/db/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { recordingName } from './recordings.ts'

const ended = statement(`
  SELECT session_id FROM calls WHERE session_id = ANY($1::uuid[]) AND finished AND recording IS NULL`)

const note = statement(`
  UPDATE calls SET recording = $2, updated_at = now() WHERE session_id = $1 AND recording IS NULL`)

const old = statement(`
  SELECT session_id FROM calls
  WHERE session_id >= $3 AND created_at < now() - $1 * interval '1 day' AND finished AND recording IS NOT NULL LIMIT $2`)

const forget = statement('UPDATE calls SET recording = NULL WHERE session_id = ANY($1::uuid[])')

/** Returns those of these calls that have ended and have no recording registered. */
export async function endedWithoutRecording(db: Queries, sessionIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ session_id: string }>(ended, [sessionIds])
  return rows.map(({ session_id }) => session_id)
}

export const noteRecording = (db: Queries, sessionId: string, link: Link) =>
  db.rows(note, [sessionId, JSON.stringify(link)])

// Small enough not to block others; the worker comes back for the rest.
const atOnce = 500

// Ids are in order of time. A day more, for recordings that were registered late.
const slackDays = 1
const dayMs = 24 * 60 * 60 * 1000

/**
 * Deletes recordings that are older than this. The returned function deletes some, and returns true if there may be
 * more. Once all are deleted, it looks only at calls that have become old since; once a day at all of them.
 */
export function recordingPruner(db: Queries, storage: Storage, days: number): () => Promise<boolean> {
  let sinceMs = 0
  let lookedAtAllMs = 0
  return async () => {
    const nowMs = Date.now()
    if (nowMs - lookedAtAllMs > dayMs) sinceMs = 0
    const rows = await db.rows<{ session_id: string }>(old, [days, atOnce, newId(sinceMs)])
    const sessionIds = rows.map(({ session_id }) => session_id)
    for (const sessionId of sessionIds) await storage.remove(recordingName(sessionId))
    if (sessionIds.length > 0) await db.rows(forget, [sessionIds])
    if (sessionIds.length === atOnce) return true
    if (sinceMs === 0) lookedAtAllMs = nowMs
    sinceMs = nowMs - (days + slackDays) * dayMs
    return false
  }
}
