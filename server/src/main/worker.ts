// The worker role: work that no request waits for. Batches become calls, finished calls events, events deliveries; and
// analyses, and housekeeping.
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { Crew } from '../platform/closing.ts'
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
  await using opened = new AsyncDisposableStack()
  let deliveryWorker: DeliveryWorker | undefined
  const wake = () => deliveryWorker?.wake()
  const claimant = opened.adopt(await openClaimant(wake), (it) => it.close())
  const analyzer = opened.adopt(openCallAnalyzer(infrastructure), (it) => it.close())
  const loops = opened.use(new Crew())
  const hear = async (channel: string, notice: () => void) =>
    opened.adopt(await db.listen(channel, { notice, lost() {}, resumed: notice }), (ear) => ear.close())

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
  loops.add(deliveryWorker)
  const eventPublisher = loops.add(startEventPublisher(db, log))
  const feeder = loops.add(startFeeder({ db, log, perWorkspace: config.workspaceConcurrency }))
  const { analyse } = analyzer
  const openSecrets = keyOpener(vault)
  const analysis = loops.add(startAnalysis({ db, log, claimant, openSecrets, analyse }))
  const tellAfterSeconds = config.callEventDelaySeconds
  loops.add(startLostCallSweeper({ db, log, tellAfterSeconds, graceMs: lostAfterMs, salvage }))
  loops.add(startUnjoinedCallSweeper(db, log, tellAfterSeconds))
  loops.add(startHousekeeping(infrastructure, storage))
  await hear('batches', feeder.wake)
  await hear('calls_to_analyse', analysis.wake)
  await hear('deliveries', wake)
  await hear('calls_to_tell', eventPublisher.wake)

  const running = opened.move()
  return { stop: () => running.disposeAsync() }
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
