// Calls over time.
import type { CallOverview } from '@parley/contract'
import { useMemo } from 'react'
import { callsAt, callsBetween, dayOf, type Filters } from '../calls/calls.ts'
import { Chart, ChartTable } from '../ui/charts/chart.tsx'
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
  /** The filters of the list to which a bar leads. */
  whose: Filters
}

export function CallsChart({ label, overview, byHour, whose }: CallsChartProps) {
  const bars = useMemo(
    () =>
      slotsOf(overview, byHour).map(({ at, end, calls, answered }) => ({
        name: byHour ? exact.format(at) : day.format(at),
        tick: byHour ? `${hour.format(at)} h` : day.format(at),
        to: byHour
          ? callsAt({ from: at.toISOString(), to: end.toISOString(), ...whose })
          : callsBetween(dayOf(at), dayOf(at), whose),
        values: [calls, answered],
      })),
    [overview, byHour, whose],
  )
  return (
    <>
      <Chart label={label} bars={bars} series={series} />
      <ChartTable label={label} bars={bars} series={series} />
    </>
  )
}
