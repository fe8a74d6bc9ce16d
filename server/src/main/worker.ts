// The worker role: background work that no request waits for. Turns batches into calls, ended calls into events and
// events into deliveries; analyses calls; does the housekeeping. Every job is a description; `platform/jobs/` runs
// them.
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { openCallAnalyzer } from '../mind/analysis/call-analyzer.ts'
import { StopGroup } from '../platform/closing.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { Sweep } from '../platform/jobs/job.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import { openArchiveFiles, startRetention } from '../platform/retention/retention.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { keyOpener, pruneVersions } from '../resources/agents/agents.ts'
import { pruneBatches, startFeeder } from '../resources/batches/work.ts'
import { erasureJob, pruneErasedCalls, pruneMemories } from '../resources/callers/work.ts'
import {
  analysisJob,
  callLog,
  lostCallSweep,
  pruneDrafts,
  type RecordingArchive,
  recordingPruner,
  unjoinedCallSweep,
} from '../resources/calls/work.ts'
import { workspaceAccounts } from '../resources/credentials/credentials.ts'
import { startIndexing } from '../resources/knowledge-base/work.ts'
import { type SpeechCache, speechName } from '../resources/speech-cache/speech-cache.ts'
import { startWarmUps } from '../resources/speech-cache/work.ts'
import { notices } from '../resources/usage/usage.ts'
import { usageSweep } from '../resources/usage/work.ts'
import { pruneInvitations, pruneSessions } from '../resources/users/work.ts'
import { sendThrough } from '../resources/webhooks/webhooks.ts'
import {
  deliveryJob,
  eventLog,
  eventPublisher,
  tracedSend,
  traceOfEvent,
} from '../resources/webhooks/work.ts'
import { reopenDeletions, workspaceDeletionJob } from '../resources/workspaces/work.ts'
import { openAheadSpeaker } from '../speech/cache/speak-ahead.ts'
import { withWorkspaceKeys } from '../speech/vendor-accounts.ts'
import { knowledgeEngines } from './knowledge-engines.ts'

// Rows that have expired are ignored at once; deleting them is only housekeeping.
const pruneEveryMs = 10 * 60 * 1000

// The worker waits longer than a media process does, which may have the recording on its disk.
const lostAfterMs = 15_000

export async function startWorker(
  infrastructure: Infrastructure,
  metrics: Metrics,
  { storage, salvage, remove }: RecordingArchive,
  speechCache: SpeechCache | undefined,
) {
  const { config, db, vault, guard, log, traces, openClaimant } = infrastructure
  const traceOf = (payload: string) => (traces ? traceOfEvent(payload) : undefined)
  await using opened = new AsyncDisposableStack()
  let jobs: Jobs | undefined
  const claimant = opened.adopt(await openClaimant(() => jobs?.wake()), (it) => it.close())
  const analyzer = opened.adopt(openCallAnalyzer(infrastructure), (it) => it.close())
  const uploads = opened.adopt(await openStorage(config, 'uploads'), (it) => it.close())
  const speech = opened.adopt(await openStorage(config, 'speech-cache'), (it) => it.close())
  const closedLast: { close(): Promise<void> }[] = []
  // The parts that jobs use outlive the jobs.
  opened.defer(async () => void (await Promise.all(closedLast.map((it) => it.close()))))
  // The members of the group stop at the same time, so that a slow one does not delay the others.
  const stopGroup = opened.use(new StopGroup())
  jobs = stopGroup.add(new Jobs({ db, log, claimant, observe: metrics.observeJob }))
  const feeder = stopGroup.add(startFeeder({ db, log, perWorkspace: config.workspaceConcurrency }))
  const eventDelaySeconds = config.callEventDelaySeconds

  const deliveries = await jobs.start(
    deliveryJob({
      vault,
      send: tracedSend(sendThrough(guard, config.webhookTimeoutSeconds * 1000), traces),
      backoffMs: config.webhookBackoffSeconds * 1000,
      onAttempt: (delivered, latencyMs, payload) =>
        metrics.observeAttempt(delivered ? 'delivered' : 'failed', latencyMs / 1000, traceOf(payload)),
      onFirstSent: (delayMs, payload) =>
        metrics.observeDeliveryDelay(Math.max(0, delayMs) / 1000, traceOf(payload)),
    }),
  )
  const accountsOf = workspaceAccounts(db, vault)
  await jobs.start(
    analysisJob({
      openSecrets: keyOpener(vault),
      analyse: analyzer.analyse,
      withKeys: async (workspaceId, model) =>
        withWorkspaceKeys(model, await accountsOf(workspaceId), 'language_model'),
    }),
  )
  closedLast.push(await startIndexing(infrastructure, jobs, knowledgeEngines))
  const archive = openArchiveFiles(infrastructure)
  closedLast.push(archive)
  await jobs.start(erasureJob({ db, vault, removeRecording: remove, archive }))
  await jobs.start(
    workspaceDeletionJob({
      db,
      archive,
      removeRecording: remove,
      removeFile: (fileId) => uploads.remove(fileId),
      removeSpeech: (workspaceId, key) => speech.remove(speechName(workspaceId, key)),
    }),
  )
  if (speechCache) {
    const speaker = openAheadSpeaker(config)
    closedLast.push(speaker)
    await startWarmUps(vault, jobs, speechCache, speaker.speak)
  }
  const logs = [callLog(config.callLogDays), eventLog(config.webhookLogDays)]
  closedLast.push(await startRetention(infrastructure, jobs, logs))
  await jobs.sweep(usageSweep(db))
  await jobs.sweep(eventPublisher(db, deliveries))
  await jobs.sweep(
    lostCallSweep({
      db,
      log,
      claimant,
      eventDelaySeconds,
      graceMs: lostAfterMs,
      salvage,
      onLost: metrics.countLostCall,
    }),
  )
  await jobs.sweep(unjoinedCallSweep(db, eventDelaySeconds))
  await jobs.sweep(housekeeping(infrastructure, storage))
  opened.adopt(await db.listen('batches', { notice: feeder.wake, resumed: feeder.wake }), (subscription) =>
    subscription.close(),
  )

  const running = opened.move()
  return {
    /** False while its jobs wait for the database. */
    get isConnected() {
      return claimant.alive
    },
    stop: () => running.disposeAsync(),
  }
}

function housekeeping({ config, db, vault }: Infrastructure, storage: Storage): Sweep {
  const answers = answerStore(db, vault)
  const { callLogDays: callDays, recordingDays } = config
  const pruneRecordings = recordingPruner(db, storage, Math.min(callDays, recordingDays))
  return {
    name: 'housekeeping',
    everyMs: pruneEveryMs,
    afterErrorMs: pruneEveryMs,
    async run() {
      await answers.prune()
      await pruneSessions(db)
      await pruneDrafts(db)
      await pruneInvitations(db)
      const moreRecordings = await pruneRecordings()
      const moreBatches = await pruneBatches(db, callDays)
      await pruneVersions(db)
      await pruneMemories(db, callDays)
      await pruneErasedCalls(db, callDays)
      await notices(db).prune(callDays)
      await reopenDeletions(db)
      return moreRecordings || moreBatches ? 0 : pruneEveryMs
    },
  }
}
