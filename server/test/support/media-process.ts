// A whole service whose calls are scripted, as a process that can be killed. Settings come from the environment.
//   node media-process.ts [file]   appends the process id and the session id of every started call to the file
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openLog } from '../../src/platform/log.ts'
import { scriptedRunner } from './scripted-runner.ts'

const config = readConfig(process.env)
const { log } = openLog(config, false)
const runner = scriptedRunner(config.mediaCapacity, join(config.dataDir, 'recordings'))
const [, , runLog] = process.argv
const { run } = runner
if (runLog) {
  runner.run = (order, on) => {
    appendFileSync(runLog, `${process.pid} ${order.sessionId}\n`)
    return run(order, on)
  }
}
const service = await startService(config, log, () => runner)
console.log(`is ready /healthz http://127.0.0.1:${service.port}/`)
process.on('SIGTERM', async () => {
  await service.stop()
  process.exit(0)
})
