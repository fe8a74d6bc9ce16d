// The worker role: work that no request waits for. Batches become calls, finished calls events, events deliveries; and
// analyses, and housekeeping.
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { startLoop } from '../platform/loop.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { startFeeder } from '../resources/batches/feeder.ts'
import { pruneBatches } from '../resources/batches/store.ts'
import { startAnalysis } from '../resources/calls/analysis-worker.ts'
import { startLostCallSweeper } from '../resources/calls/lost-call-sweeper.ts'
import { pruneCalls } from '../resources/calls/recording-store.ts'
import { startUnjoinedCallSweeper } from '../resources/calls/unjoined-call-sweeper.ts'
import { sessions } from '../resources/users/sessions.ts'
import { pruneLog } from '../resources/webhooks/delivery-store.ts'
import { DeliveryWorker } from '../resources/webhooks/delivery-worker.ts'
import { startEventPublisher } from '../resources/webhooks/event-publisher.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import { openCallAnalyzer } from './call-analyzer.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { RecordingArchive } from './recording-archive.ts'

// What expires is ignored from that moment on; removing it is only housekeeping.
const pruneEveryMs = 10 * 60 * 1000

export interface Worker {
  stop(): Promise<void>
}

// Longer than a process that runs calls waits: that one may have the recording at hand.
const lostAfterMs = 15_000

export async function startWorker(
  infrastructure: Infrastructure,
  { deliverySeconds }: Metrics,
  { storage, salvage }: RecordingArchive,
): Promise<Worker> {
  const { config, db, vault, guard, log, openClaimant } = infrastructure
  const attempts = {
    delivered: deliverySeconds.labels('delivered'),
    failed: deliverySeconds.labels('failed'),
  }
  let deliveryWorker: DeliveryWorker | undefined
  const wake = () => deliveryWorker?.wake()
  const claimant = await openClaimant(wake)
  deliveryWorker = new DeliveryWorker({
    db,
    vault,
    log,
    claimant,
    send: sendThrough(guard, config.webhookTimeoutSeconds * 1000),
    backoffMs: config.webhookBackoffSeconds * 1000,
    onAttempt: (delivered, latencyMs) =>
      attempts[delivered ? 'delivered' : 'failed'].observe(latencyMs / 1000),
  })
  const eventPublisher = startEventPublisher(db, log)
  const feeder = startFeeder({ db, log, perWorkspace: config.workspaceConcurrency })
  const analyzer = openCallAnalyzer(infrastructure)
  const { analyse } = analyzer
  const analysis = startAnalysis({ db, log, claimant, openSecrets: keyOpener(vault), analyse })
  const ears = await Promise.all([
    db.listen('batches', { notice: feeder.wake, lost() {}, resumed: feeder.wake }),
    db.listen('calls_to_analyse', { notice: analysis.wake, lost() {}, resumed: analysis.wake }),
    db.listen('deliveries', { notice: wake, lost() {}, resumed: wake }),
    db.listen('calls_to_tell', { notice: eventPublisher.wake, lost() {}, resumed: eventPublisher.wake }),
  ])
  const tellAfterSeconds = config.callEventDelaySeconds
  const lostCallSweeper = startLostCallSweeper({ db, log, tellAfterSeconds, graceMs: lostAfterMs, salvage })
  const unjoinedCallSweeper = startUnjoinedCallSweeper(db, log, tellAfterSeconds)
  const housekeeping = startHousekeeping(infrastructure, storage)

  return {
    async stop() {
      await Promise.all(ears.map((ear) => ear.close()))
      await Promise.all(
        [
          feeder,
          eventPublisher,
          deliveryWorker,
          lostCallSweeper,
          unjoinedCallSweeper,
          analysis,
          housekeeping,
        ].map((loop) => loop.stop()),
      )
      await analyzer.close()
      await claimant.close()
    },
  }
}

function startHousekeeping({ config, db, vault, log }: Infrastructure, storage: Storage) {
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
