// The share of CPU used by unrelated programs. Reads /proc: Linux only.
import { readFileSync } from 'node:fs'
import { postgresProcesses } from './postgres-processes.ts'
import { allProcesses } from './proc-stat.ts'
import { type Row, verdict } from './row.ts'

// A tenth of one of two cores: with more other load a latency is not ours.
const noisyShare = 0.05

interface CpuTicks {
  /** CPU ticks of all cores, including idle ones. */
  readonly all: number
  readonly busy: number
  readonly ours: number
}

/**
 * Watches the CPU of programs other than this process, its children, and the database in that folder. Returns their
 * share since the call.
 */
export function watchOthers(dataDir: string): () => number {
  const before = spent(dataDir)
  return () => {
    const after = spent(dataDir)
    const busy = after.busy - before.busy - (after.ours - before.ours)
    return Math.max(0, busy / (after.all - before.all))
  }
}

/** A failure under other load proves nothing. */
export const judgeBeside = (kept: boolean, othersShare: number): Row['verdict'] =>
  !kept && othersShare > noisyShare ? 'too noisy to say' : verdict(kept)

export const sayOthers = (share: number): string => `others took ${(100 * share).toFixed(0)} % of the machine`

function spent(dataDir: string): CpuTicks {
  // "cpu  user nice system idle iowait irq softirq steal …"
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, one) => sum + one, 0)
  const [idle = 0, waiting = 0] = ticks.slice(3, 5)
  return { all, busy: all - idle - waiting, ours: ticksOfOurs(dataDir) }
}

function ticksOfOurs(dataDir: string): number {
  const processes = allProcesses()
  const ours = new Set([process.pid, postgresProcesses(dataDir)?.postmaster])
  // A child usually has a higher pid than its parent; a second pass finds the rest after the pids have wrapped.
  for (let look = 0; look < 2; look++)
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid)
  return processes.reduce((sum, { pid, ticks }) => sum + (ours.has(pid) ? ticks : 0), 0)
}
