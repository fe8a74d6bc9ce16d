// The faults of a graph and their places, found here while it is drawn or named by the server. Pure.
import type { Fault, GraphEdge } from '@parley/contract'
import { edgesOf, type Graph, startOf } from './edits.ts'

export interface GraphFault {
  /** The path as the server writes it: nodes.0.edges.1.to_node_id. */
  readonly path: string
  readonly message: string
  /** Whether the server would refuse it; otherwise it works, but perhaps not as meant. */
  readonly isRefused: boolean
}

const keys = /^(?:dtmf|digit|key)[:_ -]?[0-9*#]*$/i

export function faultsIn(graph: Graph): GraphFault[] {
  const ids = new Set(graph.nodes.map(({ id }) => id))
  const reached = reachedFrom(graph)
  const seen = new Set<string>()
  const faults: GraphFault[] = []
  const refuse = (path: string, message: string) => faults.push({ path, message, isRefused: true })
  const warn = (path: string, message: string) => faults.push({ path, message, isRefused: false })
  if (graph.nodes.length === 0) refuse('nodes', 'A graph needs at least one node.')
  for (const [at, node] of graph.nodes.entries()) {
    const path = `nodes.${at}`
    if (node.id === '') refuse(`${path}.id`, 'A node needs a name.')
    else if (seen.has(node.id)) refuse(`${path}.id`, 'Another node has this name.')
    seen.add(node.id)
    if (!reached.has(node.id)) warn(path, 'No edge leads here.')
    if (!node.prompt && !node.static_message && node.node_type !== 'router')
      warn(`${path}.prompt`, 'Says nothing of its own: give it a prompt or a message.')
    for (const [place, edge] of edgesOf(node).entries())
      faults.push(...faultsOfEdge(edge, `${path}.edges.${place}`, ids))
  }
  return faults
}

function faultsOfEdge(edge: GraphEdge, path: string, ids: ReadonlySet<string>): GraphFault[] {
  const fault = (key: string, message: string, isRefused = true) => [
    { path: `${path}.${key}`, message, isRefused },
  ]
  if (!ids.has(edge.to_node_id)) return fault('to_node_id', 'Leads to no node.')
  switch (edge.condition_type ?? edge.type ?? 'llm') {
    case 'expression':
      return edge.expression?.conditions?.length ? [] : fault('expression', 'Needs a comparison.')
    case 'event':
      return keys.test(edge.event_name ?? '') ? [] : fault('event_name', 'Must be dtmf, or as in dtmf:1.')
    case 'llm':
      return edge.condition || edge.function_description
        ? []
        : fault('condition', 'Without a condition nobody knows when to take it.', false)
    default:
      return []
  }
}

function reachedFrom(graph: Graph): ReadonlySet<string> {
  const start = startOf(graph)
  const reached = new Set(start === undefined ? [] : [start])
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  // The loop also visits the nodes that it adds to the set.
  for (const id of reached) for (const { to_node_id } of edgesOf(nodes.get(id))) reached.add(to_node_id)
  return reached
}

/** The faults that the server has named, each until its part of the graph is changed. */
export const faultsOfServer = (faults: readonly Fault[]): GraphFault[] =>
  faults.map(({ path, message }) => ({ path, message, isRefused: true }))

/** The faults of a node, without those of its edges. */
export const faultsOfNode = (faults: readonly GraphFault[], at: number): GraphFault[] =>
  faults.filter(({ path }) => isBelow(path, `nodes.${at}`) && !isBelow(path, `nodes.${at}.edges`))

export const faultsOfEdgeAt = (faults: readonly GraphFault[], at: number, place: number): GraphFault[] =>
  faults.filter(({ path }) => isBelow(path, `nodes.${at}.edges.${place}`))

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`)

export const faultAt = (faults: readonly GraphFault[], path: string): string | undefined =>
  faults.find((fault) => isBelow(fault.path, path))?.message
