// Turns recipients into calls just in time: as many as their batch may have at once, in turn with other batches.
//
// All its state is in the database, so any number of processes may run it, and any of them may die at any moment.
import type { Db, Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import {
  endBatch,
  feedCalls,
  lockRunning,
  recentDials,
  retimeCalls,
  runningBatches,
  startScheduled,
} from './feed-store.ts'
import { type Allowance, isCarrierBroken, isTrial, nextStepOf, queueShares, recentMost } from './next-step.ts'
import { pauseSeconds, trunkHealth } from './trunk-health.ts'
import { trunkAnswers, waitForTrunk } from './trunk-store.ts'

export interface FeederOptions {
  readonly db: Db
  readonly log: Log
  /** How many calls a workspace may have at a time; a batch cannot use more. */
  readonly perWorkspace: number
}

// A notification arrives with every call that ends; those within this time are handled together.
const gatherMs = 50
// Windows open, retries fall due and schedules begin without a notification.
const idleMs = 1_000
// Delay after a database failure.
const brokenMs = 250
// Calls created in one transaction: pausing the batch waits no longer than for these.
const atOnce = 200

const brokenCarrier = 'Half of the recent calls or more failed at the carrier.'

export function startFeeder({ db, log, perWorkspace }: FeederOptions): Loop {
  let lastTurnMs = Number.NEGATIVE_INFINITY
  let lastBatch = '00000000-0000-0000-0000-000000000000'

  const step = async () => {
    const waitMs = lastTurnMs + gatherMs - performance.now()
    if (waitMs > 0) return waitMs
    lastTurnMs = performance.now()
    await startScheduled(db)
    let more = false
    const running = await runningBatches(db, lastBatch)
    const shares = queueShares(running, perWorkspace, Date.now())
    for (const batch of running) {
      const allowance = { most: perWorkspace, mostQueued: shares.get(batch.workspace_id) ?? perWorkspace }
      if (nextStepOf(batch, allowance, Date.now()).do === 'rest') continue
      more = (await db.transaction((tx) => serve(tx, batch.batch_id, allowance))) || more
      lastBatch = batch.batch_id
    }
    return more ? gatherMs : idleMs
  }

  /** Returns true if there is room for more calls than one round creates. */
  const serve = async (tx: Queries, batchId: string, allowance: Allowance): Promise<boolean> => {
    const batch = await lockRunning(tx, batchId)
    if (!batch) return false
    const turn = nextStepOf(batch, allowance, Date.now())
    if (turn.do === 'rest') return false
    if (turn.do === 'finish') {
      await endBatch(tx, batchId, 'completed', null)
      return false
    }
    const dials = await recentDials(tx, batchId, recentMost)
    const health = trunkHealth(dials, { isTrial: isTrial(batch), hasFresh: batch.fresh })
    if (health === 'silent') {
      log.warn({ batch_id: batchId }, 'batch waits: its trunk does not answer')
      await waitForTrunk(tx, batchId, pauseSeconds(batch.trunk_tries))
      return false
    }
    if (health === 'answers' && isTrial(batch)) {
      log.info({ batch_id: batchId }, 'batch goes on: its trunk answers again')
      await trunkAnswers(tx, batchId)
      return true
    }
    if (isCarrierBroken(dials)) {
      log.warn({ batch_id: batchId }, 'batch stopped: too many calls failed at the carrier')
      await endBatch(tx, batchId, 'failed', brokenCarrier)
      return false
    }
    if (turn.retime) await retimeCalls(tx, batchId, turn.zones, turn.release)
    if (turn.room === 0) return false
    const sessionIds = Array.from({ length: Math.min(turn.room, atOnce) }, () => newId())
    return (await feedCalls(tx, { batchId, zones: turn.zones, sessionIds })) === sessionIds.length
  }

  return startLoop(step, (err) => {
    log.warn({ err }, 'batches wait for the database')
    return brokenMs
  })
}
