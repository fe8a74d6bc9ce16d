// Runs during which the host left the machine alone. On a shared host a virtual core stands still for a tenth of a second now and
// then; a frame that is late because of it says nothing about us.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onExit } from './cleanup-on-exit.ts'
import { type Row, verdict } from './row.ts'

const program = fileURLToPath(new URL('./host-stalls-process.ts', import.meta.url))
const [taskset, chrt] = ['/usr/bin/taskset', '/usr/bin/chrt']
/** Before every program of this machine. */
const priority = '50'
const mostTries = 6

export interface HostWatch {
  /** Runs it again, a few times, if the host took the core away meanwhile. */
  undisturbed<T>(run: () => Promise<T>): Promise<T>
  /** "2 runs repeated …", for the table. */
  said(): string
  /** A failure proves nothing if most of the runs were disturbed, however often they were repeated. */
  judge(kept: boolean): Row['verdict']
  close(): void
}

/** Watches a core; it sees nothing where the system has no real-time priorities. */
export function watchHost(core: number): HostWatch {
  const witness = startWitness(core)
  const runs = { all: 0, disturbed: 0, repeated: 0 }
  return {
    async undisturbed(run) {
      runs.all++
      for (let tries = 1; ; tries++) {
        const before = witness.stalls()
        const report = await run()
        if (witness.stalls() === before) return report
        if (tries === mostTries) {
          runs.disturbed++
          return report
        }
        runs.repeated++
      }
    },
    said: () => `${runs.repeated} runs repeated and ${runs.disturbed} disturbed by the host`,
    judge: (kept) => (!kept && runs.disturbed > runs.all / 2 ? 'too noisy to say' : verdict(kept)),
    close: witness.close,
  }
}

/** Counts how often the host has taken this core away for 15 ms or longer. */
function startWitness(core: number): { stalls(): number; close(): void } {
  if (!existsSync(taskset) || !existsSync(chrt)) return { stalls: () => 0, close() {} }
  let stalls = 0
  const args = ['-c', String(core), chrt, '--fifo', priority, process.execPath, program]
  const witness = spawn(taskset, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const cleanup = onExit(() => witness.kill('SIGKILL'))
  createInterface(witness.stdout).on('line', () => stalls++)
  witness.on('error', () => {})
  return {
    stalls: () => stalls,
    close() {
      cleanup.cancel()
      witness.kill('SIGKILL')
    },
  }
}
