// A graph as the editor holds it, and every change that can be made to it. Pure.
import type { GraphEdge, GraphNode, StoredGraph } from '@parley/contract'
import { isTree } from '../ui/forms/tree.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  /** null: the first node. */
  readonly start: string | null
  readonly layout: Readonly<Record<string, Point>>
}

/** The identity of an edge: the node that it leaves and its place among the edges of that node. */
export interface EdgePlace {
  readonly from: string
  readonly at: number
}

/** Invalid nodes are not drawn; they are listed as faults. */
export const readGraph = ({ nodes, current_node_id, layout }: ReadableGraph): Graph => ({
  nodes: nodes.filter((node): node is GraphNode => isTree(node) && typeof node.id === 'string'),
  start: current_node_id ?? null,
  layout: layout ?? {},
})

export type ReadableGraph = Pick<StoredGraph, 'nodes'> &
  Partial<Pick<StoredGraph, 'current_node_id' | 'layout'>>

export const edgesOf = (node: GraphNode | undefined): readonly GraphEdge[] =>
  Array.isArray(node?.edges) ? node.edges.filter(isTree) : []

export const nodeOf = (graph: Graph, id: string | undefined): GraphNode | undefined =>
  graph.nodes.find((node) => node.id === id)

export const startOf = ({ start, nodes }: Graph): string | undefined =>
  nodes.some(({ id }) => id === start) ? (start ?? undefined) : nodes[0]?.id

const withNode = (graph: Graph, id: string, change: (node: GraphNode) => GraphNode): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? change(node) : node)),
})

/** An id that no node has: step, step-2, step-3. */
export function freeId({ nodes }: Graph, wish = 'step'): string {
  const taken = new Set(nodes.map(({ id }) => id))
  for (let count = 1; ; count++) {
    const id = count === 1 ? wish : `${wish}-${count}`
    if (!taken.has(id)) return id
  }
}

export const addNode = (graph: Graph, id: string, at: Point): Graph => ({
  ...graph,
  nodes: [...graph.nodes, { id, prompt: '', edges: [] }],
  layout: { ...graph.layout, [id]: at },
})

/** Removes a node and every edge that leads to it. */
export function removeNode(graph: Graph, id: string): Graph {
  const { [id]: _place, ...layout } = graph.layout
  const nodes = graph.nodes
    .filter((node) => node.id !== id)
    .map((node) =>
      edgesOf(node).some(({ to_node_id }) => to_node_id === id)
        ? { ...node, edges: edgesOf(node).filter(({ to_node_id }) => to_node_id !== id) }
        : node,
    )
  return { nodes, layout, start: graph.start === id ? null : graph.start }
}

/** Renames a node wherever it is named: in edges, as the start, and in the layout. */
export function renameNode(graph: Graph, id: string, next: string): Graph {
  const { [id]: place, ...layout } = graph.layout
  const follow = (name: string) => (name === id ? next : name)
  const nodes = graph.nodes.map((node) => ({
    ...node,
    id: follow(node.id),
    ...(Array.isArray(node.edges) && {
      edges: edgesOf(node).map((edge) => ({ ...edge, to_node_id: follow(edge.to_node_id) })),
    }),
  }))
  return {
    nodes,
    start: graph.start === null ? null : follow(graph.start),
    layout: place ? { ...layout, [next]: place } : layout,
  }
}

/** An undefined value removes the key. */
export const changeNode = (graph: Graph, id: string, changes: Partial<GraphNode>): Graph =>
  withNode(graph, id, (node) => defined({ ...node, ...changes }) as GraphNode)

export const makeStart = (graph: Graph, id: string): Graph => ({ ...graph, start: id })

export const moveNode = (graph: Graph, id: string, to: Point): Graph => ({
  ...graph,
  layout: { ...graph.layout, [id]: { x: Math.round(to.x), y: Math.round(to.y) } },
})

export const addEdge = (graph: Graph, from: string, to: string): Graph =>
  withNode(graph, from, (node) => ({
    ...node,
    edges: [...edgesOf(node), { to_node_id: to, condition_type: 'llm', condition: '' }],
  }))

export const removeEdge = (graph: Graph, { from, at }: EdgePlace): Graph =>
  withNode(graph, from, (node) => ({ ...node, edges: edgesOf(node).filter((_, place) => place !== at) }))

/** Removes several nodes and edges at once. The places of edges are those before any is removed. */
export function removeParts(graph: Graph, nodes: readonly string[], edges: readonly EdgePlace[]): Graph {
  // The last place goes first, so that the places of the others stay valid.
  const fewer = edges.toSorted((one, other) => other.at - one.at).reduce(removeEdge, graph)
  return nodes.reduce(removeNode, fewer)
}

export const changeEdge = (graph: Graph, { from, at }: EdgePlace, changes: Partial<GraphEdge>): Graph =>
  withNode(graph, from, (node) => ({
    ...node,
    edges: edgesOf(node).map((edge, place) =>
      place === at ? (defined({ ...edge, ...changes }) as GraphEdge) : edge,
    ),
  }))

const defined = (tree: object): object =>
  Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined))

/** The graph as it is sent: the layout holds only nodes that exist. */
export const writtenOf = ({ nodes, start, layout }: Graph) => ({
  nodes: [...nodes],
  current_node_id: start,
  layout: Object.fromEntries(Object.entries(layout).filter(([id]) => nodes.some((node) => node.id === id))),
})
