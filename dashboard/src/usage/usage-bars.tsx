// What was used, row by row, as bars: minutes, or what they cost if that is known.
import type { UsageRow } from '@parley/contract'

interface UsageBarsProps {
  rows: readonly UsageRow[]
  nameOf(row: UsageRow): string
  costWords(row: UsageRow): string
}

// More bars than this cannot be told apart.
const mostBars = 90

export function UsageBars({ rows, nameOf, costWords }: UsageBarsProps) {
  const shown = rows.slice(0, mostBars)
  const hasCost = shown.some(({ cost }) => cost)
  const valueIn = ({ cost, minutes }: UsageRow) => (hasCost ? (cost ?? 0) : minutes)
  const most = Math.max(...shown.map(valueIn))
  if (shown.length < 2 || most === 0) return null
  return (
    <figure className="rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5">
      <figcaption className="mb-3 text-[0.8125rem] font-semibold">{hasCost ? 'Cost' : 'Minutes'}</figcaption>
      <div className="flex h-32 items-end gap-px sm:gap-0.5">
        {shown.map((row) => (
          <div
            key={`${row.key} ${row.part}`}
            title={`${nameOf(row)}: ${row.minutes.toFixed(1)} min, ${costWords(row)}`}
            className="flex h-full min-w-0 max-w-12 flex-1 flex-col justify-end"
          >
            <div
              className="rounded-t-xs bg-accent"
              style={{ height: `${(valueIn(row) / most) * 100}%`, minHeight: valueIn(row) > 0 ? 2 : 0 }}
            />
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex justify-between gap-4 border-t border-line pt-1 text-xs text-muted tabular-nums">
        <span className="truncate">{nameOf(shown[0] as UsageRow)}</span>
        <span className="truncate">{nameOf(shown.at(-1) as UsageRow)}</span>
      </div>
    </figure>
  )
}
