// The media role in the main thread: claims calls, has the runner run them, stores their records, and sweeps calls of
// processes that died.
import { StopGroup } from '../platform/closing.ts'
import type { Admit } from '../ports/arrival.ts'
import type { CallResumer } from '../ports/call-state.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import type { LiveSound } from '../resources/calls/listening/live-sound.ts'
import { type CallLoad, Dispatcher } from '../resources/calls/queue/dispatcher.ts'
import { endOfLostCall, startLostCallSweeper } from '../resources/calls/queue/lost-call-sweeper.ts'
import type { CallRunner } from '../resources/calls/queue/runner.ts'
import { CallEventWriter } from '../resources/calls/record/call-event-writer.ts'
import { openCallState } from '../resources/calls/record/call-state-store.ts'
import { reopenRecording } from '../resources/calls/recordings/recording-file.ts'
import { startRecordingUploader } from '../resources/calls/recordings/recording-uploader.ts'
import { openCredentials } from '../resources/credentials/credentials.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { RecordingArchive } from './recording-archive.ts'

// A process that lost its connection reconnects within a quarter of a second; this leaves ample margin.
const lostAfterMs = 3_000

export interface Media {
  /** For calls that come to us. */
  readonly admit: Admit
  /** Where the agent of a running call may transfer to. */
  transferTargets(sessionId: string): readonly string[]
  /** The sound of a running call. */
  live(sessionId: string): LiveSound | undefined
  /** How busy this process is. */
  readonly load: CallLoad
  /** From now on calls of processes that died or stop are gone on with. */
  resumeWith(resumer: CallResumer): void
  /** From now on they are left to other processes. */
  leaveOrphans(): void
  /** How many of them this process would take. */
  readonly roomForOrphans: number
  /** Takes no more calls, lets running ones end within the drain time, and stores everything. */
  stop(): Promise<void>
}

/** Closes the runner when it stops. If the start fails, the caller must close it. */
export async function startMedia(
  infrastructure: Infrastructure,
  archive: RecordingArchive,
  runner: CallRunner,
  onLost?: () => void,
): Promise<Media> {
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
  opened.adopt(await db.listen('calls', { notice: wake, lost() {}, resumed: wake }), (ear) => ear.close())
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
    admit: (key, arrival) => running.admit(key, arrival),
    transferTargets: (sessionId) => running.transferTargets(sessionId),
    live: (sessionId) => running.live(sessionId),
    get load() {
      return running.load
    },
    resumeWith(resumer) {
      running.resumer = resumer
      running.wake()
    },
    leaveOrphans: () => running.leaveOrphans(),
    get roomForOrphans() {
      return running.roomForOrphans
    },
    stop: () => everything.disposeAsync(),
  }
}
