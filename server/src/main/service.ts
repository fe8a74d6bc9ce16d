// A whole process: started in order, stopped in the opposite one.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { linePath } from '@parley/contract'
import { openBrowserDoor } from '../adapters/carriers/browser/door.ts'
import { openMetrics } from '../http/metrics.ts'
import { type Config, SettingError } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { CallRunner } from '../resources/calls/runner.ts'
import { makeLink } from '../resources/users/sessions.ts'
import { addressOf } from './address.ts'
import { bootstrap, type FirstRun } from './bootstrap.ts'
import { type Infrastructure, openInfrastructure } from './infrastructure.ts'
import { measuredRunner } from './measured-runner.ts'
import { startMedia } from './media.ts'
import type { MediaRunnerOptions } from './media-runner.ts'
import { openRecordingArchive } from './recording-archive.ts'
import { type OpenEngine, openTranscription } from './transcription.ts'
import { openTranscriptionEngine } from './transcription-engine.ts'
import { type Wired, wireHttp } from './wire.ts'
import { startWorker } from './worker.ts'

export interface Service {
  readonly port: number
  readonly firstRun: FirstRun | undefined
  /** On the first start: signs the first user in once, without the password. */
  readonly signInToken: string | undefined
  stop(): Promise<void>
}

/** Opens whoever runs the calls of this process and records them in that folder; without it the process takes none. */
export type OpenRunner = (options: MediaRunnerOptions) => CallRunner

export async function startService(
  config: Config,
  log: Log,
  openRunner?: OpenRunner,
  openEngine: OpenEngine = openTranscriptionEngine,
): Promise<Service> {
  await mustBeFree(config)
  const infrastructure = await openInfrastructure(config, log)
  try {
    const firstRun = await bootstrap(infrastructure)
    const metrics = openMetrics(infrastructure.db)
    const archive = await openRecordingArchive(infrastructure)
    const speech = await openTranscription(infrastructure, openEngine)
    const wired = await wireHttp(infrastructure, metrics, archive, speech)
    const port = await listen(wired, config)
    archive.address ??= addressOf(config.host, port)
    const worker = config.roles.includes('worker')
      ? await startWorker(infrastructure, metrics, archive)
      : undefined
    const media =
      openRunner && config.roles.includes('media')
        ? await startMedia(
            infrastructure,
            archive,
            measuredRunner(openRunner({ config, recordingsFolder: archive.folder, log }), metrics.registry),
          )
        : undefined
    const door =
      media && openBrowserDoor(wired.app.server, { ...doorOptions(infrastructure), join: media.join })
    const transcriptionWork = config.roles.includes('speech') ? await speech?.startWork() : undefined
    return {
      port,
      firstRun,
      signInToken: firstRun && (await makeLink(infrastructure.db, firstRun.dashboard_email)),
      async stop() {
        wired.readiness.draining = true
        const callsEnded = media?.stop().then(() => door?.close())
        await Promise.all([drain(wired, infrastructure), callsEnded, transcriptionWork?.stop()])
        await worker?.stop()
        await speech?.close()
        archive.storage.close()
        await infrastructure.close()
      },
    }
  } catch (error) {
    await infrastructure.close()
    throw error
  }
}

/** Our own pages may come from another address than the one they come to. */
const doorOptions = ({ config: { publicUrl, browserOrigins }, log }: Infrastructure) => ({
  path: linePath,
  origins: publicUrl ? [...browserOrigins, new URL(publicUrl).origin] : browserOrigins,
  log,
})

/** Asked first of all: a port that is taken should cost no one a database. */
async function mustBeFree({ host, port }: Config): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen({ host, port }), 'listening')
  } catch (error) {
    throw inOurWords(error as NodeJS.ErrnoException, host, port)
  }
  probe.close()
  await once(probe, 'close')
}

async function listen({ app }: Wired, { host, port }: Config): Promise<number> {
  try {
    await app.listen({ host, port })
    return (app.server.address() as AddressInfo).port
  } catch (error) {
    await app.close()
    throw inOurWords(error as NodeJS.ErrnoException, host, port)
  }
}

function inOurWords(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingError(
        'PORT',
        `${port} is in use by another program; stop that one or choose another.`,
      )
    case 'EACCES':
      return new SettingError('PORT', `${port} may not be opened by this user; choose one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingError('HOST', `${host} is not an address of this machine.`)
    default:
      return error
  }
}

/** No new connections; what is under way gets its answer, within reason. */
async function drain({ app }: Wired, { config, log }: Infrastructure): Promise<void> {
  const impatient = setTimeout(() => {
    log.warn({ drain_seconds: config.drainSeconds }, 'requests cut off at shutdown')
    app.server.closeAllConnections()
  }, config.drainSeconds * 1000)
  // A connection that was busy when we began to close is kept alive after its answer.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close()
  clearInterval(sweep)
  clearTimeout(impatient)
}
