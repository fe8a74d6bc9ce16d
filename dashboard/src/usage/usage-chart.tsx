// The usage of each row as bars: minutes, or their cost if that is known. The table below has the values as text.
import type { UsageRow } from '@parley/contract'
import { useMemo } from 'react'
import { Chart } from '../ui/charts/chart.tsx'
import { money } from '../ui/words/money.ts'

interface UsageChartProps {
  rows: readonly UsageRow[]
  currency: string | null
  nameOf(row: UsageRow): string
  callsOf(row: UsageRow): string | undefined
}

// More bars than this cannot be told apart.
const mostBars = 90
const longestTick = 10

const tickOf = (name: string) => (name.length > longestTick ? `${name.slice(0, longestTick - 1)}…` : name)

export function UsageChart({ rows, currency, nameOf, callsOf }: UsageChartProps) {
  const hasCost = rows.some(({ cost }) => cost)
  const bars = useMemo(
    () =>
      rows.slice(0, mostBars).map((row) => {
        const to = callsOf(row)
        const values = [hasCost ? (row.cost ?? 0) : row.minutes]
        return { name: nameOf(row), tick: tickOf(nameOf(row)), values, ...(to && { to }) }
      }),
    [rows, hasCost, nameOf, callsOf],
  )
  const series = useMemo(
    () => [
      hasCost
        ? { name: 'Cost', words: (cost: number) => money(cost, currency) }
        : { name: 'Minutes', words: (minutes: number) => minutes.toLocaleString('en') },
    ],
    [hasCost, currency],
  )
  if (bars.length < 2 || bars.every(({ values: [value] }) => value === 0)) return null
  const label = hasCost ? 'Cost' : 'Minutes'
  return (
    <section className="rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5">
      <h2 className="mb-3 text-[0.8125rem] font-semibold">{label}</h2>
      <Chart label={label} bars={bars} series={series} />
    </section>
  )
}
