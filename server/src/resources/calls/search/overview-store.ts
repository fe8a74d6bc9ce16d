// How calls went in a period, summed up in the database.
import type { CallOverview, getCallOverview, InputOf } from '@parley/contract'
import { refuseField } from '../../../http/failure.ts'
import { type Queries, statement } from '../../../platform/db/db.ts'

export interface Period {
  readonly from: Date
  readonly to: Date
  readonly bucket: 'hour' | 'day'
  /** A name that PostgreSQL knows. */
  readonly timezone: string
}

/** Null: all of them. */
export interface OverviewScope {
  readonly agentId: string | null
  readonly phoneNumberId: string | null
}

const ofWhom = (agent: string, number: string) =>
  `(${agent}::uuid IS NULL OR agent_id = ${agent}) AND (${number}::uuid IS NULL OR phone_number_id = ${number})`

// One pass for all tables. `kind` says which column a row is grouped by: a bit of 0 in the order of the columns.
const sums = statement(`
  SELECT grouping(call_status, hangup_reason, agent_id, phone_number_id, at)::int AS kind, call_status, hangup_reason,
    agent_id, phone_number_id, at, count(*)::int AS calls, count(*) FILTER (WHERE duration > 0)::int AS answered,
    round(coalesce(sum(duration), 0)::numeric / 60, 2)::float8 AS minutes
  FROM (
    SELECT call_status, hangup_reason, agent_id, phone_number_id, duration, date_trunc($4, created_at, $5) AS at
    FROM call_index WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3 AND ${ofWhom('$6', '$7')}
  ) AS counted
  GROUP BY GROUPING SETS ((), (call_status), (hangup_reason), (agent_id), (phone_number_id), (at))
  ORDER BY calls DESC`)

const answers = statement(`
  SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) AS p95,
    count(DISTINCT session_id)::int AS calls
  FROM (
    SELECT session_id, answers_ms FROM call_index
    WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3 AND answers_ms IS NOT NULL AND ${ofWhom('$4', '$5')}
    ORDER BY created_at DESC, session_id DESC LIMIT 5000
  ) AS newest, unnest(answers_ms) AS ms`)

const live = statement(
  `SELECT count(*)::int AS live FROM calls WHERE workspace_id = $1 AND claimed_by IS NOT NULL AND call_status = 'in-progress' AND ${ofWhom('$2', '$3')}`,
)

interface SumRow {
  kind: number
  call_status: string
  hangup_reason: string | null
  agent_id: string
  phone_number_id: string | null
  at: Date
  calls: number
  answered: number
  minutes: number
}

const kinds = {
  all: 0b11111,
  status: 0b01111,
  reason: 0b10111,
  agent: 0b11011,
  number: 0b11101,
  time: 0b11110,
}
// More agents or numbers than somebody reads.
const most = 1_000

export async function overviewOf(
  db: Queries,
  workspaceId: string,
  { agentId, phoneNumberId }: OverviewScope,
  { from, to, bucket, timezone }: Period,
): Promise<CallOverview> {
  const { reader = db } = db
  const [rows, answered, running] = await Promise.all([
    reader.rows<SumRow>(sums, [workspaceId, from, to, bucket, timezone, agentId, phoneNumberId]),
    reader.row<CallOverview['answer_ms']>(answers, [workspaceId, from, to, agentId, phoneNumberId]),
    reader.row<{ live: number }>(live, [workspaceId, agentId, phoneNumberId]),
  ])
  const by = <Key extends object>(kind: number, key: (row: SumRow) => Key) =>
    rows
      .filter((row) => row.kind === kind)
      .slice(0, most)
      .map((row) => ({ ...key(row), calls: row.calls, answered: row.answered, minutes: row.minutes }))
  const [all = { calls: 0, answered: 0, minutes: 0 }] = by(kinds.all, () => ({}))
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    live: running?.live ?? 0,
    ...all,
    answer_ms: answered ?? { p50: null, p95: null, calls: 0 },
    by_status: by(kinds.status, ({ call_status }) => ({ call_status })),
    by_reason: by(kinds.reason, ({ hangup_reason }) => ({ hangup_reason })),
    by_agent: by(kinds.agent, ({ agent_id }) => ({ agent_id })),
    by_number: by(kinds.number, ({ phone_number_id }) => ({ phone_number_id })),
    series: by(kinds.time, ({ at }) => ({ at: at.toISOString() })).sort((one, other) =>
      one.at < other.at ? -1 : 1,
    ),
  } as CallOverview
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// Longer periods would make one request read millions of rows.
const mostDays = 92
// Beyond two days, hours are too many to look at.
const mostHours = 48

export function readOverview(
  db: Queries,
  workspaceId: string,
  query: InputOf<typeof getCallOverview>['query'],
): Promise<CallOverview> {
  const to = query.to === undefined ? new Date() : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - dayMs) : new Date(query.from)
  if (from >= to) refuseField('from', 'Must be before `to`.')
  const spanMs = to.getTime() - from.getTime()
  if (spanMs > mostDays * dayMs) refuseField('from', `Must be at most ${mostDays} days before \`to\`.`)
  const bucket = spanMs <= mostHours * hourMs ? 'hour' : 'day'
  const whose = { agentId: query.agent_id ?? null, phoneNumberId: query.phone_number_id ?? null }
  return overviewOf(db, workspaceId, whose, { from, to, bucket, timezone: query.timezone ?? 'UTC' })
}
