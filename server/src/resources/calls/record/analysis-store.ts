// Calls that wait for analysis, in the database.
import type { TranscriptLine } from '@parley/contract'
import { type Queries, statement } from '../../../platform/db/db.ts'
import type { JobTable, Settled } from '../../../platform/jobs/job.ts'
import type { Findings } from '../../../ports/analysis.ts'
import { joinAgent, type StoredAgent } from '../plan/agent-of-call.ts'
import { analysisOnWire } from '../plan/plan-analysis.ts'
import { toJson } from './json.ts'

export interface CallToAnalyse extends StoredAgent {
  transcript: TranscriptLine[]
  variables: Record<string, string | number | boolean> | null
  call_initiated_time: Date | null
}

export const analysesTable: JobTable = {
  table: 'calls_to_analyse',
  id: 'session_id',
  lane: 'workspace_id',
  oldestFirst: true,
  triesColumn: 'tries',
  returning: 'd.session_id',
  joined: {
    columns: `a.agent_id, a.transcript, a.variables, a.agent_overrides, a.call_initiated_time,
      g.config::text AS agent, g.secrets`,
    from: `JOIN calls a USING (session_id) ${joinAgent('a', 'g')}`,
  },
}

// Stores the findings and the event and removes the job, in one statement, and only while the claim is held.
const finish = statement(`
  WITH done AS (
    DELETE FROM calls_to_analyse WHERE session_id = $1 AND claimed_by = $2 RETURNING session_id
  ), kept AS (
    UPDATE calls c SET analytics = $3, analysis_reasons = $5, qa = $6, qa_score = $7, updated_at = now(),
      engines = (coalesce(c.engines::jsonb, '[]') || jsonb_build_array($4::jsonb))::json
    FROM done WHERE c.session_id = done.session_id
  )
  INSERT INTO call_events (session_id, seq, type, data)
  SELECT done.session_id, 1 + coalesce((SELECT max(seq) FROM call_events WHERE session_id = $1), 0), 'analysis', $8
  FROM done`)

/** One by one: each writes three tables, and there are few. Idempotent: a second write finds nothing to do. */
export async function storeFindings(db: Queries, settled: readonly Settled<Findings>[]): Promise<void> {
  for (const { id, claimantId, result } of settled) {
    const { analytics, reasons, qa } = analysisOnWire(result.analytics, result.rubric)
    await db.rows(finish, [
      ...[id, claimantId, toJson(analytics), toJson(result.engine)],
      ...[reasons && toJson(reasons), qa && toJson(qa), qa?.score ?? null],
      toJson({ ...analytics, reasons, qa }),
    ])
  }
}
