// Where the words of edges stand: on their lines, beside the nodes and beside each other. Pure.
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
// Longer words are cut: wider they would reach over the neighbours of their nodes. Where many lines meet, sooner.
const mostWidths = [190, 130, 92]
// For the small print on the canvas: generous, with the room at both ends.
const characterWidth = 6.4
const padding = 16
// Between two of them, so that they can be told apart.
const gap = 4

// How far along the line: its middle is the clearest place, near its ends it may be another line's.
const shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85]
// How far to the side, in widths of the label: up to a half it still touches its line.
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

/** Where the words could stand, the best place first. */
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

/** The first that covers nothing, or else the one that covers least. */
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

/** The area that two share, the gap between them included. */
export function overlap(one: Box, other: Box): number {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) + gap
  const along = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) + gap
  return Math.max(0, across) * Math.max(0, along)
}
