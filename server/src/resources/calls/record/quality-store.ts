// The scores of calls in the database, added up for charts.
import type { QualityReport } from '@parley/contract'
import { type Queries, statement } from '../../../platform/db/db.ts'

export interface QualityFilter {
  readonly agentId: string | null
  readonly from: string | null
  readonly to: string | null
}

// The rows of two years of fourteen agents; a chart has fewer.
const mostRows = 10_000

const byDay = statement(`
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, agent_id, count(*)::int AS calls,
    round(avg(qa_score)::numeric, 1)::float8 AS average_score, sum(qa_score)::float8 AS total,
    count(*) FILTER (WHERE (qa ->> 'passed') = 'true')::int AS passed
  FROM calls
  WHERE workspace_id = $1 AND qa_score IS NOT NULL AND ($2::uuid IS NULL OR agent_id = $2)
    AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::timestamptz IS NULL OR created_at < $4)
  GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT ${mostRows}`)

type Day = QualityReport['days'][number] & { readonly total: number }

export async function qualityOf(
  db: Queries,
  workspaceId: string,
  { agentId, from, to }: QualityFilter,
): Promise<QualityReport> {
  const rows = await db.rows<Day>(byDay, [workspaceId, agentId, from, to])
  const sum = (pick: (row: Day) => number) => rows.reduce((total, row) => total + pick(row), 0)
  const calls = sum((row) => row.calls)
  return {
    calls,
    average_score: calls === 0 ? null : Math.round((10 * sum(({ total }) => total)) / calls) / 10,
    passed: sum((row) => row.passed),
    days: rows.toReversed().map(({ total: _, ...day }) => day),
  }
}
