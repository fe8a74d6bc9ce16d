// The service as a process with a scripted engine: SPEECH_SCRIPT makes the engine hang or crash.
import { announcement } from '../../../src/main/announce.ts'
import { startService } from '../../../src/main/service.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { openLog } from '../../../src/platform/log.ts'
import { scriptedEngine } from './scripted-engine.ts'

const config = readConfig(process.env)
const { log } = openLog(config, false)
const engine = scriptedEngine()
if (process.env.SPEECH_SCRIPT === 'hang') engine.gate = new Promise(() => {})
if (process.env.SPEECH_SCRIPT === 'die') {
  Object.defineProperty(engine, 'gate', { get: () => process.kill(process.pid, 'SIGKILL') })
}
const service = await startService(config, log, undefined, engine.open)
process.stdout.write(announcement(service, config))
process.on('SIGTERM', async () => {
  await service.stop()
  process.exit(0)
})
