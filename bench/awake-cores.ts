// Keeps the cores from falling asleep during a measurement. On a virtual machine a core that slept may wake up 20 ms
// late, in any program: that is the host's time, not ours. The spinning program runs only while nobody else wants the
// core.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { onExit } from './cleanup-on-exit.ts'

const chrt = '/usr/bin/chrt'
const spin = 'for (;;) Atomics.pause()'

/** Spins until this process ends. Does nothing where the system has no such priority. */
export function keepCoresAwake(): void {
  if (!existsSync(chrt)) return
  for (let core = 0; core < availableParallelism(); core++) {
    const spinner = spawn(chrt, ['--idle', '0', process.execPath, '-e', spin], { stdio: 'ignore' })
    spinner.on('error', () => {})
    spinner.unref()
    onExit(() => spinner.kill('SIGKILL'))
  }
}
