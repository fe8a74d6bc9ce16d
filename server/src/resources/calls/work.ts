// What processes do for calls. The media role, in the main thread: claims calls, has the runner run them, stores their
// records, and sweeps calls of processes that died.
import { StopGroup } from '../../platform/closing.ts'
import type { Infrastructure } from '../../platform/infrastructure.ts'
import type { CallResumer } from '../../ports/call-state.ts'
import { keyOpener } from '../agents/agents.ts'
import { openCredentials } from '../credentials/credentials.ts'
import { expectedSpeech } from './plan/expected-speech.ts'
import { Dispatcher } from './queue/dispatcher.ts'
import { endOfLostCall, startLostCallSweeper } from './queue/lost-call-sweeper.ts'
import type { CallRunner } from './queue/runner.ts'
import { CallEventWriter } from './record/call-event-writer.ts'
import { openCallState } from './record/call-state-store.ts'
import { reopenRecording } from './recordings/recording-file.ts'
import { startRecordingUploader } from './recordings/recording-uploader.ts'
import type { RecordingArchive } from './recordings/recordings.ts'

export { pruneDrafts, sealedDrafts } from './draft-calls.ts'
export { answerListening } from './listening/listening.ts'
export type { ExpectedSpeech } from './plan/expected-speech.ts'
export type { CallLoad } from './queue/dispatcher.ts'
export { answerHandovers } from './queue/handover.ts'
export { lostCallSweep } from './queue/lost-call-sweeper.ts'
export { measuredRunner, tracedRunner } from './queue/observed-runner.ts'
export type { CallRunner, OnLiveSound, StopReason } from './queue/runner.ts'
export { unjoinedCallSweep } from './queue/unjoined-call-sweeper.ts'
export { analysisJob } from './record/analysis-worker.ts'
export { callLog } from './record/call-log.ts'
export { openCallStateWriter, sealedCallStates } from './record/call-state-store.ts'
export { openSignallingWriter } from './record/signalling-store.ts'
export { recordingPruner } from './recordings/recording-store.ts'
export { openRecordingArchive, type RecordingArchive, recordingName } from './recordings/recordings.ts'

// A process that lost its connection reconnects within a quarter of a second; this leaves ample margin.
const lostAfterMs = 3_000

/** Closes the runner when it stops. If the start fails, the caller must close it. */
export async function startMedia(
  infrastructure: Infrastructure,
  archive: RecordingArchive,
  runner: CallRunner,
  onLost?: () => void,
) {
  const { config, db, vault, log, openClaimant } = infrastructure
  const { storage, folder, recordings, salvage } = archive
  const eventDelaySeconds = config.callEventDelaySeconds
  await using opened = new AsyncDisposableStack()
  let dispatcher: Dispatcher | undefined
  const wake = () => dispatcher?.wake()
  const claimant = opened.adopt(await openClaimant(wake), (it) => it.close())
  const loops = opened.use(new StopGroup())
  const recordingUploader = loops.add(
    startRecordingUploader({ db, log, storage, folder, linkTo: recordings.link }),
  )
  loops.add(
    startLostCallSweeper({ db, log, claimant, eventDelaySeconds, graceMs: lostAfterMs, salvage, onLost }),
  )
  opened.defer(() => runner.close())
  const eventWriter = new CallEventWriter(db, log, eventDelaySeconds)
  opened.defer(() => eventWriter.stop().catch((err) => log.error({ err }, 'ended calls not stored')))
  opened.adopt(await db.listen('calls', { notice: wake, resumed: wake }), (ear) => ear.close())
  await expectAgents(infrastructure, runner)
  const running = new Dispatcher({
    db,
    log,
    claimant,
    runner,
    eventWriter,
    openStored: {
      openSecrets: keyOpener(vault),
      openCredentials: (workspaceId, vendor, sealed) => openCredentials(vault, workspaceId, vendor, sealed),
    },
    limits: { perWorkspace: config.workspaceConcurrency, perNumber: config.numberConcurrency },
    linkTo: recordings.link,
    onRecorded: recordingUploader.wake,
    reopenRecording: (sessionId) => reopenRecording(folder, sessionId),
    endOfLost: (sessionId) =>
      endOfLostCall({ session_id: sessionId, call_initiated_time: new Date() }, { db, log, salvage }),
    openState: (sessionId, sealed) => openCallState(vault, sessionId, sealed),
  })
  dispatcher = running
  opened.defer(() => running.drain(config.drainSeconds * 1000))

  const everything = opened.move()
  return {
    dispatcher: running,
    /** From now on this process takes over calls of processes that died or stop. */
    resumeWith(resumer: CallResumer): void {
      running.resumer = resumer
      running.wake()
    },
    /** Takes no more calls, lets running ones end within the drain time, and stores everything. */
    stop: () => everything.disposeAsync(),
  }
}

/** A service that cannot tell what its agents need starts all the same: their first calls wait for their engines. */
async function expectAgents({ config, db, log }: Infrastructure, runner: CallRunner): Promise<void> {
  if (!config.loadsForAgents || !runner.expect) return
  try {
    runner.expect(await expectedSpeech(db, config))
  } catch (err) {
    log.warn({ err }, 'the engines of active agents are not loaded ahead')
  }
}
