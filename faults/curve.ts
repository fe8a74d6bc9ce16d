// The curve of a long run, as CSV, and whether it is flat. The curve says what a process held at each moment; several runs, each
// with a process of its own, add to the same curve.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { LaneCounts } from './call-lanes.ts'
import type { ProcessSample } from './process-sample.ts'

/** `first`: at rest, after the first minutes of a run; `rest`: at rest later; `collected`: after each of them, without garbage. */
export type Moment = 'first' | 'load' | 'rest' | 'collected'

export interface Point extends ProcessSample, Readonly<LaneCounts> {
  /** The run of this point: each has a process of its own, and counts its own calls. */
  readonly run: number
  readonly is: Moment
  /** Minutes under load, of all runs together. */
  readonly minutes: number
}

export interface Curve {
  readonly points: readonly Point[]
  /** The number of the run that begins now. */
  readonly run: number
  /** Minutes under load so far. */
  readonly minutes: number
  add(point: Point): void
}

export function openCurve(file: string): Curve {
  const points = existsSync(file) ? pointsIn(readFileSync(file, 'utf8')) : []
  const last = points.at(-1)
  return {
    points,
    run: (last?.run ?? 0) + 1,
    minutes: last?.minutes ?? 0,
    add(point) {
      if (points.length === 0) writeFileSync(file, `${Object.keys(point).join(',')}\n`)
      points.push(point)
      appendFileSync(file, `${Object.values(point).map(printed).join(',')}\n`)
    },
  }
}

const printed = (value: string | number): string =>
  typeof value === 'string' || Number.isInteger(value) ? String(value) : value.toFixed(2)

function pointsIn(text: string): Point[] {
  const [header = '', ...lines] = text.split('\n').filter(Boolean)
  const names = header.split(',')
  return lines.map((line) => {
    const fields = line.split(',').map((value, at) => [names[at], names[at] === 'is' ? value : Number(value)])
    return Object.fromEntries(fields) as unknown as Point
  })
}

// How much a process may grow at rest within one run; more is a leak. Some files are connections that are still open; a leaked file
// for each call would be thousands.
const growth: Readonly<Partial<Record<keyof ProcessSample, number>>> = { files: 40, threads: 2 }
// How much the memory without garbage may grow. Where that was not measured, the least memory that the process was seen with is
// compared: a third of what it holds otherwise is garbage that V8 has no reason to collect, at rest least of all.
const memoryGrowthMb = 60
// How much slower the last third of the curve may be than the first, in medians, which a machine that stalls for a while does not move.
const slower = { times: 1.5, andMs: 5 }
const latencies = ['requestMs', 'deliveryDelayMs'] as const
const thirdAtLeast = 5

/** One sentence for everything that is not flat: what the processes hold from this run on, latencies over the whole curve. */
export function faultsIn(points: readonly Point[], from = 1): string[] {
  if (points.every(({ placed }) => placed === 0)) return ['no call was placed']
  const runs = [...Map.groupBy(points, ({ run }) => run)].filter(([run]) => run >= from)
  const load = points.filter(({ is }) => is === 'load')
  return [
    ...runs.flatMap(([run, of]) => leaksIn(of).map((fault) => `run ${run}: ${fault}`)),
    ...slowerIn(load),
  ]
}

function leaksIn(points: readonly Point[]): string[] {
  const [first, last] = [points.find(({ is }) => is === 'first'), points.findLast(({ is }) => is === 'rest')]
  if (!first || !last || points.at(-1)?.is === 'load') return []
  const grown = Object.entries(growth).flatMap(([name, most]) => {
    const by = last[name as keyof ProcessSample] - first[name as keyof ProcessSample]
    return by > most ? [`${name} grew by ${by.toFixed(1)}, ${most} is allowed`] : []
  })
  const memoryMb = memoryGrowthOf(points)
  const stored = last.callRows - first.callRows
  const placed = last.placed - first.placed
  return [
    ...grown,
    ...(memoryMb > memoryGrowthMb
      ? [`memory grew by ${memoryMb.toFixed(1)} MB, ${memoryGrowthMb} is allowed`]
      : []),
    ...(last.lost > 0 ? [`${last.lost} calls were lost`] : []),
    ...(last.callsLive + last.waitingRows > 0
      ? [`${last.waitingRows} rows wait although nothing goes on`]
      : []),
    ...(stored === placed ? [] : [`${placed} calls were placed, ${stored} are stored`]),
  ]
}

function memoryGrowthOf(points: readonly Point[]): number {
  const at = (moment: Moment) => points.filter(({ is }) => is === moment).map(({ rssMb }) => rssMb)
  const collected = at('collected')
  if (collected.length > 1) return (collected.at(-1) ?? 0) - (collected[0] ?? 0)
  const load = at('load')
  const half = Math.ceil(load.length / 2)
  return Math.min(...load.slice(-half)) - Math.min(...load.slice(0, half))
}

function slowerIn(load: readonly Point[]): string[] {
  const third = Math.floor(load.length / 3)
  if (third < thirdAtLeast) return []
  return latencies.flatMap((name) => {
    const median = (points: readonly Point[]) =>
      points.map((point) => point[name]).toSorted((a, b) => a - b)[Math.floor(points.length / 2)] ?? 0
    const [before, after] = [median(load.slice(0, third)), median(load.slice(-third))]
    return after > before * slower.times + slower.andMs
      ? [`${name} went from ${before.toFixed(1)} to ${after.toFixed(1)}`]
      : []
  })
}
