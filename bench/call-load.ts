// Runs a load of calls in a process that has one core, as a media process of its own would.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OwnShare } from './own-share.ts'

export interface Load {
  /** `bare`: the same clock and a frame per call, and no call. */
  readonly of: 'calls' | 'bare'
  readonly calls: number
  /** `slow`: a model of 200 to 600 ms, a voice of 50 to 150 ms. */
  readonly engines: 'at-once' | 'slow'
  /** Whether agents think before the turn is certain, as they do by default. */
  readonly ahead: boolean
  readonly warmUpMs: number
  readonly forMs: number
  /** Only every so manieth of the sorted gaps is told. */
  readonly everyGap: number
}

export interface LoadReport {
  /** |gap − 20 ms| between the frames of a call, in ascending order. */
  readonly gapErrorsMs: number[]
  /** Frames that left, of those that should have. */
  readonly framesShare: number
  /** Of one core. */
  readonly cpuShare: number
  readonly turns: OwnShare[]
}

const program = fileURLToPath(new URL('./call-load-process.ts', import.meta.url))
const taskset = '/usr/bin/taskset'

/** All threads of it share one core, where the system can tie them to one. */
export const isTied = existsSync(taskset)

export async function runLoad(load: Load): Promise<LoadReport> {
  const command = [...(isTied ? [taskset, '-c', '0'] : []), process.execPath, program, JSON.stringify(load)]
  const [file = '', ...args] = command
  const { stdout } = await promisify(execFile)(file, args, { maxBuffer: 2 ** 28 })
  return JSON.parse(stdout) as LoadReport
}
