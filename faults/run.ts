// Runs every disaster at full length. The exit code tells whether anything was lost.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onExit } from '../bench/cleanup-on-exit.ts'

const disasters = [
  'kill-under-writes.ts',
  'hostile-receivers.ts',
  'hostile-requests.ts',
  'hostile-sip.ts',
  'hostile-rtp.ts',
  'trunk-away.ts',
  'webhook-crashes.ts',
  'call-workers-killed.ts',
  'telephone-workers-killed.ts',
  'edge-workers-killed.ts',
  'batch-workers-killed.ts',
  'transcribers-killed.ts',
  'ten-thousand-calls.ts',
  'database-failover.ts',
  'rolling-upgrade.ts',
]

for (const disaster of disasters) {
  console.log(`\n${disaster}`)
  if ((await run(disaster)) !== 0) process.exitCode = 1
}

function run(file: string): Promise<number | null> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], { stdio: 'inherit' })
  // Not SIGKILL: the script must clean up its own children and folders.
  const cleanup = onExit(() => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      cleanup.cancel()
      resolve(code)
    })
  })
}
