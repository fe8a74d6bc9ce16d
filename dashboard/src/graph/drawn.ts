// From a graph to what the canvas draws. Pure.
import type { Edge, Node } from '@xyflow/react'
import { type Box, type LabelPlace, placeLabels } from './edge-labels.ts'
import { wordsOfEdge } from './edge-words.ts'
import { type EdgePlace, edgesOf, type Graph, startOf } from './edits.ts'
import { faultsOfEdgeAt, faultsOfNode, type GraphFault } from './graph-faults.ts'
import type { NodeData } from './node-shape.tsx'

/** The marks on a graph that show where a call is and has been. */
export interface Marks {
  /** The node at which the call is. */
  readonly live?: string | undefined
  /** The nodes at which the call has been, in order. */
  readonly path: readonly string[]
}

export const noMarks: Marks = { path: [] }

export function nodesToDraw(
  graph: Graph,
  faults: readonly GraphFault[],
  marks: Marks,
  selected: string | undefined,
): Node<NodeData>[] {
  const start = startOf(graph)
  return graph.nodes.map((node, at) => {
    const visits = marks.path.flatMap((id, place) => (id === node.id ? [place + 1] : []))
    const isLive = marks.live === node.id
    return {
      id: node.id,
      type: 'step',
      position: graph.layout[node.id] ?? { x: 0, y: 0 },
      selected: selected === node.id,
      ariaLabel: [
        `Node ${node.id}`,
        ...(start === node.id ? ['start'] : []),
        ...(isLive ? ['the call is here'] : []),
        ...(visits.length > 0 ? [`step ${visits.join(', ')} of the call`] : []),
      ].join(', '),
      data: {
        node,
        isStart: start === node.id,
        isEnd: edgesOf(node).length === 0,
        isLive,
        visits,
        faults: faultsOfNode(faults, at),
      },
    }
  })
}

export interface EdgeData extends EdgePlace, Record<string, unknown> {
  readonly words: string
  /** Undefined until the nodes have been measured. */
  readonly label?: LabelPlace | undefined
  readonly isFocused?: boolean
}

export type DrawnEdge = Edge<EdgeData> & { readonly data: EdgeData }

export function edgesToDraw(graph: Graph, faults: readonly GraphFault[], marks: Marks): DrawnEdge[] {
  const ids = new Set(graph.nodes.map(({ id }) => id))
  const taken = new Set(marks.path.slice(1).map((id, at) => `${marks.path[at]}\n${id}`))
  return graph.nodes.flatMap((node, at) =>
    edgesOf(node).flatMap((edge, place): DrawnEdge[] => {
      if (!ids.has(edge.to_node_id)) return []
      const wrong = faultsOfEdgeAt(faults, at, place)
      const words = wordsOfEdge(edge)
      const looks = taken.has(`${node.id}\n${edge.to_node_id}`) ? 'taken' : wrong.length > 0 ? 'faulty' : ''
      return [
        {
          id: `${node.id}\n${place}`,
          type: 'way',
          source: node.id,
          target: edge.to_node_id,
          ariaLabel: `Edge from ${node.id} to ${edge.to_node_id}: ${words}`,
          className: looks,
          data: { from: node.id, at: place, words },
        },
      ]
    }),
  )
}

/** The edges with their words at the places that the nodes leave them. */
export function withLabels(edges: readonly DrawnEdge[], nodes: readonly Node<NodeData>[]): DrawnEdge[] {
  const boxes = new Map(
    nodes.flatMap(({ id, position, measured }): [string, Box][] =>
      measured?.width && measured.height
        ? [[id, { ...position, width: measured.width, height: measured.height }]]
        : [],
    ),
  )
  const places = placeLabels(
    boxes,
    edges.map(({ id, source, target, data }) => ({ id, source, target, words: data.words })),
  )
  return edges.map((edge) => ({ ...edge, data: { ...edge.data, label: places.get(edge.id) } }))
}
