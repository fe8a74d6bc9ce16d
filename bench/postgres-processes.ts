// The processes of the PostgreSQL in a service's data directory.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pidOf } from '../server/src/platform/db/postmaster-pid.ts'
import { allProcesses, statOf } from './proc-stat.ts'

export interface PostgresProcesses {
  readonly postmaster: number
  readonly children: readonly number[]
}

const pollMs = 5

export function postgresProcesses(dataDir: string): PostgresProcesses | undefined {
  const postmaster = pidOf(join(dataDir, 'postgres'))
  return postmaster === undefined ? undefined : { postmaster, children: childrenOf(postmaster) }
}

/** kill -9 for all of them, the postmaster first, so that it cannot replace its children. Returns the killed pids. */
export function killPostgres(dataDir: string): number[] {
  const found = postgresProcesses(dataDir)
  if (!found) return []
  const pids = [found.postmaster, ...found.children]
  for (const pid of pids) killOne(pid)
  return pids
}

export async function whenGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await sleep(pollMs)
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process exited in the meantime.
  }
}

const childrenOf = (of: number): number[] =>
  allProcesses()
    .filter(({ parent }) => parent === of)
    .map(({ pid }) => pid)

/** A zombie holds no resources; it only waits to be reaped. */
const isRunning = (pid: number): boolean => !['Z', 'X', undefined].includes(statOf(pid)?.state)
