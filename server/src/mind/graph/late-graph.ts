// A graph whose texts are filled when they are read, because tools may have saved variables since the call began.
import type { Graph, GraphNode } from '../../ports/call-plan.ts'

export function lateGraph(graph: Graph, fill: (text: string) => string): Graph {
  const late = (node: GraphNode): GraphNode => ({
    ...node,
    get prompt() {
      return fill(node.prompt)
    },
    get words() {
      return node.words === undefined ? undefined : fill(node.words)
    },
  })
  const nodes = new Map([...graph.nodes].map(([id, node]) => [id, late(node)]))
  return {
    ...graph,
    nodes,
    start: nodes.get(graph.start.id) ?? late(graph.start),
    get information() {
      return fill(graph.information)
    },
  }
}
