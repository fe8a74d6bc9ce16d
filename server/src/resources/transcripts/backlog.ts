// The backlog of transcripts: taken one at a time, workspace by workspace, and taken back from whoever dies over one.
import { liveClaimants } from '../../platform/db/claim.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Options } from './transcription-options.ts'

export interface Job {
  transcript_id: string
  workspace_id: string
  file_id: string | null
  audio_url: string | null
  options: Options
  /** This one counted. */
  tries: number
}

// The workspaces where something waits, one step of the index each.
const rooms = `WITH RECURSIVE rooms AS (
    (SELECT workspace_id FROM transcripts WHERE due_at IS NOT NULL ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.workspace_id FROM transcripts t WHERE t.due_at IS NOT NULL AND t.workspace_id > rooms.workspace_id
            ORDER BY t.workspace_id LIMIT 1)
    FROM rooms WHERE rooms.workspace_id IS NOT NULL
  )`

// The workspace with the fewest under way comes first, among equals the one behind the last served. What was begun
// before and not finished may be what killed its process: only one such is under way at a time, so that when it happens
// again the others are not blamed with it.
const claim = statement(`
  ${rooms}, picked AS (
    SELECT next.transcript_id
    FROM (SELECT workspace_id FROM rooms WHERE workspace_id IS NOT NULL) AS rooms
    CROSS JOIN LATERAL (
      SELECT count(*) AS jobs FROM transcripts t
      WHERE t.claimed_by IS NOT NULL AND t.workspace_id = rooms.workspace_id) AS under_way
    CROSS JOIN LATERAL (
      SELECT t.transcript_id FROM transcripts t
      WHERE t.workspace_id = rooms.workspace_id AND t.due_at <= now() AND (t.tries = 0 OR NOT EXISTS (
        SELECT 1 FROM transcripts suspect WHERE suspect.claimed_by IS NOT NULL AND suspect.tries > 1))
      ORDER BY t.due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS next
    ORDER BY under_way.jobs, rooms.workspace_id <= $2, rooms.workspace_id
    LIMIT 1
  )
  UPDATE transcripts t SET claimed_by = $1, due_at = NULL, status = 'processing', tries = t.tries + 1
  FROM picked WHERE t.transcript_id = picked.transcript_id
  RETURNING t.transcript_id, t.workspace_id, t.file_id, t.audio_url, t.options, t.tries`)

// Only what whoever asks still holds; the others were deleted, or given to somebody else.
const beat = statement(`
  UPDATE transcripts t SET progress = now_at.progress
  FROM unnest($2::uuid[], $3::real[]) AS now_at(transcript_id, progress)
  WHERE t.transcript_id = now_at.transcript_id AND t.claimed_by = $1
  RETURNING t.transcript_id`)

const giveBack = statement(`
  UPDATE transcripts SET claimed_by = NULL, status = 'queued', due_at = now() + $3 * interval '1 millisecond',
    tries = tries - $4
  WHERE transcript_id = $1 AND claimed_by = $2`)

// Held by the dead; or by us, who know nothing of it, because the answer to our claim was lost.
const lost = `
  claimed_by IS NOT NULL
  AND (claimed_by NOT IN (${liveClaimants}) OR (claimed_by = $1 AND transcript_id <> ALL($2::uuid[])))`

const takeBack = statement(`
  UPDATE transcripts SET claimed_by = NULL, status = 'queued', due_at = now() WHERE ${lost} AND tries < $3`)

const givenUp = statement(`SELECT transcript_id, claimed_by FROM transcripts WHERE ${lost} AND tries >= $3`)

const nextDue = statement(`
  ${rooms}
  SELECT extract(epoch FROM min(first.due_at) - now()) * 1000 AS ms
  FROM rooms CROSS JOIN LATERAL (
    SELECT t.due_at FROM transcripts t
    WHERE t.workspace_id = rooms.workspace_id AND t.due_at > now() ORDER BY t.due_at LIMIT 1) AS first`)

const alive = statement(`SELECT id FROM unnest($1::int[]) AS id WHERE id IN (${liveClaimants})`)

/** `after` is the workspace that was served last. */
export const claimNext = (db: Queries, claimantId: number, after: string) =>
  db.row<Job>(claim, [claimantId, after])

/** Which of these are still ours. */
export async function reportProgress(
  db: Queries,
  claimantId: number,
  progress: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const rows = await db.rows<{ transcript_id: string }>(beat, [
    claimantId,
    [...progress.keys()],
    [...progress.values()],
  ])
  return new Set(rows.map(({ transcript_id }) => transcript_id))
}

/** `counted` false: nobody's fault, so it costs no try. */
export const giveBackJob = (
  db: Queries,
  transcriptId: string,
  claimantId: number,
  { delayMs, counted }: { delayMs: number; counted: boolean },
) => db.rows(giveBack, [transcriptId, claimantId, delayMs, counted ? 0 : 1])

/** Takes back what the dead held, and answers what has killed too many to be tried again. */
export async function recoverLost(
  db: Queries,
  claimantId: number,
  known: readonly string[],
  mostTries: number,
): Promise<{ transcript_id: string; claimed_by: number }[]> {
  await db.rows(takeBack, [claimantId, known, mostTries])
  return db.rows(givenUp, [claimantId, known, mostTries])
}

/** Milliseconds until the next one may be tried again; undefined when none waits for its time. */
export async function untilNextTranscript(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}

export async function aliveAmong(db: Queries, claimantIds: readonly number[]): Promise<Set<number>> {
  return new Set((await db.rows<{ id: number }>(alive, [claimantIds])).map(({ id }) => id))
}
