// The media role, seen from the main thread: calls are claimed, run by the runner and written down; calls of processes that
// died are swept.
import { Crew } from '../platform/closing.ts'
import type { Admit } from '../ports/arrival.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { CallEventWriter } from '../resources/calls/call-event-writer.ts'
import { Dispatcher } from '../resources/calls/dispatcher.ts'
import { startLostCallSweeper } from '../resources/calls/lost-call-sweeper.ts'
import { startRecordingUploader } from '../resources/calls/recording-uploader.ts'
import type { CallRunner } from '../resources/calls/runner.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { RecordingArchive } from './recording-archive.ts'

// A process that lost its connection reconnects within a quarter of a second; this is ample.
const lostAfterMs = 3_000

export interface Media {
  /** Calls that come to us. */
  readonly admit: Admit
  /** Takes no more calls, lets those under way end, within reason, and writes everything down. */
  stop(): Promise<void>
}

/** The runner is closed with it; when this fails it is still the caller's. */
export async function startMedia(
  infrastructure: Infrastructure,
  archive: RecordingArchive,
  runner: CallRunner,
): Promise<Media> {
  const { config, db, vault, log, openClaimant } = infrastructure
  const { storage, folder, recordings, salvage } = archive
  const tellAfterSeconds = config.callEventDelaySeconds
  await using opened = new AsyncDisposableStack()
  let dispatcher: Dispatcher | undefined
  const wake = () => dispatcher?.wake()
  const claimant = opened.adopt(await openClaimant(wake), (it) => it.close())
  const loops = opened.use(new Crew())
  const recordingUploader = loops.add(
    startRecordingUploader({ db, log, storage, folder, linkTo: recordings.link }),
  )
  loops.add(startLostCallSweeper({ db, log, tellAfterSeconds, graceMs: lostAfterMs, salvage }))
  opened.defer(() => runner.close())
  const eventWriter = new CallEventWriter(db, log, tellAfterSeconds)
  opened.defer(() => eventWriter.stop().catch((err) => log.error({ err }, 'ends of calls not written down')))
  opened.adopt(await db.listen('calls', { notice: wake, lost() {}, resumed: wake }), (ear) => ear.close())
  const running = new Dispatcher({
    db,
    log,
    claimant,
    runner,
    eventWriter,
    openSecrets: keyOpener(vault),
    limits: { perWorkspace: config.workspaceConcurrency, perNumber: config.numberConcurrency },
    linkTo: recordings.link,
    onRecorded: recordingUploader.wake,
  })
  dispatcher = running
  opened.defer(() => running.drain(config.drainSeconds * 1000))

  const everything = opened.move()
  return {
    admit: (key, arrival) => running.admit(key, arrival),
    stop: () => everything.disposeAsync(),
  }
}
