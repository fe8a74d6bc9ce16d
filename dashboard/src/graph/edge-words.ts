// How an edge is described in a few words.
import type { EdgeType, GraphEdge } from '@parley/contract'

export const edgeTypeWords: Record<EdgeType, string> = {
  llm: 'When something is said',
  expression: 'When variables compare',
  event: 'When keys are pressed',
  unconditional: 'Otherwise',
}

/** The type of an edge's condition, which some clients write as `type`. */
export function typeOfEdge({ condition_type, type }: GraphEdge): EdgeType {
  const written = condition_type ?? type
  return typeof written === 'string' && written in edgeTypeWords ? (written as EdgeType) : 'llm'
}

export function wordsOfEdge(edge: GraphEdge): string {
  switch (typeOfEdge(edge)) {
    case 'unconditional':
      return 'otherwise'
    case 'event':
      return `keys ${edge.event_name?.replace(/^\w+[:_ -]?/, '') || '(any)'}`
    case 'expression':
      return comparison(edge)
    case 'llm':
      return edge.condition || edge.function_description || 'no condition yet'
  }
}

function comparison({ expression }: GraphEdge): string {
  const logic = expression?.logic === 'or' ? ' or ' : ' and '
  const words = (expression?.conditions ?? []).map(({ variable, operator, value }) =>
    [variable, operator, value === undefined ? '' : String(value)].filter(Boolean).join(' '),
  )
  return words.join(logic) || 'no comparison yet'
}
