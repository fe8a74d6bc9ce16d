// How much memory processes hold, from the kernel's own account. Linux only.
import { readFileSync } from 'node:fs'

export interface Memory {
  /** What is shared counts in equal parts for all who share it: the sum over processes is what they really take. */
  readonly pssMb: number
  /** What is shared counts in full for each: the sum over processes is too much. */
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
