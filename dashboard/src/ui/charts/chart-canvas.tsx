// The drawing of a chart, by uPlot. It is as wide as its place and follows the colours of the page.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Bar, Series } from './chart-data.ts'

interface ChartCanvasProps {
  bars: readonly Bar[]
  series: readonly Series[]
  top: number | undefined
  /** The bar that is pointed at, or reached by the keyboard. */
  chosen: number | undefined
  onPoint(index: number | undefined): void
  /** The text beside the chosen bar. */
  children: ReactNode
}

const heightPx = 176
// The width of the longest label below a bar, with some space.
const tickPx = 64
// The steps between the lines of the scale: 0.0001 to 5,000,000.
const steps = Array.from({ length: 11 }, (_, n) => [1, 2, 5].map((of) => Number(`${of}e${n - 4}`))).flat()
const wholeSteps = steps.filter((step) => step >= 1)

export default function ChartCanvas({ bars, series, top, chosen, onPoint, children }: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  // uPlot asks for values while it draws, and always gets those of the last render.
  const now = useRef({ bars, series, top })
  now.current = { bars, series, top }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of series is another chart; the rest is read from `now`.
  useLayoutEffect(() => {
    const parent = place.current
    if (!parent) return
    const drawn = new UPlot(optionsOf(parent.clientWidth, now, onPoint), dataOf(bars, series), parent)
    plot.current = drawn
    const size = new ResizeObserver(() => drawn.setSize({ width: parent.clientWidth, height: heightPx }))
    size.observe(parent)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const repaint = () => drawn.redraw()
    scheme.addEventListener('change', repaint)
    return () => {
      size.disconnect()
      scheme.removeEventListener('change', repaint)
      drawn.destroy()
    }
  }, [series.length, onPoint])

  useEffect(() => plot.current?.setData(dataOf(bars, series)), [bars, series])

  useLayoutEffect(() => {
    const drawn = plot.current
    if (!drawn) return
    if (chosen === undefined) return drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    const [left, right] = [chosen - 0.5, chosen + 0.5].map((at) => drawn.valToPos(at, 'x')) as [
      number,
      number,
    ]
    drawn.setSelect({ left, top: 0, width: right - left, height: drawn.over.clientHeight }, false)
    if (!tip.current || !place.current) return
    // The text stands beside the bar, on the side that has room.
    const middle = drawn.over.offsetLeft + (left + right) / 2
    const isRight = middle > place.current.clientWidth / 2
    tip.current.style.transform = `translateX(${isRight ? `calc(${left + drawn.over.offsetLeft - 8}px - 100%)` : `${right + drawn.over.offsetLeft + 8}px`})`
  }, [chosen])

  return (
    <div className="relative">
      <div ref={place} aria-hidden="true" className="h-44 [&_.u-select]:bg-ink/8!" />
      <div ref={tip} className="pointer-events-none absolute top-1 left-0 z-10">
        {children}
      </div>
    </div>
  )
}

const dataOf = (bars: readonly Bar[], series: readonly Series[]): UPlot.AlignedData => [
  bars.map((_, n) => n),
  ...series.map((_, n) => bars.map(({ values }) => values[n] ?? 0)),
]

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

interface Now {
  readonly current: Pick<ChartCanvasProps, 'bars' | 'series' | 'top'>
}

function optionsOf(width: number, now: Now, onPoint: ChartCanvasProps['onPoint']): UPlot.Options {
  const rowsOf = UPlot.paths.bars
  // The last two digits of the colour are its opacity.
  const fill = (isPale: boolean | undefined) => () => `${colour('--accent')}${isPale ? '4d' : ''}`
  const font = `11px ${getComputedStyle(document.body).fontFamily}`
  const { series } = now.current
  return {
    width,
    height: heightPx,
    padding: [10, 0, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: false, range: () => [-0.5, now.current.bars.length - 0.5] },
      y: { range: (_plot, _min, max) => [0, now.current.top ?? (max || 1)] },
    },
    axes: [
      {
        font,
        size: 24,
        gap: 4,
        stroke: () => colour('--muted'),
        grid: { show: false },
        ticks: { show: false },
        border: { show: true, stroke: () => colour('--line'), width: 1 },
        splits: (plot) => ticksFor(now.current.bars.length, plot.width),
        values: (_plot, at) => at.map((index) => now.current.bars[index]?.tick ?? ''),
      },
      {
        font,
        gap: 6,
        stroke: () => colour('--muted'),
        grid: { stroke: () => colour('--line'), width: 1 },
        ticks: { show: false },
        size: (plot, labels) => widest(plot, font, labels) + 10,
        incrs: (plot) => (isWhole(plot.data) ? wholeSteps : steps),
        values: (_plot, at) => at.map((value) => now.current.series[0]?.words(value) ?? ''),
      },
    ],
    series: [
      {},
      ...series.map(({ isPale }) => ({
        width: 0,
        fill: fill(isPale),
        ...(rowsOf && { paths: rowsOf({ size: [0.8, 48], radius: [0.08, 0] }) }),
        points: { show: false },
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onPoint((cursor.left ?? -1) < 0 ? undefined : (cursor.idx ?? undefined))],
    },
  }
}

/** As many labels as fit side by side. */
function ticksFor(bars: number, width: number): number[] {
  const every = Math.ceil(bars / Math.max(1, Math.floor(width / tickPx)))
  return Array.from({ length: Math.ceil(bars / every) }, (_, n) => n * every)
}

const isWhole = ([, ...rows]: UPlot.AlignedData) => rows.every((row) => [...row].every(Number.isInteger))

function widest({ ctx }: UPlot, font: string, labels: readonly string[] | null): number {
  ctx.save()
  ctx.font = font
  const width = Math.max(0, ...(labels ?? []).map((label) => ctx.measureText(label).width))
  ctx.restore()
  return width
}
