// The worker role: work that no request waits for. Batches become calls, finished calls events, events deliveries; and
// analyses, and housekeeping.
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { openClaimant } from '../platform/db/claim.ts'
import { startLoop } from '../platform/loop.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { startFeeder } from '../resources/batches/feeder.ts'
import { pruneBatches } from '../resources/batches/store.ts'
import { startAnalysis } from '../resources/calls/analysis-worker.ts'
import { startReaper } from '../resources/calls/lost-call-sweeper.ts'
import { pruneCalls } from '../resources/calls/recording-store.ts'
import { startUnjoined } from '../resources/calls/unjoined-call-sweeper.ts'
import { sessions } from '../resources/users/sessions.ts'
import { Courier } from '../resources/webhooks/delivery-worker.ts'
import { pruneLog } from '../resources/webhooks/delivery-store.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import { startTeller } from '../resources/webhooks/event-publisher.ts'
import { openAnalyst } from './call-analyzer.ts'
import type { Archive } from './recording-archive.ts'
import type { Floor } from './infrastructure.ts'

// What expires is ignored from that moment on; removing it is only housekeeping.
const pruneEveryMs = 10 * 60 * 1000

export interface Worker {
  stop(): Promise<void>
}

// Longer than a process that runs calls waits: that one may have the recording at hand.
const lostAfterMs = 15_000

export async function startWorker(
  floor: Floor,
  { deliverySeconds }: Metrics,
  { storage, salvage }: Archive,
): Promise<Worker> {
  const { config, db, vault, guard, log, connection } = floor
  const attempts = {
    delivered: deliverySeconds.labels('delivered'),
    failed: deliverySeconds.labels('failed'),
  }
  let courier: Courier | undefined
  const wake = () => courier?.wake()
  const claimant = await openClaimant(connection, wake)
  courier = new Courier({
    db,
    vault,
    log,
    claimant,
    send: sendThrough(guard, config.webhookTimeoutSeconds * 1000),
    backoffMs: config.webhookBackoffSeconds * 1000,
    onAttempt: (delivered, latencyMs) =>
      attempts[delivered ? 'delivered' : 'failed'].observe(latencyMs / 1000),
  })
  const teller = startTeller(db, log)
  const feeder = startFeeder({ db, log, perWorkspace: config.workspaceConcurrency })
  const analyst = openAnalyst(floor)
  const { analyse } = analyst
  const analysis = startAnalysis({ db, log, claimant, openSecrets: keyOpener(vault), analyse })
  const ears = await Promise.all([
    db.listen('batches', { notice: feeder.wake, lost() {}, resumed: feeder.wake }),
    db.listen('calls_to_analyse', { notice: analysis.wake, lost() {}, resumed: analysis.wake }),
    db.listen('deliveries', { notice: wake, lost() {}, resumed: wake }),
    db.listen('calls_to_tell', { notice: teller.wake, lost() {}, resumed: teller.wake }),
  ])
  const tellAfterSeconds = config.callEventDelaySeconds
  const reaper = startReaper({ db, log, tellAfterSeconds, graceMs: lostAfterMs, salvage })
  const unjoined = startUnjoined(db, log, tellAfterSeconds)
  const housekeeping = startHousekeeping(floor, storage)

  return {
    async stop() {
      await Promise.all(ears.map((ear) => ear.close()))
      await Promise.all(
        [feeder, teller, courier, reaper, unjoined, analysis, housekeeping].map((loop) => loop.stop()),
      )
      await analyst.close()
      await claimant.close()
    },
  }
}

function startHousekeeping({ config, db, vault, log }: Floor, storage: Storage) {
  const answers = answerStore(db, vault)
  const people = sessions(db)
  const step = async () => {
    await answers.prune()
    await people.prune()
    const { callLogDays: callDays, recordingDays } = config
    const moreCalls = await pruneCalls(db, storage, { callDays, recordingDays })
    const moreBatches = await pruneBatches(db, callDays)
    return (await pruneLog(db, config.webhookLogDays)) || moreCalls || moreBatches ? 0 : pruneEveryMs
  }
  return startLoop(step, (err) => {
    log.warn({ err }, 'housekeeping failed')
    return pruneEveryMs
  })
}
