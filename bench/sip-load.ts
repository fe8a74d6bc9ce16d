// Runs a load of telephone calls on one core, with the far ends on another.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { flagsForCalls } from '../server/src/main/media/heap-of-calls.ts'
import { onExit } from './cleanup-on-exit.ts'

export interface SipLoad {
  readonly of: 'calls' | 'reflector' | 'far-ends'
  readonly calls: number
  readonly firstPort: number
  readonly farPort: number
  readonly warmUpMs: number
  readonly forMs: number
}

export interface SipLoadReport {
  /** |gap − 20 ms| between the packets of a call, in ascending order; every tenth. */
  readonly errorsMs: number[]
  /** Packets sent, as a share of those due. */
  readonly packetsShare: number
  /** The share of one core, the kernel's part included. */
  readonly cpuShare: number
}

const program = fileURLToPath(new URL('./sip-load-process.ts', import.meta.url))
const taskset = '/usr/bin/taskset'
export const isTied = existsSync(taskset)

const command = (core: number, load: SipLoad): [string, string[]] => {
  const args = [
    ...(isTied ? [taskset, '-c', String(core)] : []),
    process.execPath,
    ...flagsForCalls,
    program,
    JSON.stringify(load),
  ]
  return [args[0] as string, args.slice(1)]
}

export async function runSipLoad(of: 'calls' | 'reflector', calls: number): Promise<SipLoadReport> {
  const load = { of, calls, firstPort: 30_000, farPort: 29_998, warmUpMs: 4_000, forMs: 5_000 }
  const [file, args] = command(1, { ...load, of: 'far-ends' })
  const farEnds = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const cleanup = onExit(() => farEnds.kill())
  try {
    await once(farEnds.stdout, 'data')
    const { stdout } = await promisify(execFile)(...command(0, load), { maxBuffer: 2 ** 28 })
    return JSON.parse(stdout) as SipLoadReport
  } finally {
    farEnds.kill()
    await once(farEnds, 'exit')
    cleanup.cancel()
  }
}
