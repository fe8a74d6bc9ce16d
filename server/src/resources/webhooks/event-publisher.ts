// Publishes the event of an ended call after the delay.
//
// While many calls wait, it publishes about as many as can be sent: a delivery that is claimed with its publication costs
// the database less than one that is claimed later.
import type { Queries } from '../../platform/db/db.ts'
import type { Sweep } from '../../platform/jobs/job.ts'
import type { JobWorker } from '../../platform/jobs/worker.ts'
import { untilNextDue } from '../calls/calls.ts'
import type { ClaimedDelivery, DeliveryResult } from './backlog.ts'
import { publishEvents } from './publish-events.ts'

// A batch this large is still fast, and the next one follows immediately.
const mostAtOnce = 256
// While many wait: published when this share of the places is free. Less would be many small statements, more would let
// the lanes run empty until the next batch is there.
const worthPublishing = 1 / 4
// Nobody's event waits longer for deliveries to others to end.
const mostWaitMs = 50
const lookMs = 3
// Poll interval while no event is pending, in case a notification was missed.
const idleMs = 1_000
const brokenMs = 250

type DeliveryWorker = Pick<JobWorker<ClaimedDelivery, DeliveryResult>, 'insert' | 'occupied'>

export function eventPublisher(db: Queries, deliveries: DeliveryWorker): Sweep {
  let isBehind = false
  let lastMs = 0
  let after: string | null = null
  /** How many to publish now; 0 to wait for deliveries to end. */
  const room = (): number => {
    const { jobs, places } = deliveries.occupied
    if (!isBehind || places === 0 || performance.now() - lastMs >= mostWaitMs) return mostAtOnce
    const free = places - jobs
    return free < places * worthPublishing ? 0 : Math.min(free, mostAtOnce)
  }
  return {
    name: 'events',
    everyMs: idleMs,
    afterErrorMs: brokenMs,
    notice: 'calls_to_tell',
    async run() {
      const most = room()
      if (most === 0) return lookMs
      const { calls, lastWorkspace } = await deliveries.insert((limits) =>
        publishEvents(db, most, { ...limits, after }),
      )
      isBehind = calls === most
      after = lastWorkspace
      lastMs = performance.now()
      return isBehind ? 0 : ((await untilNextDue(db)) ?? idleMs)
    },
  }
}
