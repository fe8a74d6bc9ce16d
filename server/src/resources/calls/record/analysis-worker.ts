// Analyses ended calls, in at most three attempts. Nothing waits for it, in particular not the call's event.

import type { TranscriptLine } from '@parley/contract'
import { type Queries, statement } from '../../../platform/db/db.ts'
import { type Job, type JobTable, OwnerDied, type SettledRow } from '../../../platform/jobs/job.ts'
import type { Analyse, Findings } from '../../../ports/analysis.ts'
import type { ModelPlan } from '../../../ports/call-plan.ts'
import { type ClaimedAgent, joinAgent, type OpenSecrets } from '../plan/agent-of-call.ts'
import { analysisOnWire, planAnalysis } from '../plan/plan-analysis.ts'
import { toJson } from './json.ts'

interface CallToAnalyse extends ClaimedAgent {
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

/** Stores findings one by one: each writes three tables, and there are few. A second write finds nothing to do. */
async function storeFindings(db: Queries, settled: readonly SettledRow<Findings>[]): Promise<void> {
  for (const { id, claimantId, result } of settled) {
    const { analytics, reasons, qa } = analysisOnWire(result.analytics, result.rubric)
    await db.rows(finish, [
      ...[id, claimantId, toJson(analytics), toJson(result.engine)],
      ...[reasons && toJson(reasons), qa && toJson(qa), qa?.score ?? null],
      toJson({ ...analytics, reasons, qa }),
    ])
  }
}

export interface AnalysisOptions {
  readonly openSecrets: OpenSecrets
  readonly analyse: Analyse
  /** Adds the workspace's own keys to a model that comes without. */
  readonly withKeys: (workspaceId: string, model: ModelPlan) => Promise<ModelPlan>
  readonly retryMs?: number
}

const mostTries = 3
// Doubles: a model server that is unavailable for a minute is asked again when it is back.
const usualRetryMs = 20_000
const longestMs = 120_000

const caps = {
  // A model server answers several requests as fast as one, and a burst of ended calls does not flood it.
  process: 4,
  // Per workspace: enough for sixteen processes.
  lane: 64,
}

export const analysisJob = ({
  openSecrets,
  analyse,
  withKeys,
  retryMs = usualRetryMs,
}: AnalysisOptions): Job<CallToAnalyse, Findings> => ({
  name: 'analyses',
  table: analysesTable,
  caps,
  retry: {
    mostTries,
    delayMs: (tries) => retryMs * 2 ** (tries - 1),
    giveUp: (error) => nothingFound(reasonOf(error)),
  },
  // The job is not drained: the next process starts the analysis again.
  drainMs: 0,
  settle: storeFindings,

  async run(call, { signal }) {
    const ended = planAnalysis(call, openSecrets)
    if (!ended) return nothingFound('The agent of this call no longer exists.')
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    const model = await withKeys(call.job_lane, ended.plan.model)
    const whole = { ...ended, sessionId: call.job_id, plan: { ...ended.plan, model } }
    return analyse(whole, inTime, call.job_tries >= mostTries)
  },
})

function reasonOf(error: unknown): string {
  if (error instanceof OwnerDied) return 'Its analysis broke off every time.'
  return error instanceof Error ? error.message : String(error)
}

const nothingFound = (why: string): Findings => ({
  analytics: {
    summary: null,
    sentiment: null,
    disposition: null,
    dataExtraction: null,
    reasons: {},
    judgements: {},
  },
  rubric: null,
  engine: { part: 'analysis', asked: null, used: 'none', why },
})
