// The mean score of calls by day, over all agents, and each agent's own.
import type { QualityReport } from '@parley/contract'
import { useMemo } from 'react'
import { callsAt } from '../calls/calls.ts'
import { Link } from '../router.tsx'
import { Chart, ChartTable } from '../ui/charts/chart.tsx'
import type { Bar } from '../ui/charts/chart-data.ts'

interface ScoreChartProps {
  report: QualityReport
  agents: Readonly<Record<string, string>>
  since: string
}

const dayMs = 24 * 3_600_000
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The mean of several means, each weighted by its calls. */
function meanOf(rows: QualityReport['days']): number {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0)
  return rows.reduce((sum, row) => sum + (row.average_score ?? 0) * row.calls, 0) / Math.max(1, calls)
}

const scoredDays = ({ days }: QualityReport) => days.filter(({ average_score }) => average_score !== null)

const barsOf = (report: QualityReport): Bar[] =>
  [...Map.groupBy(scoredDays(report), (row) => row.day)].map(([name, rows]) => ({
    name: day.format(new Date(name)),
    tick: day.format(new Date(name)),
    // Days of scores are those of UTC, whatever the time zone of this browser.
    to: callsAt({
      from: new Date(name).toISOString(),
      to: new Date(Date.parse(name) + dayMs).toISOString(),
      answered: 'true',
    }),
    values: [meanOf(rows)],
  }))

const series = [{ name: 'Mean score', words: (score: number) => score.toFixed(0) }]

export function ScoreChart({ report, agents, since }: ScoreChartProps) {
  const scored = scoredDays(report)
  const bars = useMemo(() => barsOf(report), [report])
  const byAgent = [...Map.groupBy(scored, ({ agent_id }) => agent_id)]
  return (
    <div className="space-y-4">
      <div>
        <Chart label="Scores by day" bars={bars} series={series} top={100} />
        <ChartTable label="Scores by day" bars={bars} series={series} />
      </div>
      <ul className="space-y-2">
        {byAgent.map(([agentId, rows]) => (
          <li key={agentId} className="flex justify-between gap-3 text-[0.8125rem]">
            <Link to={callsAt({ since, agent_id: agentId })} className="truncate hover:underline">
              {agents[agentId] ?? 'A deleted agent'}
            </Link>
            <span className="shrink-0 text-muted tabular-nums">{meanOf(rows).toFixed(0)} of 100</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
