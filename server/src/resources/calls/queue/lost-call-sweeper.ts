// Ends calls whose process died as failed/worker_lost, with the transcript stored so far. Those that another process
// can go on with (orphaned-calls.ts) are left to it for a while.
import type { Claimant } from '../../../platform/db/claim.ts'
import type { Db } from '../../../platform/db/db.ts'
import { ClaimantJudge } from '../../../platform/db/judgement.ts'
import type { Sweep } from '../../../platform/jobs/job.ts'
import { startSweep } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import type { Loop } from '../../../platform/loop.ts'
import { removeCallStates } from '../record/call-state-store.ts'
import { storedSoFar } from '../record/event-store.ts'
import { failedEnd } from '../record/event-wire.ts'
import { type CallEnd, finishCalls } from '../record/finish-calls.ts'
import { callsHeldBy, deadClaimants, type LostCall } from './backlog.ts'

export interface LostCallSweeperOptions {
  readonly db: Db
  readonly log: Log
  readonly claimant: Pick<Claimant, 'mayJudge'>
  readonly eventDelaySeconds: number
  /** A process that only lost its connection is back within a second. */
  readonly graceMs: number
  /** Repairs the unfinished recording, if it is on this machine. */
  readonly salvage: (sessionId: string) => Promise<CallEnd['recording']>
  readonly onLost?: (() => void) | undefined
}

const lookMs = 1_000
const brokenMs = 1_000
// Enough for other processes to find a call, and for the far end to answer them.
const resumeMs = 5_000
const atOnce = 100

export const startLostCallSweeper = (options: LostCallSweeperOptions): Loop =>
  startSweep(lostCallSweep(options), options)

export function lostCallSweep(options: LostCallSweeperOptions): Sweep {
  /** When each claimant was first seen dead. */
  const deadSince = new Map<number, number>()
  const judgement = new ClaimantJudge(options.claimant)
  return {
    name: 'lost calls',
    everyMs: lookMs,
    afterErrorMs: brokenMs,
    async run() {
      const dead = await judgement.look(() => deadClaimants(options.db))
      if (!dead) {
        deadSince.clear()
        return lookMs
      }
      const nowMs = performance.now()
      for (const id of deadSince.keys()) if (!dead.includes(id)) deadSince.delete(id)
      for (const id of dead) {
        const sinceMs = deadSince.get(id) ?? nowMs
        deadSince.set(id, sinceMs)
        const overdueMs = nowMs - sinceMs - options.graceMs
        if (overdueMs >= 0) await endCallsOf(id, overdueMs >= resumeMs, options)
      }
      return lookMs
    },
  }
}

async function endCallsOf(
  claimantId: number,
  resumable: boolean,
  options: LostCallSweeperOptions,
): Promise<void> {
  const { db, log, eventDelaySeconds } = options
  for (;;) {
    const lost = await callsHeldBy(db, claimantId, atOnce, resumable)
    const ends = await Promise.all(
      lost.map(async (call) => ({ ...(await endOfLostCall(call, options)), sessionId: call.session_id })),
    )
    // The process may have claimed its calls again meanwhile: a commit that waits for a replica is not seen until it
    // is done.
    const ended = await finishCalls(db, ends, eventDelaySeconds, claimantId)
    if (resumable && ended.length > 0) await removeCallStates(db, ended)
    for (const sessionId of ended) {
      options.onLost?.()
      log.warn({ session_id: sessionId }, 'call lost: its process died')
    }
    if (lost.length < atOnce || ended.length === 0) return
  }
}

/** Returns the end of a lost call, with everything that its process had stored. */
export async function endOfLostCall(
  { session_id, call_initiated_time }: LostCall,
  options: Pick<LostCallSweeperOptions, 'db' | 'log' | 'salvage'>,
): Promise<CallEnd> {
  const { last, answered, ...stored } = await storedSoFar(options.db, session_id)
  const lastAt = last?.at ?? call_initiated_time
  return {
    ...failedEnd('worker_lost', 'The process that ran this call died.'),
    duration: answered ? (lastAt.getTime() - answered.at.getTime()) / 1000 : 0,
    completedAt: lastAt,
    ...stored,
    recording: await options.salvage(session_id).catch((err) => {
      options.log.error({ err, session_id }, 'recording of a lost call could not be repaired')
      return null
    }),
  }
}
