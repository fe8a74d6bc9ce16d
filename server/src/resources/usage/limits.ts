// Limits on what a workspace uses in a day. The database decides, under the lock in which calls are claimed; here are the words.
import type { ErrorCode, LimitKind } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { LimitsRow } from './store.ts'

const reached = statement('SELECT limit_reached($1) AS kind')

type DayLimit = 'minutes_per_day' | 'cost_per_day'

const codes = {
  minutes_per_day: 'MINUTES_PER_DAY_REACHED',
  cost_per_day: 'COST_PER_DAY_REACHED',
} as const satisfies Record<DayLimit, ErrorCode>

/** The limit that stops new calls now. Leaves a notice if there is one. */
export const limitReached = async (db: Queries, workspaceId: string): Promise<DayLimit | null> =>
  (await db.row<{ kind: DayLimit | null }>(reached, [workspaceId]))?.kind ?? null

/** Fails if the workspace has used up what it may use today. */
export async function mustHaveRoomToday(db: Queries, workspaceId: string): Promise<void> {
  const kind = await limitReached(db, workspaceId)
  if (kind) fail(codes[kind])
}

/** The same for somebody who only looks: without a notice. */
export function reachedNow(row: LimitsRow): LimitKind | null {
  if (row.minutes_per_day !== null && Number(row.minutes) >= row.minutes_per_day) return 'minutes_per_day'
  if (row.cost_per_day !== null && Number(row.cost) >= Number(row.cost_per_day)) return 'cost_per_day'
  if (row.calls_per_day !== null && row.in_day >= row.calls_per_day) return 'calls_per_day'
  return null
}
