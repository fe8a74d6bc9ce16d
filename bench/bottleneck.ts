// Finds what keeps several processes on one database from doing more: the work they were given, a thread, the machine,
// or what statements wait for in PostgreSQL.
import { type Db, statement } from '../server/src/platform/db/db.ts'

/** The share of the machine that each part used, from 0 to 1. */
export interface Shares {
  readonly workers: number
  readonly postgres: number
  readonly receiver: number
}

export interface Saturation {
  readonly shares: Shares
  readonly perSecond: number
  /** What the processes could do if nothing but the duration of each item held them back. */
  readonly mostPerSecond: number
  /** The share of a core that the busiest process used. */
  readonly busiest: number
  /** The wait events of running statements, most frequent first; empty: none. */
  readonly waits: readonly string[]
}

const isFull = 0.9

export function bottleneckOf({ shares, perSecond, mostPerSecond, busiest, waits }: Saturation): string {
  const [largest = 'workers'] = (['workers', 'postgres', 'receiver'] as const).toSorted(
    (a, b) => shares[b] - shares[a],
  )
  if (perSecond >= isFull * mostPerSecond) return 'what a process may have under way, which is a setting'
  if (shares.workers + shares.postgres + shares.receiver >= isFull)
    return `the processors of this machine, most of all for ${names[largest]}`
  if (busiest >= isFull) return 'the main thread of a process'
  return waits[0] ? `PostgreSQL, where statements wait for ${waits[0]}` : 'nothing that was full'
}

const names = { workers: 'the workers', postgres: 'PostgreSQL', receiver: 'the receiver' } as const

const selectWaits = statement(`
  SELECT wait_event_type || ' ' || wait_event AS wait FROM pg_stat_activity
  WHERE state = 'active' AND pid <> pg_backend_pid() AND wait_event_type IN ('IO', 'IPC', 'Lock', 'LWLock')`)

/** Samples wait events; `ranked` is what it has seen. */
export class WaitSampler {
  readonly #seen = new Map<string, number>()

  async look(db: Db): Promise<void> {
    for (const { wait } of await db.rows<{ wait: string }>(selectWaits))
      this.#seen.set(wait, (this.#seen.get(wait) ?? 0) + 1)
  }

  get ranked(): string[] {
    return [...this.#seen].toSorted(([, a], [, b]) => b - a).map(([wait]) => wait)
  }
}
