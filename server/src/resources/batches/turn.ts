// What a batch that is under way needs now. Nothing is done here.
import { openZones } from './calling-window.ts'
import type { RecentDials, RunningBatch } from './feed-store.ts'

export type Turn =
  | { readonly do: 'rest' }
  /** Everybody had their turn and every call has ended. */
  | { readonly do: 'finish' }
  /** Calls to be made, held back or taken up again, for people in these time zones. */
  | {
      readonly do: 'serve'
      readonly zones: readonly string[]
      readonly room: number
      readonly retime: boolean
    }

/** `most`: calls of one batch at a time, where it has no limit of its own. */
export function turnOf(batch: RunningBatch, most: number, nowMs: number): Turn {
  if (!batch.fresh && !batch.waiting && batch.open === 0) return { do: 'finish' }
  const zones = openZones(batch.calling_window, batch.zones, nowMs)
  const limit = Math.min(batch.max_concurrency ?? most, most)
  const wanted = zones.length > 0 && (batch.fresh || batch.due)
  const room = wanted ? Math.max(0, limit - batch.open) : 0
  const somewhereClosed = zones.length < batch.zones.length
  const retime = (batch.held > 0 && zones.length > 0) || (batch.queued > 0 && somewhereClosed)
  return room > 0 || retime ? { do: 'serve', zones, room, retime } : { do: 'rest' }
}

/** The dials that count as recent: few enough to notice soon, more than a run of bad luck. */
export const recentMost = 40
const recentLeast = 20

/** A carrier that fails half of them is broken; going on would only use up the list. */
export const isCarrierBroken = ({ dials, failed }: RecentDials): boolean =>
  dials >= recentLeast && failed * 2 >= dials
