// The plan of a call that goes on in another process: an excuse instead of the greeting, and the conversation so far.
import type { CallPlan, Graph, ResumedCall } from '../../../ports/call-plan.ts'

/** `words` are said first. */
export function resumePlan(plan: CallPlan, resumed: ResumedCall, words: string): CallPlan {
  const { turn, dialogue, guardRails } = plan
  const { graph } = dialogue
  return {
    ...plan,
    resumed,
    guardRails: { ...guardRails, records: guardRails.records && turn.consent === null },
    turn: {
      ...turn,
      // Whether consent was given is not known here, so the rest is not recorded.
      consent: null,
      longestCallMs: Math.max(0, turn.longestCallMs - resumed.elapsedMs),
      sayings: { ...turn.sayings, greeting: words },
    },
    dialogue: { ...dialogue, graph: graph && graphFrom(graph, resumed) },
    // The notes of the first part are in the record already.
    notes: ['The process that ran this call died; another one went on with it.'],
  }
}

/** Begins the graph at the node that spoke last. */
function graphFrom(graph: Graph, { transcript }: ResumedCall): Graph {
  const nodeId = transcript.findLast((entry) => entry.nodeId !== undefined)?.nodeId
  const node = graph.nodes.get(nodeId ?? '')
  return node ? { ...graph, start: node, startHasSpoken: true } : graph
}
