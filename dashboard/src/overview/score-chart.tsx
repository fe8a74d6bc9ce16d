// The mean score of calls by day, over all agents, and each agent's own.
import type { QualityReport } from '@parley/contract'
import { callsAt } from '../calls/calls.ts'
import { Link } from '../router.tsx'

interface ScoreChartProps {
  report: QualityReport
  agents: Readonly<Record<string, string>>
  since: string
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The mean of means, each counted by its calls. */
function meanOf(rows: QualityReport['days']): number {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0)
  return rows.reduce((sum, row) => sum + (row.average_score ?? 0) * row.calls, 0) / Math.max(1, calls)
}

export function ScoreChart({ report, agents, since }: ScoreChartProps) {
  const scored = report.days.filter(({ average_score }) => average_score !== null)
  const days = [...Map.groupBy(scored, (row) => row.day)]
  const byAgent = [...Map.groupBy(scored, ({ agent_id }) => agent_id)]
  return (
    <div className="space-y-4">
      <div className="flex h-28 items-end gap-1">
        {days.map(([name, rows]) => (
          <div
            key={name}
            title={`${day.format(new Date(name))}: ${meanOf(rows).toFixed(0)} of 100`}
            className="flex h-full min-w-0 max-w-10 flex-1 flex-col justify-end"
          >
            <div className="rounded-t-xs bg-accent" style={{ height: `${meanOf(rows)}%` }} />
          </div>
        ))}
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
