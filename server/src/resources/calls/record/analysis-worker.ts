// Analyses ended calls, in at most three attempts. Nothing waits for it, in particular not the call's event.
import { type Job, OwnerDied } from '../../../platform/jobs/job.ts'
import type { Analyse, Findings } from '../../../ports/analysis.ts'
import type { ModelPlan } from '../../../ports/call-plan.ts'
import type { OpenSecrets } from '../plan/agent-of-call.ts'
import { planAnalysis } from '../plan/plan-analysis.ts'
import { analysesTable, type CallToAnalyse, storeFindings } from './analysis-store.ts'

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
  // Not drained: the next process starts the analysis again.
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
