// The worker role: background work that no request waits for. Turns batches into calls, ended calls into events and
// events into deliveries; analyses calls; does the housekeeping. Every job is a description; `platform/jobs/` runs
// them.
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { StopGroup } from '../platform/closing.ts'
import type { Sweep } from '../platform/jobs/job.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { keyOpener, pruneVersions } from '../resources/agents/agents.ts'
import { startFeeder } from '../resources/batches/feeder.ts'
import { pruneBatches } from '../resources/batches/store.ts'
import { erasureJob, pruneErasedCalls, pruneMemories } from '../resources/callers/callers.ts'
import { pruneDrafts } from '../resources/calls/draft-calls.ts'
import { lostCallSweep } from '../resources/calls/queue/lost-call-sweeper.ts'
import { unjoinedCallSweep } from '../resources/calls/queue/unjoined-call-sweeper.ts'
import { analysisJob } from '../resources/calls/record/analysis-worker.ts'
import { recordingPruner } from '../resources/calls/recordings/recording-store.ts'
import { workspaceAccounts } from '../resources/credentials/credentials.ts'
import { type SpeechCache, speechName } from '../resources/speech-cache/speech-cache.ts'
import { notices, usageSweep } from '../resources/usage/usage.ts'
import { pruneInvitations } from '../resources/users/invitations.ts'
import { sessions } from '../resources/users/sessions.ts'
import { deliveryJob } from '../resources/webhooks/delivery-worker.ts'
import { eventPublisher } from '../resources/webhooks/event-publisher.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import { tracedSend, traceOfEvent } from '../resources/webhooks/traced-send.ts'
import { reopenDeletions, workspaceDeletionJob } from '../resources/workspaces/workspaces.ts'
import { withWorkspaceKeys } from '../speech/vendor-accounts.ts'
import { openCallAnalyzer } from './call-analyzer.ts'
import type { Infrastructure } from './infrastructure.ts'
import { startIndexing } from './knowledge.ts'
import type { RecordingArchive } from './recording-archive.ts'
import { openArchiveFiles, startRetention } from './retention.ts'
import { openSpeechStorage, startWarmUps } from './speech-cache.ts'
import { openUploadStorage } from './transcription.ts'

// What has expired is ignored immediately; deleting it is only housekeeping.
const pruneEveryMs = 10 * 60 * 1000

export interface Worker {
  /** False while its jobs wait for the database. */
  readonly isConnected: boolean
  stop(): Promise<void>
}

// Longer than a media process waits: that one may have the recording on its disk.
const lostAfterMs = 15_000

export async function startWorker(
  infrastructure: Infrastructure,
  metrics: Metrics,
  { storage, salvage, remove }: RecordingArchive,
  speechCache: SpeechCache | undefined,
): Promise<Worker> {
  const { config, db, vault, guard, log, traces, openClaimant } = infrastructure
  const traceOf = (payload: string) => (traces ? traceOfEvent(payload) : undefined)
  await using opened = new AsyncDisposableStack()
  let jobs: Jobs | undefined
  const claimant = opened.adopt(await openClaimant(() => jobs?.wake()), (it) => it.close())
  const analyzer = opened.adopt(openCallAnalyzer(infrastructure), (it) => it.close())
  const uploads = opened.adopt(await openUploadStorage(config), (it) => it.close())
  const speech = opened.adopt(await openSpeechStorage(config), (it) => it.close())
  const closedLast: { close(): Promise<void> }[] = []
  // What jobs use outlives them.
  opened.defer(async () => void (await Promise.all(closedLast.map((it) => it.close()))))
  // Stopped concurrently, so that a slow one does not delay the others.
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
      withKeys: async (workspaceId, model) => withWorkspaceKeys(model, await accountsOf(workspaceId)),
    }),
  )
  closedLast.push(await startIndexing(infrastructure, jobs))
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
  if (speechCache) closedLast.push(await startWarmUps(infrastructure, jobs, speechCache))
  closedLast.push(await startRetention(infrastructure, jobs))
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
  opened.adopt(
    await db.listen('batches', { notice: feeder.wake, lost() {}, resumed: feeder.wake }),
    (subscription) => subscription.close(),
  )

  const running = opened.move()
  return {
    get isConnected() {
      return claimant.alive
    },
    stop: () => running.disposeAsync(),
  }
}

function housekeeping({ config, db, vault }: Infrastructure, storage: Storage): Sweep {
  const answers = answerStore(db, vault)
  const people = sessions(db)
  const { callLogDays: callDays, recordingDays } = config
  const pruneRecordings = recordingPruner(db, storage, Math.min(callDays, recordingDays))
  return {
    name: 'housekeeping',
    everyMs: pruneEveryMs,
    afterErrorMs: pruneEveryMs,
    async run() {
      await answers.prune()
      await people.prune()
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
