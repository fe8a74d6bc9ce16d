// The charts of the overview: calls over time, and shares of a whole.
import type { CallOverview } from '@parley/contract'
import { useMemo } from 'react'
import { callsAt, callsBetween, dayOf } from '../calls/calls.ts'
import { Link } from '../router.tsx'
import { Chart, ChartTable } from '../ui/chart.tsx'
import { slotsOf } from './slots.ts'

const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hour12: false })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

const words = (value: number) => value.toLocaleString('en')
const series = [
  { name: 'Calls', isPale: true, words },
  { name: 'Answered', words },
]

interface CallsChartProps {
  label: string
  overview: CallOverview
  byHour: boolean
}

export function CallsChart({ label, overview, byHour }: CallsChartProps) {
  const bars = useMemo(
    () =>
      slotsOf(overview, byHour).map(({ at, end, calls, answered }) => ({
        name: byHour ? exact.format(at) : day.format(at),
        tick: byHour ? `${hour.format(at)} h` : day.format(at),
        to: byHour
          ? callsAt({ from: at.toISOString(), to: end.toISOString() })
          : callsBetween(dayOf(at), dayOf(at)),
        values: [calls, answered],
      })),
    [overview, byHour],
  )
  return (
    <>
      <Chart label={label} bars={bars} series={series} />
      <ChartTable label={label} bars={bars} series={series} />
    </>
  )
}

interface Share {
  readonly words: string
  readonly to: string
  readonly calls: number
}

// The rest is what nobody compares.
const mostRows = 8

export function Shares({ of, rows }: { of: number; rows: readonly Share[] }) {
  return (
    <ul className="space-y-2">
      {rows.slice(0, mostRows).map(({ words, to, calls }) => (
        <li key={words + to}>
          <Link to={to} className="group block rounded">
            <span className="flex justify-between gap-3 text-[0.8125rem]">
              <span className="truncate group-hover:underline">{words}</span>
              <span className="shrink-0 text-muted tabular-nums">
                {calls.toLocaleString('en')}
                <span className="ml-2 inline-block w-12 text-right whitespace-nowrap">
                  {Math.round((calls / of) * 100)} %
                </span>
              </span>
            </span>
            <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-full bg-hover">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${(calls / of) * 100}%` }}
              />
            </span>
          </Link>
        </li>
      ))}
      {rows.length > mostRows && (
        <li className="text-[0.8125rem] text-muted">and {rows.length - mostRows} more</li>
      )}
    </ul>
  )
}
