// Runs a load of calls in a process limited to one core, like a dedicated media process.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { flagsForCalls } from '../server/src/main/media/heap-of-calls.ts'
import type { TurnOverhead } from './turn-overhead.ts'

export interface Load {
  /** `bare`: the same clock and a frame per call, without calls. */
  readonly of: 'calls' | 'bare'
  readonly calls: number
  /** `slow`: a model of 200 to 600 ms, a voice of 50 to 150 ms. */
  readonly engines: 'at-once' | 'slow'
  /** Whether agents generate replies before the turn is certain, as they do by default. */
  readonly ahead: boolean
  /** A server that speaks Deepgram's protocols, in place of the stubs that listen and speak. */
  readonly vendorUrl?: string
  /** A collector that gets the traces of the calls when they have ended. */
  readonly tracesTo?: string
  /** Calls that end before the measurement. */
  readonly earlyCalls?: number
  readonly warmUpMs: number
  readonly forMs: number
  /** Reports only every n-th of the sorted gaps. */
  readonly everyGap: number
}

export interface LoadReport {
  /** |gap − 20 ms| between the frames of a call, in ascending order. */
  readonly gapErrorsMs: number[]
  /** Frames sent, as a share of those due. */
  readonly framesShare: number
  /** The share of one core. */
  readonly cpuShare: number
  /** From the end of the warm-up until the call has ended and its trace is sent. */
  readonly cpuMsPerCall: number
  /** The part of it that went into the trace. */
  readonly tracingMsPerCall: number
  readonly turns: TurnOverhead[]
}

const program = fileURLToPath(new URL('./call-load-process.ts', import.meta.url))
/** All its threads share one core, where the system supports pinning. */
export const loadCore = 0
const taskset = '/usr/bin/taskset'

export const isTied = existsSync(taskset)

/**
 * Keeps what the calls talk to, which is in this process, away from their core: Linux likes to wake it there, where it
 * would take their time.
 */
export async function leaveTheLoadAlone(): Promise<void> {
  const cores = availableParallelism()
  if (isTied && cores > 1)
    await promisify(execFile)(taskset, ['-acp', `${loadCore + 1}-${cores - 1}`, String(process.pid)])
}

export async function runLoad(load: Load): Promise<LoadReport> {
  const command = [
    ...(isTied ? [taskset, '-c', String(loadCore)] : []),
    process.execPath,
    ...flagsForCalls,
    program,
    JSON.stringify(load),
  ]
  const [file = '', ...args] = command
  const { stdout } = await promisify(execFile)(file, args, { maxBuffer: 2 ** 28 })
  return JSON.parse(stdout) as LoadReport
}
