// The place of a conversation in its graph. Replies may be made to words that turn out not to be said, so a place
// belongs to the words that led there and not to the last reply.
import type { Graph, GraphNode, NodeEdge } from '../../ports/call-plan.ts'
import type { ChatMessage } from '../../ports/language-model.ts'
import { expressionHolds, type Variables } from './expression.ts'

// A cycle of nodes ends after this many steps.
export const mostSteps = 6

export type LlmEdge = Extract<NodeEdge, { by: 'llm' }>

export interface GraphPlace {
  readonly node: GraphNode
  /** How many characters the caller had said when the node was entered. */
  readonly enteredAt: number
  readonly hasSpoken: boolean
}

/** All words of the caller as one text, however the messages are split. */
export const wordsSoFar = (messages: readonly ChatMessage[]): string =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join(' ')

export class Places {
  readonly #start: GraphPlace
  readonly #known = new Map<string, GraphPlace>()

  constructor(graph: Graph) {
    this.#start = { node: graph.start, enteredAt: 0, hasSpoken: graph.startHasSpoken }
  }

  /** The place before the caller's last words: the one reached by their longest known prefix. */
  before(words: string): GraphPlace {
    let longest = ''
    for (const text of this.#known.keys())
      if (text.length > longest.length && text.length < words.length && words.startsWith(text)) longest = text
    return this.#known.get(longest) ?? this.#start
  }

  after(words: string, place: GraphPlace): void {
    this.#known.set(words, place)
  }
}

/** The keys that the caller pressed ("pressed 12" is "12"), or said and nothing else. */
const keysIn = (said: string): string =>
  said.match(/\bpressed ([0-9*#A-D]+)(?!.*\bpressed )/)?.[1] ??
  said.match(/^[0-9*# ]+$/)?.[0].replaceAll(' ', '') ??
  ''

/** The edge that holds without a judgement by the model, if any. */
export function certainEdge(
  graph: Graph,
  { node, hasSpoken }: GraphPlace,
  said: string,
  variables: Variables,
): GraphNode | undefined {
  const digits = keysIn(said)
  // The keys are a variable too: {"variable": "digits", "operator": "eq", "value": "1"}.
  const known = { ...graph.context, ...variables, ...(digits && { digits }) }
  const edge = node.edges.find(
    (one) =>
      (one.by === 'keys' && digits !== '' && (one.keys === '' || one.keys === digits)) ||
      (one.by === 'expression' && expressionHolds(one.expression, known)),
  )
  const always = node.edges.find(({ by }) => by === 'unconditional')
  // A node that has something to say says it first, unless the model judges.
  const moves = always && (hasSpoken || node.isRouter) && !node.edges.some(({ by }) => by === 'llm')
  return graph.nodes.get(edge?.to ?? (moves ? always.to : ''))
}

/** The node to go to when no other edge was chosen. */
export const otherwise = (graph: Graph, { node, hasSpoken }: GraphPlace): GraphNode | undefined => {
  const always = node.edges.find(({ by }) => by === 'unconditional')
  return always && (hasSpoken || node.isRouter) ? graph.nodes.get(always.to) : undefined
}

/** A graph whose texts are filled when they are read, because tools may have saved variables since the call began. */
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
