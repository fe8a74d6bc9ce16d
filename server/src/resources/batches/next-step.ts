// Decides what a running batch needs now. Pure.
import { openZones } from './calling-window.ts'
import type { RecentDials, RunningBatch } from './feed-store.ts'

export type NextStep =
  | { readonly do: 'rest' }
  /** Every recipient is done and every call has ended. */
  | { readonly do: 'finish' }
  /** Calls to create, hold back or release, for these time zones. */
  | {
      readonly do: 'serve'
      readonly zones: readonly string[]
      readonly room: number
      readonly retime: boolean
    }

export interface Allowance {
  /** Concurrent calls of one batch without a limit of its own. */
  readonly most: number
  /** How many of these may be queued: later calls wait behind them. */
  readonly mostQueued: number
}

export function nextStepOf(batch: RunningBatch, { most, mostQueued }: Allowance, nowMs: number): NextStep {
  if (!batch.fresh && !batch.waiting && batch.open === 0) return { do: 'finish' }
  const zones = zonesToCall(batch, nowMs)
  const limit = Math.min(batch.max_concurrency ?? most, most)
  const room = wantsCalls(batch, zones)
    ? Math.max(0, Math.min(limit - batch.open, mostQueued - batch.queued))
    : 0
  const somewhereClosed = zones.length < batch.zones.length
  const retime = (batch.held > 0 && zones.length > 0) || (batch.queued > 0 && somewhereClosed)
  return room > 0 || retime ? { do: 'serve', zones, room, retime } : { do: 'rest' }
}

/** If the agent accepts no calls, none of its zones is open. */
const zonesToCall = (batch: RunningBatch, nowMs: number): string[] =>
  batch.agent_active ? openZones(batch.calling_window, batch.zones, nowMs) : []

const wantsCalls = ({ fresh, due }: RunningBatch, zones: readonly string[]): boolean =>
  zones.length > 0 && (fresh || due)

/** The queue share of each batch of a workspace, so that together they queue no more than can be claimed. */
export function queueShares(
  running: readonly RunningBatch[],
  most: number,
  nowMs: number,
): ReadonlyMap<string, number> {
  const wanting = running.filter((batch) => wantsCalls(batch, zonesToCall(batch, nowMs)))
  const byWorkspace = Map.groupBy(wanting, ({ workspace_id }) => workspace_id)
  return new Map([...byWorkspace].map(([id, rivals]) => [id, Math.ceil(most / rivals.length)]))
}

/** Dials that count as recent: few enough to react soon, enough to rule out chance. */
export const recentMost = 40
const recentLeast = 20

/** A carrier that fails half of them is broken; continuing would only use up the list. */
export const isCarrierBroken = ({ dials, failed }: RecentDials): boolean =>
  dials >= recentLeast && failed * 2 >= dials
