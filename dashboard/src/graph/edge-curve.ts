// The line of an edge: straight down, or around the side if it leads back up. Pure.
import { nodeWidth } from './arrange.ts'
import type { Point } from './edits.ts'

/** A cubic Bézier curve: its ends, and the two points that pull it. */
type Curve = readonly [Point, Point, Point, Point]

// The distances by which a line that leads back swings out beside the nodes, and below and above them.
const sideways = 44
const swing = 70

/** The line from the bottom of one node to the top of another. */
export const curvesOf = (from: Point, to: Point): readonly Curve[] =>
  to.y <= from.y ? around(from, to) : [down(from, to)]

function down(from: Point, to: Point): Curve {
  const middle = (from.y + to.y) / 2
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to]
}

/** The line of an edge that leads back: to the right of both nodes, so that it does not pass behind them. */
function around(from: Point, to: Point): readonly Curve[] {
  const side = Math.max(from.x, to.x) + nodeWidth / 2 + sideways
  const middle = { x: side, y: (from.y + to.y) / 2 }
  return [
    [from, { x: from.x, y: from.y + swing }, { x: side, y: from.y + swing }, middle],
    [middle, { x: side, y: to.y - swing }, { x: to.x, y: to.y - swing }, to],
  ]
}

export const svgPathOf = (curves: readonly Curve[]): string =>
  curves
    .map(([from, one, other, to], at) => {
      const bend = `C ${[one, other, to].map(({ x, y }) => `${x} ${y}`).join(', ')}`
      return at === 0 ? `M ${from.x} ${from.y} ${bend}` : bend
    })
    .join(' ')

/** The point at this share of the line, from 0 to 1. */
export function pointAlong(curves: readonly Curve[], share: number): Point {
  const place = Math.min(curves.length - 1, Math.floor(share * curves.length))
  const t = share * curves.length - place
  const weights = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3]
  const sum = (axis: 'x' | 'y') =>
    weights.reduce((all, weight, at) => all + weight * ((curves[place] as Curve)[at] as Point)[axis], 0)
  return { x: sum('x'), y: sum('y') }
}
