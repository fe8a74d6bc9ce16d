// Calls that wait to be analysed, in the database.
import type { TranscriptLine } from '@parley/contract'
import { liveClaimants } from '../../platform/db/claim.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Findings } from '../../ports/analysis.ts'
import type { OrderedAgent } from './agent-of-call.ts'
import { toJson } from './json.ts'
import { analyticsOnWire } from './plan/plan-analysis.ts'

export interface CallToAnalyse extends OrderedAgent {
  session_id: string
  /** This one included. */
  tries: number
  transcript: TranscriptLine[]
  variables: Record<string, string | number | boolean> | null
  call_initiated_time: Date | null
}

// Free ones, those of the dead, and our own of which we know nothing, because the answer to our claim was lost. A try
// counts when it begins: a call that takes its process down with it does not do so for ever.
const claim = statement(`
  WITH picked AS (
    SELECT session_id FROM calls_to_analyse
    WHERE due_at <= now() AND (claimed_by IS NULL OR claimed_by NOT IN (${liveClaimants})
      OR (claimed_by = $1 AND session_id <> ALL($3::uuid[])))
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE calls_to_analyse t SET claimed_by = $1, tries = t.tries + 1
    FROM picked WHERE t.session_id = picked.session_id
    RETURNING t.session_id, t.tries
  )
  SELECT c.session_id, claimed.tries, c.agent_id, c.transcript, c.variables, c.agent_overrides, c.call_initiated_time,
    a.config::text AS agent, a.secrets
  FROM claimed JOIN calls c USING (session_id) LEFT JOIN agents a USING (workspace_id, agent_id)`)

// What was found, the event that tells it and the end of the waiting: all of it or nothing, and only by whoever holds it.
const finish = statement(`
  WITH done AS (
    DELETE FROM calls_to_analyse WHERE session_id = $1 AND claimed_by = $2 RETURNING session_id
  ), kept AS (
    UPDATE calls c SET analytics = $3, updated_at = now(),
      engines = (coalesce(c.engines::jsonb, '[]') || jsonb_build_array($4::jsonb))::json
    FROM done WHERE c.session_id = done.session_id
  )
  INSERT INTO call_events (session_id, seq, type, data)
  SELECT done.session_id, 1 + coalesce((SELECT max(seq) FROM call_events WHERE session_id = $1), 0), 'analysis', $3
  FROM done`)

const release = statement(`
  UPDATE calls_to_analyse SET claimed_by = NULL, due_at = now() + $3 * interval '1 millisecond', tries = $4
  WHERE session_id = $1 AND claimed_by = $2`)

const nextDue = statement(`
  SELECT extract(epoch FROM min(due_at) - now()) * 1000 AS ms FROM calls_to_analyse WHERE due_at > now()`)

export const claimToAnalyse = (db: Queries, claimantId: number, most: number, inHand: readonly string[]) =>
  db.rows<CallToAnalyse>(claim, [claimantId, most, inHand])

export const keepFindings = (
  db: Queries,
  sessionId: string,
  claimantId: number,
  { analytics, engine }: Findings,
) => db.rows(finish, [sessionId, claimantId, toJson(analyticsOnWire(analytics)), toJson(engine)])

/** It waits again. */
export const postponeAnalysis = (
  db: Queries,
  call: Pick<CallToAnalyse, 'session_id' | 'tries'>,
  claimantId: number,
  delayMs: number,
) => db.rows(release, [call.session_id, claimantId, delayMs, call.tries])

/** Milliseconds until the next one is to be tried again; undefined when none waits for its time. */
export async function untilNextAnalysis(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
