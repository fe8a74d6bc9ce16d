// The media role, seen from the main thread: calls are taken, run by the runner, written down, and given up for lost
// where their process died.
import { openClaimant } from '../platform/db/claim.ts'
import type { BrowserLink } from '../ports/browser-link.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { startArchivist } from '../resources/calls/recording-uploader.ts'
import { Dispatcher } from '../resources/calls/dispatcher.ts'
import { startReaper } from '../resources/calls/lost-call-sweeper.ts'
import type { CallRunner } from '../resources/calls/runner.ts'
import { Scribe } from '../resources/calls/call-event-writer.ts'
import type { Joined } from '../resources/calls/waiting-room.ts'
import type { Archive } from './recording-archive.ts'
import type { Floor } from './infrastructure.ts'

// A process that lost its connection reconnects within a quarter of a second; this is ample.
const lostAfterMs = 3_000

export interface Media {
  /** A browser comes with the token of a call. */
  join(token: string, browser: BrowserLink): Promise<Joined>
  /** Takes no more calls, lets those under way end, within reason, and writes everything down. */
  stop(): Promise<void>
}

export async function startMedia(floor: Floor, archive: Archive, runner: CallRunner): Promise<Media> {
  const { config, db, vault, log, connection } = floor
  const { storage, folder, recordings, salvage } = archive
  const tellAfterSeconds = config.callEventDelaySeconds
  let dispatcher: Dispatcher | undefined
  const wake = () => dispatcher?.wake()
  const claimant = await openClaimant(connection, wake)
  const scribe = new Scribe(db, log, tellAfterSeconds)
  const archivist = startArchivist({ db, log, storage, folder, linkTo: recordings.link })
  const reaper = startReaper({ db, log, tellAfterSeconds, graceMs: lostAfterMs, salvage })
  dispatcher = new Dispatcher({
    db,
    log,
    claimant,
    runner,
    scribe,
    openSecrets: keyOpener(vault),
    limits: { perWorkspace: config.workspaceConcurrency, perNumber: config.numberConcurrency },
    linkTo: recordings.link,
    onRecorded: archivist.wake,
  })
  const ear = await db.listen('calls', { notice: wake, lost() {}, resumed: wake })

  return {
    join: (token, browser) => dispatcher.join(token, browser),
    async stop() {
      await dispatcher.drain(config.drainSeconds * 1000)
      await ear.close()
      await scribe.stop().catch((err) => log.error({ err }, 'ends of calls not written down'))
      await runner.close()
      await Promise.all([archivist.stop(), reaper.stop()])
      await claimant.close()
    },
  }
}
