// Places nodes in layers, from the start downwards. Pure.
import { edgesOf, type Graph, type Point, startOf } from './edits.ts'

export const nodeWidth = 232
const columnWidth = nodeWidth + 56
const rowHeight = 170

/** The layer of every node: its distance from the start. Nodes to which no edge leads come last. */
export function arranged(graph: Graph): Readonly<Record<string, Point>> {
  const rows = layersOf(graph)
  const widest = Math.max(1, ...rows.map((row) => row.length))
  const places = rows.flatMap((row, y) => {
    // Every other row is shifted, so that an edge past a row does not run behind its nodes.
    const indent = (widest - row.length) / 2 + (y % 2) / 2
    return row.map((id, x): [string, Point] => [
      id,
      { x: Math.round((x + indent) * columnWidth), y: y * rowHeight },
    ])
  })
  return Object.fromEntries(places)
}

/** A place with room for a new node. */
export const belowAll = ({ layout, nodes }: Graph): Point => ({
  x: ((nodes.length % 2) * columnWidth) / 2,
  y: Math.max(-rowHeight, ...Object.values(layout).map(({ y }) => y)) + rowHeight,
})

/** The graph with a place for every node: the stored one, or a new one where there is none. */
export function withPlaces(graph: Graph): Graph {
  const missing = graph.nodes.filter(({ id }) => !graph.layout[id])
  if (missing.length === 0) return graph
  const all = arranged(graph)
  if (missing.length === graph.nodes.length) return { ...graph, layout: all }
  const below = belowAll(graph).y
  const added = missing.map(({ id }, at): [string, Point] => [id, { x: at * columnWidth, y: below }])
  return { ...graph, layout: { ...graph.layout, ...Object.fromEntries(added) } }
}

function layersOf(graph: Graph): string[][] {
  const start = startOf(graph)
  const next = new Map(graph.nodes.map((node) => [node.id, edgesOf(node).map((edge) => edge.to_node_id)]))
  const placed = new Set<string>()
  const rows: string[][] = []
  let row = start === undefined ? [] : [start]
  while (placed.size < next.size) {
    const fresh = [...new Set(row)].filter((id) => next.has(id) && !placed.has(id))
    // No edge leads to the remaining nodes: the first of them begins the next layers.
    const here = fresh.length > 0 ? fresh : [...next.keys()].filter((id) => !placed.has(id)).slice(0, 1)
    for (const id of here) placed.add(id)
    rows.push(here)
    row = here.flatMap((id) => next.get(id) ?? [])
  }
  return rows
}
