// A whole service whose calls use the no-op line. Settings come from the environment.
import { openMediaRunner } from '../server/src/main/media/media-runner.ts'
import { startService } from '../server/src/main/service.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openLog } from '../server/src/platform/log.ts'

const config = readConfig(process.env)
const { log } = openLog(config, false)
const thread = new URL('./no-op-thread.ts', import.meta.url)
const service = await startService(config, log, (options) => openMediaRunner(options, thread))
process.on('SIGTERM', async () => {
  await service.stop()
  process.exit(0)
})
