// The charts of the overview: calls over time, and shares of a whole. Drawn with plain elements; the numbers are text.
import type { CallOverview } from '@parley/contract'
import { Link } from '../router.tsx'
import { slotsOf } from './slots.ts'

const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hour12: false })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export function Bars({ overview, byHour }: { overview: CallOverview; byHour: boolean }) {
  const slots = slotsOf(overview, byHour)
  const most = Math.max(1, ...slots.map(({ calls }) => calls))
  // As many labels as fit side by side on a telephone.
  const every = Math.ceil(slots.length / 6)
  return (
    <figure>
      <div className="flex h-36 items-end gap-px sm:gap-0.5">
        {slots.map(({ at, calls, answered }) => (
          <div
            key={at.getTime()}
            title={`${byHour ? exact.format(at) : day.format(at)}: ${calls} calls, ${answered} answered`}
            className="group flex h-full min-w-0 flex-1 flex-col justify-end"
          >
            <div
              className="relative rounded-t-xs bg-accent/30 transition-colors group-hover:bg-accent/50"
              style={{ height: `${(calls / most) * 100}%`, minHeight: calls > 0 ? 2 : 0 }}
            >
              <div
                className="absolute inset-x-0 bottom-0 rounded-t-xs bg-accent"
                style={{ height: `${calls > 0 ? (answered / calls) * 100 : 0}%` }}
              />
            </div>
          </div>
        ))}
      </div>
      <div
        aria-hidden="true"
        className="mt-1.5 flex gap-px border-t border-line pt-1 text-xs text-muted tabular-nums sm:gap-0.5"
      >
        {slots.map(({ at }, n) => (
          <span key={at.getTime()} className="min-w-0 flex-1 overflow-visible whitespace-nowrap">
            {n % every === 0 &&
              n + every / 2 < slots.length &&
              (byHour ? `${hour.format(at)} h` : day.format(at))}
          </span>
        ))}
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2 rounded-xs bg-accent" />
          Answered
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2 rounded-xs bg-accent/30" />
          Not answered
        </span>
        <span className="ml-auto tabular-nums">Most: {most.toLocaleString('en')}</span>
      </figcaption>
    </figure>
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
