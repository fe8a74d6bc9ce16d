// A chart of bars, drawn by uPlot on a canvas, and made usable without sight and without a mouse: the arrow keys go from bar to
// bar, Enter opens the list behind one, and ChartTable has every value as text.
import { type KeyboardEvent, lazy, useCallback, useRef, useState } from 'react'
import { go, Link } from '../../router.tsx'
import { LazyPart } from '../feedback/lazy-part.tsx'
import type { Bar, Series } from './chart-data.ts'

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'))

interface ChartProps {
  label: string
  bars: readonly Bar[]
  series: readonly Series[]
  /** The end of the scale; otherwise the largest value. */
  top?: number
}

/** The identity of a bar by its place and its name: when an hour or a day is over, bars move on, and the chosen one with them. */
interface Choice {
  readonly at: number
  readonly name: string
}

const placeOf = (choice: Choice | undefined, bars: readonly Bar[]): number | undefined => {
  if (!choice) return undefined
  if (bars[choice.at]?.name === choice.name) return choice.at
  const at = bars.findIndex(({ name }) => name === choice.name)
  return at < 0 ? undefined : at
}

export function Chart({ label, bars, series, top }: ChartProps) {
  const [choice, setChoice] = useState<Choice>()
  const drawn = useRef(bars)
  drawn.current = bars
  const choose = useCallback((at: number | undefined) => {
    const bar = at === undefined ? undefined : drawn.current[at]
    setChoice(bar && at !== undefined ? { at, name: bar.name } : undefined)
  }, [])
  const chosen = placeOf(choice, bars)
  const follow = (at: number | undefined) => {
    const to = at === undefined ? undefined : bars[at]?.to
    if (to) go(to)
  }
  const last = bars.length - 1
  const steer = (event: KeyboardEvent) => {
    const at = chosen ?? last
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: last,
    }
    if (event.key === 'Enter') return follow(at)
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(Math.min(last, Math.max(0, next)))
  }
  const at = chosen ?? last
  const bar = chosen === undefined ? undefined : bars[at]
  return (
    <figure aria-label={label}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${label}: one bar at a time`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={wordsOf(bars[at], series)}
        onKeyDown={steer}
        onFocus={(event) => event.target.matches(':focus-visible') && choose(at)}
        onBlur={() => choose(undefined)}
        onClick={() => follow(chosen)}
        className={`rounded-md ${bar?.to ? 'cursor-pointer' : ''}`}
      >
        <LazyPart fallback={<div className="h-44" />}>
          <ChartCanvas bars={bars} series={series} top={top} chosen={bar && at} onPoint={choose}>
            {bar && <Tip bar={bar} series={series} />}
          </ChartCanvas>
        </LazyPart>
      </div>
      {series.length > 1 && (
        <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {series.map(({ name, isPale }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span
                aria-hidden="true"
                className={`size-2 rounded-xs ${isPale ? 'bg-accent/30' : 'bg-accent'}`}
              />
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

const wordsOf = (bar: Bar | undefined, series: readonly Series[]) =>
  bar &&
  `${bar.name}: ${series.map(({ name, words }, n) => `${name} ${words(bar.values[n] ?? 0)}`).join(', ')}`

function Tip({ bar, series }: { bar: Bar; series: readonly Series[] }) {
  return (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs whitespace-nowrap shadow-card">
      <p className="font-medium">{bar.name}</p>
      {series.map(({ name, words }, n) => (
        <p key={name} className="flex justify-between gap-4 text-muted">
          {name}
          <span className="text-ink tabular-nums">{words(bar.values[n] ?? 0)}</span>
        </p>
      ))}
    </div>
  )
}

/** The same values as text, folded up below the chart. */
export function ChartTable({ label, bars, series }: ChartProps) {
  return (
    <details className="mt-3 text-[0.8125rem]">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">As a table</summary>
      <table aria-label={label} className="mt-2 w-full border-collapse tabular-nums">
        <thead>
          <tr className="border-b border-line text-left text-xs text-muted">
            <th scope="col" className="py-1.5 font-medium">
              When
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {bars.map(({ name, to, values }) => (
            <tr key={name}>
              <th scope="row" className="py-1.5 text-left font-normal">
                {to ? (
                  <Link to={to} className="hover:underline">
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </th>
              {series.map(({ name: of, words }, n) => (
                <td key={of} className="py-1.5 text-right">
                  {words(values[n] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
