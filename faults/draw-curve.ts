// Draws the curve of a long run: a panel for each quantity, with a line for what was seen every minute and a dot for every rest.
//   node faults/draw-curve.ts [faults/long-load.csv] > docs/images/hours-of-calls.svg
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Moment, openCurve, type Point } from './curve.ts'

interface Panel {
  readonly title: string
  readonly of: keyof Point
  /** The moment of the samples that are drawn as dots. */
  readonly dots?: Moment
}

const panels: readonly Panel[] = [
  { title: 'Memory of the process (MB); dots: at rest, without garbage', of: 'rssMb', dots: 'collected' },
  { title: 'Open files; dots: at rest', of: 'files', dots: 'rest' },
  { title: 'Connections to PostgreSQL; dots: at rest', of: 'databaseConnections', dots: 'rest' },
  { title: 'Rows that wait; dots: at rest', of: 'waitingRows', dots: 'rest' },
  { title: 'Placing a call (ms, mean of a minute)', of: 'requestMs' },
  { title: 'Delay of a delivery (ms, mean of a minute)', of: 'deliveryDelayMs' },
]

const width = 900
const margin = { left: 60, right: 20, top: 28, bottom: 8 }
const panelHeight = 130
const axisHeight = 34

const round = (value: number) => Number(value.toFixed(1))

export function drawCurve(points: readonly Point[]): string {
  const hours = Math.max(1, Math.ceil((points.at(-1)?.minutes ?? 0) / 60))
  const height = panels.length * panelHeight + axisHeight
  const x = (minutes: number) =>
    round(margin.left + ((width - margin.left - margin.right) * minutes) / (60 * hours))
  const runs = [...Map.groupBy(points, ({ run }) => run).values()]
  const starts = runs.slice(1).map((of) => x(of[0]?.minutes ?? 0))
  const bottom = panels.length * panelHeight
  const ticks = Array.from({ length: hours + 1 }, (_, hour) =>
    text(x(60 * hour), bottom + 22, `${hour} h`, 'middle'),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333">`,
    '<title>What a process held, and how long it took, over hours of calls</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels.flatMap((panel, nth) => drawPanel(panel, runs, nth * panelHeight, x)),
    // Lines end with their run, because each run has a process of its own.
    ...starts.map(
      (at) => `<path d="M${at} ${margin.top}V${bottom}" stroke="#999" stroke-dasharray="2 3" fill="none"/>`,
    ),
    ...ticks,
    '</svg>\n',
  ].join('\n')
}

function drawPanel(
  { title, of, dots }: Panel,
  runs: readonly (readonly Point[])[],
  top: number,
  x: (minutes: number) => number,
): string[] {
  const value = (point: Point) => Number(point[of])
  const shown = runs.flat().filter(({ is }) => is === 'load' || is === dots)
  const most = roundUp(Math.max(1, ...shown.map(value)))
  const [from, to] = [top + panelHeight - margin.bottom, top + margin.top]
  const y = (amount: number) => round(from - ((from - to) * amount) / most)
  const lineOf = (run: readonly Point[]) =>
    run
      .filter(({ is }) => is === 'load')
      .map((point, nth) => `${nth === 0 ? 'M' : 'L'}${x(point.minutes)} ${y(value(point))}`)
      .join('')
  const levels = [0, most / 2, most]
  return [
    text(margin.left, to - 10, title, 'start'),
    ...levels.map(
      (level) => `<path d="M${margin.left} ${y(level)}H${width - margin.right}" stroke="#ddd" fill="none"/>`,
    ),
    ...levels.map((level) => text(margin.left - 8, y(level) + 4, String(level), 'end')),
    ...runs.map((run) => `<path d="${lineOf(run)}" stroke="#2563eb" fill="none"/>`),
    ...shown
      .filter(({ is }) => is === dots)
      .map((point) => `<circle cx="${x(point.minutes)}" cy="${y(value(point))}" r="3" fill="#b45309"/>`),
  ]
}

const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`

const roundSteps = [1, 1.5, 2, 3, 5]

function roundUp(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(amount))
  return (roundSteps.find((times) => times * power >= amount) ?? 10) * power
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2] ?? fileURLToPath(new URL('./long-load.csv', import.meta.url))
  process.stdout.write(drawCurve(openCurve(file).points))
}
