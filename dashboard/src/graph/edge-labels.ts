// The places of the labels of edges: on their lines, and clear of the nodes and of each other. Pure.
import { curvesOf, pointAlong } from './edge-curve.ts'
import type { Point } from './edits.ts'

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

export interface LabelledEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly words: string
}

/** The middle of the label, and how wide it may be. */
export interface LabelPlace extends Point {
  readonly width: number
}

const labelHeight = 22
// Labels are cut to these widths: a wider one would cover the neighbours of its node. Where many lines meet, the smaller applies.
const mostWidths = [190, 130, 92]
// The estimated width of a letter in the small print of the canvas, and the padding at both ends.
const characterWidth = 6.4
const padding = 16
// The gap between two labels, so that they can be told apart.
const gap = 4

// The places along the line to try, best first: its middle is the clearest, and near its ends a label may seem to be another line's.
const shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85]
// The distances to the side to try, in widths of the label: up to a half it still touches its line.
const asides = [0, 0.25, -0.25, 0.5, -0.5]

export function placeLabels(
  nodes: ReadonlyMap<string, Box>,
  edges: readonly LabelledEdge[],
): ReadonlyMap<string, LabelPlace> {
  const taken = [...nodes.values()]
  const places = new Map<string, LabelPlace>()
  for (const { id, source, target, words } of edges) {
    const [from, to] = [nodes.get(source), nodes.get(target)]
    if (!from || !to) continue
    const line = curvesOf(bottomOf(from), topOf(to))
    const points = shares.map((share) => pointAlong(line, share))
    const box = freest(boxesAround(points, words), taken)
    taken.push(box)
    places.set(id, { x: box.x + box.width / 2, y: box.y + labelHeight / 2, width: box.width })
  }
  return places
}

/** The places where a label could stand, the best first. */
function boxesAround(points: readonly Point[], words: string): readonly Box[] {
  const wanted = words.length * characterWidth + padding
  return mostWidths.flatMap((most) => {
    const width = Math.min(most, wanted)
    return asides.flatMap((aside) =>
      points.map(({ x, y }) => ({
        x: x + (aside - 0.5) * width,
        y: y - labelHeight / 2,
        width,
        height: labelHeight,
      })),
    )
  })
}

const bottomOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height })
const topOf = ({ x, y, width }: Box): Point => ({ x: x + width / 2, y })

/** The first place that covers nothing, or else the one that covers least. */
function freest(boxes: readonly Box[], taken: readonly Box[]): Box {
  let best = boxes[0] as Box
  let least = Number.POSITIVE_INFINITY
  for (const box of boxes) {
    const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0)
    if (covered === 0) return box
    if (covered < least) [best, least] = [box, covered]
  }
  return best
}

/** The area that two boxes share, the gap between them included. */
export function overlap(one: Box, other: Box): number {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) + gap
  const along = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) + gap
  return Math.max(0, across) * Math.max(0, along)
}
