// A whole service whose calls have engines in memory, as a process that can be killed. Settings come from the environment.
import { openMediaRunner } from '../server/src/main/media/media-runner.ts'
import { startService } from '../server/src/main/service.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openLog } from '../server/src/platform/log.ts'

const thread = new URL('./edge-media-thread.ts', import.meta.url)
const config = readConfig(process.env)
const { log } = openLog(config, false)
const service = await startService(config, log, (options) => openMediaRunner(options, thread))
process.on('SIGTERM', async () => {
  await service.stop()
  process.exit(0)
})
