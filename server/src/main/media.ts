// The media role, seen from the main thread: calls are claimed, run by the runner and written down; calls of processes that
// died are swept.
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

export async function startMedia(
  infrastructure: Infrastructure,
  archive: RecordingArchive,
  runner: CallRunner,
): Promise<Media> {
  const { config, db, vault, log, openClaimant } = infrastructure
  const { storage, folder, recordings, salvage } = archive
  const tellAfterSeconds = config.callEventDelaySeconds
  let dispatcher: Dispatcher | undefined
  const wake = () => dispatcher?.wake()
  const claimant = await openClaimant(wake)
  const eventWriter = new CallEventWriter(db, log, tellAfterSeconds)
  const recordingUploader = startRecordingUploader({ db, log, storage, folder, linkTo: recordings.link })
  const lostCallSweeper = startLostCallSweeper({ db, log, tellAfterSeconds, graceMs: lostAfterMs, salvage })
  dispatcher = new Dispatcher({
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
  const ear = await db.listen('calls', { notice: wake, lost() {}, resumed: wake })

  return {
    admit: (key, arrival) => dispatcher.admit(key, arrival),
    async stop() {
      await dispatcher.drain(config.drainSeconds * 1000)
      await ear.close()
      await eventWriter.stop().catch((err) => log.error({ err }, 'ends of calls not written down'))
      await runner.close()
      await Promise.all([recordingUploader.stop(), lostCallSweeper.stop()])
      await claimant.close()
    },
  }
}
