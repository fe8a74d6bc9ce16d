// The place of a conversation in its graph. Replies may be made to words that turn out not to be said, so a place
// belongs to the words that led there and not to the last reply.
import type { Expression, Graph, GraphNode, NodeEdge } from '../../ports/call-plan.ts'
import type { ChatMessage } from '../../ports/language-model.ts'
import { valueAlong } from '../tools/tool-answer.ts'

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
  said.match(/^.*\bpressed ([0-9*#A-D]+)/s)?.[1] ?? said.match(/^[0-9*# ]+$/)?.[0].replaceAll(' ', '') ?? ''

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

export type Variables = Readonly<Record<string, unknown>>

// Conditions over the variables of a call, for the edges of a graph.
type Test = (held: unknown, wanted: unknown) => boolean

const words = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .toLowerCase()
const same: Test = (held, wanted) => words(held) === words(wanted)
const inOrder =
  (test: (difference: number) => boolean): Test =>
  (held, wanted) => {
    const difference = Number(held) - Number(wanted)
    return held !== undefined && held !== '' && !Number.isNaN(difference) && test(difference)
  }
const among: Test = (held, wanted) =>
  (Array.isArray(wanted) ? wanted : String(wanted ?? '').split(',')).some((one) => same(held, one))
const within: Test = (held, wanted) => words(held).includes(words(wanted))
const there: Test = (held) => words(held) !== ''

const not =
  (test: Test): Test =>
  (held, wanted) =>
    !test(held, wanted)

const tests: Readonly<Record<string, Test>> = {
  eq: same,
  equals: same,
  '==': same,
  '=': same,
  neq: not(same),
  ne: not(same),
  not_equals: not(same),
  '!=': not(same),
  gt: inOrder((difference) => difference > 0),
  '>': inOrder((difference) => difference > 0),
  gte: inOrder((difference) => difference >= 0),
  '>=': inOrder((difference) => difference >= 0),
  lt: inOrder((difference) => difference < 0),
  '<': inOrder((difference) => difference < 0),
  lte: inOrder((difference) => difference <= 0),
  '<=': inOrder((difference) => difference <= 0),
  in: among,
  not_in: not(among),
  contains: within,
  not_contains: not(within),
  exists: there,
  not_exists: not(there),
}

/** An unknown operator never holds. */
export function expressionHolds({ logic, conditions }: Expression, variables: Variables): boolean {
  const held = conditions.map(
    ({ variable, operator, value }) => tests[operator]?.(valueAt(variables, variable), value) ?? false,
  )
  if (held.length === 0) return false
  return logic === 'or' ? held.includes(true) : !held.includes(false)
}

/** The value of "recipient.timezone": looked up first as a whole name, then as a path. */
function valueAt(variables: Variables, path: string): unknown {
  if (Object.hasOwn(variables, path)) return variables[path]
  return valueAlong(variables, path.split('.'))
}
