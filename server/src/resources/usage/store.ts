// Usage in the database: the sum of rollups and of entries that are not folded yet, in one statement, so that it is exact.
import { type Queries, statement } from '../../platform/db/db.ts'

export const figures = [
  ...(['calls', 'connected', 'completed', 'busy', 'no_answer', 'failed', 'canceled', 'duration_ms'] as const),
  ...(['stt_ms', 'tts_characters', 'input_tokens', 'output_tokens', 'cost', 'unpriced'] as const),
]

/** As PostgreSQL sums: numerics are text. */
export type FiguresRow = Record<(typeof figures)[number], string>

export interface GroupRow extends FiguresRow {
  /** null: the totals of all groups. */
  key: string | null
  groups: number
}

const sums = figures.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')

const rows = (dimension: string) => `
  FROM usage_rows WHERE workspace_id = $1 AND dimension = ${dimension} AND at >= $3 AND at < $4
    AND ($5::uuid IS NULL OR agent_id = $5)`

// The row without a key has the totals, which are no sum of vendors: several work in one call.
const report = (key: string) =>
  statement(`
  WITH grouped AS MATERIALIZED (
    SELECT ${key} AS key, ${sums} ${rows('$2')} GROUP BY 1
  ), page AS (
    SELECT key, ${figures.join(', ')}, (count(*) OVER ())::int AS groups FROM grouped
    ORDER BY grouped.calls DESC, key LIMIT $6 OFFSET $7
  )
  SELECT NULL AS key, ${sums}, (SELECT count(*)::int FROM grouped) AS groups
  ${rows(`CASE WHEN $5::uuid IS NULL THEN 'all' ELSE 'agent' END`)}
  UNION ALL
  SELECT key, ${figures.join(', ')}, groups FROM page`)

const byKey = report('key')
// Days are numbered from 1.
const byDay = report('width_bucket(at, $8::timestamptz[])::text')

const agentNames = statement(`
  SELECT agent_id::text AS key, config ->> 'agent_name' AS name FROM agents
  WHERE workspace_id = $1 AND agent_id = ANY($2::uuid[])`)

const batchNames = statement(`
  SELECT batch_id::text AS key, name FROM batches WHERE workspace_id = $1 AND batch_id = ANY($2::uuid[])`)

const numberNames = statement(`
  SELECT phone_number_id::text AS key, phone_number AS name FROM phone_numbers
  WHERE workspace_id = $1 AND phone_number_id = ANY($2::uuid[])`)

export interface UsageWish {
  readonly workspaceId: string
  readonly from: Date
  readonly to: Date
  readonly agentId: string | null
  readonly limit: number
  readonly offset: number
}

export interface GroupedUsage {
  readonly totals: FiguresRow
  readonly groups: number
  /** Most calls first. */
  readonly rows: readonly (GroupRow & { key: string })[]
}

export const usageByKey = (
  db: Queries,
  dimension: 'agent' | 'batch' | 'number' | 'vendor',
  wish: UsageWish,
): Promise<GroupedUsage> => grouped((db.reader ?? db).rows<GroupRow>(byKey, [...valuesOf(dimension, wish)]))

/** The key of a row is the number of its day, from 1. */
export const usageByDay = (db: Queries, begins: readonly Date[], wish: UsageWish): Promise<GroupedUsage> => {
  const dimension = wish.agentId === null ? 'all' : 'agent'
  return grouped((db.reader ?? db).rows<GroupRow>(byDay, [...valuesOf(dimension, wish), begins]))
}

const valuesOf = (dimension: string, { workspaceId, from, to, agentId, limit, offset }: UsageWish) => [
  ...[workspaceId, dimension, from, to, agentId, limit, offset],
]

async function grouped(reading: Promise<GroupRow[]>): Promise<GroupedUsage> {
  const found = await reading
  const { groups, ...totals } = found.find(({ key }) => key === null) as GroupRow
  const rows = found
    .filter((row): row is GroupRow & { key: string } => row.key !== null)
    .toSorted((a, b) => Number(b.calls) - Number(a.calls) || (a.key < b.key ? -1 : 1))
  return { totals, groups, rows }
}

const namesOf = { agent: agentNames, batch: batchNames, number: numberNames } as const

export async function namesOfKeys(
  db: Queries,
  workspaceId: string,
  kind: keyof typeof namesOf,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db.rows<{ key: string; name: string }>(namesOf[kind], [workspaceId, keys])
  return new Map(found.map(({ key, name }) => [key, name]))
}

const live = statement(`
  SELECT w.max_concurrency, w.prices, (
    SELECT count(*)::int FROM calls WHERE workspace_id = $1 AND claimed_by IS NOT NULL) AS in_use
  FROM workspaces w WHERE w.workspace_id = $1`)

const peak = statement(`
  SELECT at, calls FROM concurrency_peaks WHERE workspace_id = $1 AND at >= $2 ORDER BY calls DESC, at LIMIT 1`)

const limits = statement(`
  SELECT w.max_concurrency, w.calls_per_minute, w.calls_per_day, w.minutes_per_day, w.cost_per_day, w.prices,
    CASE WHEN d.minute = date_trunc('minute', now()) THEN d.in_minute ELSE 0 END AS in_minute,
    CASE WHEN d.day = (now() AT TIME ZONE 'UTC')::date THEN d.in_day ELSE 0 END AS in_day,
    used.minutes, used.cost,
    (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC' AS resets_at,
    (SELECT count(*)::int FROM calls WHERE workspace_id = $1 AND claimed_by IS NOT NULL) AS in_use
  FROM workspaces w LEFT JOIN dialled_calls d USING (workspace_id) CROSS JOIN used_today($1) AS used
  WHERE w.workspace_id = $1`)

export interface LiveRow {
  max_concurrency: number | null
  prices: object | null
  in_use: number
}

export interface LimitsRow extends LiveRow {
  calls_per_minute: number | null
  calls_per_day: number | null
  minutes_per_day: number | null
  cost_per_day: string | null
  in_minute: number
  in_day: number
  minutes: string
  cost: string
  resets_at: Date
}

export const liveCalls = (db: Queries, workspaceId: string) => db.row<LiveRow>(live, [workspaceId])

export const peakSince = (db: Queries, workspaceId: string, since: Date) =>
  db.row<{ at: Date; calls: number }>(peak, [workspaceId, since])

export const limitsOf = (db: Queries, workspaceId: string) => db.row<LimitsRow>(limits, [workspaceId])
