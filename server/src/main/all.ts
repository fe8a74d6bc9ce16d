// START HERE. Reads the environment, starts the roles in PARLEY_ROLES in one process, and shuts it down gracefully.
import { readConfig, SettingError, unknownSettings } from '../platform/config.ts'
import { openLog } from '../platform/log.ts'

try {
  await run()
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  console.error(error.message)
  process.exit(1)
}

async function run(): Promise<void> {
  const config = readConfig(process.env)
  // The rest is loaded only now, so that a wrong setting is reported at once and not after a thousand modules.
  const [{ startService }, { openMediaRunner }, { announcement }] = await Promise.all([
    import('./service.ts'),
    import('./media/media-runner.ts'),
    import('./announce.ts'),
  ])
  const { log, flush } = openLog(config, process.stdout.isTTY === true)
  const unknown = unknownSettings(process.env)
  if (unknown.length > 0) log.warn({ settings: unknown }, 'unknown settings are ignored')

  if (config.webhookAllowPrivate) {
    log.warn('PARLEY_WEBHOOK_ALLOW_PRIVATE is on: webhooks may reach private addresses and plain http')
  }

  // Whoever reads our output may have gone; calls go on nevertheless.
  process.stdout.on('error', () => {})
  const starting = startService(config, log, openMediaRunner)

  // Signals are handled from the beginning: what has started so far, the database among it, is stopped too.
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    // A second signal exits immediately; the database recovers by itself.
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    const service = await starting.catch(() => undefined)
    // A start that failed has stopped everything by itself and says why.
    if (!service) return
    await service.stop()
    log.info('stopped')
    await flush()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const service = await starting
  if (!stopping) process.stdout.write(announcement(service, config))
}
