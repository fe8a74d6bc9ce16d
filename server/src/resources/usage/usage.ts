// The rules of usage and of limits on it; other resources use them only through this module.
import {
  type Concurrency,
  type ErrorCode,
  type LimitKind,
  type Prices,
  paginate,
  type UsageGroup,
  type UsageLimits,
  type UsageReport,
} from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { rowsOf, statusCountsOf, viewOf } from './report.ts'
import {
  type LimitsRow,
  limitsOf,
  liveCalls,
  namesOfKeys,
  peakSince,
  type UsageWish,
  usageByDay,
  usageByKey,
} from './store.ts'
import { type PeriodWish, readPeriod, type UsagePeriod } from './usage-period.ts'

export { notices } from './notices.ts'
export { publicPrices } from './public-prices.ts'
export { csvOfUsage } from './report.ts'

export interface UsageQuery extends PeriodWish {
  readonly groupBy: UsageGroup
  readonly agentId?: string | undefined
  readonly page: number
  readonly limit: number
}

// More groups than anybody reads in a table; a file has them all.
export const mostGroups = 100_000

const peakMs = 24 * 60 * 60_000

/** `perWorkspace`: the operator's limit on calls at once. */
export const usage = (db: Queries, perWorkspace: number) => ({
  async report(workspaceId: string, query: UsageQuery): Promise<UsageReport> {
    const period = periodOf(query)
    const { page, limit, groupBy } = query
    const isByDay = groupBy === 'day'
    const wish: UsageWish = {
      workspaceId,
      from: period.from,
      to: period.to,
      agentId: query.agentId ?? null,
      ...(isByDay ? { limit: period.days.length, offset: 0 } : { limit, offset: (page - 1) * limit }),
    }
    const [found, workspace] = await Promise.all([
      isByDay
        ? usageByDay(
            db,
            period.days.map(({ begins }) => begins),
            wish,
          )
        : usageByKey(db, groupBy, wish),
      liveCalls(db, workspaceId),
    ])
    const currency = (workspace?.prices as Prices | null)?.currency ?? null
    const names =
      isByDay || groupBy === 'vendor'
        ? new Map<string, string>()
        : await namesOfKeys(
            db,
            workspaceId,
            groupBy,
            found.rows.flatMap(({ key }) => (key === '' ? [] : [key])),
          )
    const rows = rowsOf(found.rows, { groupBy, days: period.days, names, currency })
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      timezone: query.timezone,
      group_by: groupBy,
      currency,
      totals: viewOf(found.totals, currency),
      status_counts: statusCountsOf(found.totals),
      data: isByDay ? rows.slice((page - 1) * limit, page * limit) : rows,
      pagination: paginate({ page, limit }, isByDay ? rows.length : found.groups),
    }
  },

  async concurrency(workspaceId: string, from: string | undefined): Promise<Concurrency> {
    const since = from === undefined ? new Date(Date.now() - peakMs) : new Date(from)
    const [live, peak] = await Promise.all([liveCalls(db, workspaceId), peakSince(db, workspaceId, since)])
    const limit = Math.min(perWorkspace, live?.max_concurrency ?? perWorkspace)
    const inUse = live?.in_use ?? 0
    return {
      limit,
      in_use: inUse,
      remaining: Math.max(0, limit - inUse),
      peak: { calls: peak?.calls ?? 0, at: peak?.at.toISOString() ?? null },
    }
  },

  async limits(workspaceId: string): Promise<UsageLimits> {
    const row = (await limitsOf(db, workspaceId)) ?? fail('WORKSPACE_NOT_FOUND')
    const most = Math.min(perWorkspace, row.max_concurrency ?? perWorkspace)
    return {
      max_concurrency: limited(most, row.in_use),
      calls_per_minute: limited(row.calls_per_minute, row.in_minute),
      calls_per_day: limited(row.calls_per_day, row.in_day),
      minutes_per_day: limited(row.minutes_per_day, Number(row.minutes)),
      cost_per_day: limited(row.cost_per_day === null ? null : Number(row.cost_per_day), Number(row.cost)),
      currency: (row.prices as Prices | null)?.currency ?? null,
      resets_at: row.resets_at.toISOString(),
      reached: reachedNow(row),
    }
  },

  async prices(workspaceId: string): Promise<Prices | null> {
    return ((await liveCalls(db, workspaceId))?.prices as Prices | null) ?? null
  },

  limitReached: (workspaceId: string) => limitReached(db, workspaceId),
})

export type Usage = ReturnType<typeof usage>

function periodOf(query: UsageQuery): UsagePeriod {
  const reading = readPeriod(query, Date.now())
  if (reading.is === 'period') return reading.period
  return refuseField(reading.path, reading.message)
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

const limited = (limit: number | null, used: number): UsageLimits['calls_per_day'] =>
  limit === null
    ? { limit: null, used: null, remaining: null }
    : { limit, used: hundredths(used), remaining: hundredths(Math.max(0, limit - used)) }

// Limits on what a workspace uses in a day. The database decides, under the lock in which calls are claimed; here are
// the words.

const reached = statement('SELECT limit_reached($1) AS kind')

type DayLimit = 'minutes_per_day' | 'cost_per_day'

const codes = {
  minutes_per_day: 'MINUTES_PER_DAY_REACHED',
  cost_per_day: 'COST_PER_DAY_REACHED',
} as const satisfies Record<DayLimit, ErrorCode>

/** The limit that stops new calls now. Leaves a notice if there is one. */
const limitReached = async (db: Queries, workspaceId: string): Promise<DayLimit | null> =>
  (await db.row<{ kind: DayLimit | null }>(reached, [workspaceId]))?.kind ?? null

/** Fails if the workspace has used up what it may use today. */
export async function mustHaveRoomToday(db: Queries, workspaceId: string): Promise<void> {
  const kind = await limitReached(db, workspaceId)
  if (kind) fail(codes[kind])
}

/** The limit as it is shown to people, without leaving a notice. */
function reachedNow(row: LimitsRow): LimitKind | null {
  if (row.minutes_per_day !== null && Number(row.minutes) >= row.minutes_per_day) return 'minutes_per_day'
  if (row.cost_per_day !== null && Number(row.cost) >= Number(row.cost_per_day)) return 'cost_per_day'
  if (row.calls_per_day !== null && row.in_day >= row.calls_per_day) return 'calls_per_day'
  return null
}
