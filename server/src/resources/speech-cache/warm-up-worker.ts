// Synthesizes the sentences of agents ahead, when an agent was written or a call has missed one of them.
import { type Job, OwnerDied } from '../../platform/jobs/job.ts'
import { type ClaimedWarmUp, type Dictionary, settleWarmUps, type WarmUpEnd, warmUpsTable } from './store.ts'

export interface WarmUp {
  readonly agentId: string
  readonly workspaceId: string
  /** As stored; secrets sealed. */
  readonly agent: string
  readonly secrets: Buffer | null
  readonly dictionary: Dictionary
}

const mostTries = 4
// A vendor that is out of reach, or out of patience with us.
const retryMs = 5_000

// Vendors allow a handful of requests at a time; calls must not miss them.
const caps = { process: 2, lane: 1 }

/** `warm` throws one sentence. */
export const warmUpJob = (
  warm: (warmUp: WarmUp, signal: AbortSignal) => Promise<void>,
): Job<ClaimedWarmUp, WarmUpEnd> => ({
  name: 'speech warm-ups',
  table: warmUpsTable,
  caps,
  retry: {
    mostTries,
    delayMs: (tries) => retryMs * 4 ** (tries - 1),
    giveUp: (error) => ({ revision: null, error: reasonOf(error) }),
  },
  // What is made is kept; the next process goes on with the rest.
  drainMs: 0,
  settle: settleWarmUps,
  outcomeOf: ({ error }) => (error === null ? 'done' : 'failed'),

  async run(row, { signal }) {
    const { job_id: agentId, workspace_id: workspaceId, agent, secrets, revision } = row
    const dictionary = row.pronunciations ?? []
    if (agent !== null) await warm({ agentId, workspaceId, agent, secrets, dictionary }, signal)
    return { revision, error: null }
  },
})

const reasonOf = (error: unknown): string => {
  if (error instanceof OwnerDied) return 'The process that worked on it died every time.'
  return error instanceof Error ? error.message : String(error)
}
