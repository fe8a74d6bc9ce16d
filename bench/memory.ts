// Memory of processes as accounted by the kernel. Linux only.
import { readFileSync } from 'node:fs'

export interface Memory {
  /** Shared pages are divided among the processes: the sum is what they really use. */
  readonly pssMb: number
  /** Shared pages count in full for each process: the sum is too high. */
  readonly rssMb: number
}

export const memoryOf = (pids: readonly number[]): Memory =>
  pids.map(readOne).reduce((sum, one) => ({ pssMb: sum.pssMb + one.pssMb, rssMb: sum.rssMb + one.rssMb }))

function readOne(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  // "Pss:               12345 kB"
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { pssMb: mb('Pss'), rssMb: mb('Rss') }
}
