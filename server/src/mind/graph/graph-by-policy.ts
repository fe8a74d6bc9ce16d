// A graph without a language model: the built-in policy speaks for the node, and edges are chosen by their conditions.

import { type Likeness, likenessOf } from '../../engines/analysis/likeness.ts'
import type { Brief } from '../../engines/dialogue/brief.ts'
import { decideReply, type ReplyDecision } from '../../engines/dialogue/decide-reply.ts'
import { endsCall, transferFor, wordByWord } from '../../engines/dialogue/dialogue-policy.ts'
import { polarityIn } from '../../engines/dialogue/intents.ts'
import { briefReader } from '../../engines/dialogue/read-brief.ts'
import type { Graph, GraphNode } from '../../ports/call-plan.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { ChatMessage, LanguageModel } from '../../ports/language-model.ts'
import type { Variables } from './place-in-graph.ts'
import {
  certainEdge,
  type GraphPlace,
  type LlmEdge,
  mostSteps,
  otherwise,
  Places,
  wordsSoFar,
} from './place-in-graph.ts'

export function graphByPolicy(
  graph: Graph,
  variables: Variables,
  embedder: Embedder | undefined,
): LanguageModel {
  const places = new Places(graph)
  /** The caller's words after which nothing was left to say or to ask. */
  const ended = new Set<string>()
  const readBrief = briefReader()

  /** Makes the node's reply to what was said since it was entered. */
  const speak = (
    general: Brief,
    place: GraphPlace,
    messages: readonly ChatMessage[],
    like: Likeness,
  ): ReplyDecision => {
    const brief = withGeneral(readBrief(place.node.prompt), general)
    return decideReply(brief, since(place, messages), like)
  }

  const next = (
    general: Brief,
    place: GraphPlace,
    messages: readonly ChatMessage[],
    said: string,
    like: Likeness,
  ) => {
    const certain = certainEdge(graph, place, said, variables)
    if (certain) return certain
    const decision = speak(general, place, messages, like)
    const edge = leadsOn(place.node, said, { isDone: !decision.asks, hasSpoken: place.hasSpoken }, like)
    return edge ? graph.nodes.get(edge.to) : otherwise(graph, place)
  }

  return {
    async *reply(request, signal) {
      const { messages } = request
      const said = messages.findLast(({ role }) => role === 'user')?.content ?? ''
      const system = messages.find(({ role }) => role === 'system')?.content ?? ''
      const transfer = transferFor(request, said)
      if (transfer) {
        yield transfer
        return
      }
      const general = readBrief(`${system}\n${graph.information}`)
      const likeness = await likenessOf(textsOf(graph, general, said), embedder, signal)
      if (signal.aborted) return
      const words = wordsSoFar(messages)
      let place = places.before(words)
      const passed: string[] = []
      for (let step = 0; step < mostSteps; step++) {
        const isNew = step > 0
        const node =
          isNew && !place.node.isRouter ? undefined : next(general, place, messages, said, likeness)
        if (!node) break
        // The words that led to a node are the first that it hears.
        place = { node, enteredAt: words.length - said.length, hasSpoken: false }
        passed.push(node.id)
      }
      places.after(words, { ...place, hasSpoken: true })
      for (const nodeId of passed.length > 0 ? passed : [place.node.id]) yield { type: 'node', nodeId }
      const decision = place.node.words === undefined ? speak(general, place, messages, likeness) : undefined
      const isOver = place.node.edges.length === 0 && (decision?.ends ?? true)
      if (isOver) ended.add(words)
      yield* wordByWord(decision?.text ?? place.node.words ?? '', signal)
      if (isOver) yield* endsCall(request)
    },
    isOver: (messages) => ended.has(wordsSoFar(messages)),
  }
}

/** A node has its own task; the persona and the facts are the same in all. */
const withGeneral = (own: Brief, general: Brief): Brief => ({
  ...own,
  isEnglish: true,
  name: own.name ?? general.name,
  role: own.role ?? general.role,
  company: own.company ?? general.company,
  facts: [...own.facts, ...general.facts],
})

/** The messages that a node hears: from the caller's words that led to it, or for the first node from the greeting. */
function since({ enteredAt }: GraphPlace, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (enteredAt === 0) return messages
  let spoken = 0
  const from = messages.findIndex(({ role, content }) => {
    if (role !== 'user') return false
    const begins = spoken
    spoken += content.length + 1
    return begins >= enteredAt
  })
  return from < 0 ? messages : messages.slice(from)
}

const textsOf = (graph: Graph, general: Brief, said: string): string[] => [
  said,
  ...[...graph.nodes.values()].flatMap(conditionsOf),
  ...general.facts.map(({ about }) => about),
]

const conditionsOf = ({ edges }: GraphNode): string[] =>
  edges.flatMap((edge) => (edge.by === 'llm' ? [edge.condition] : []))

// On the scale of the similarity; a condition below this is as often not meant.
const meantEnough = 0.45

const refusal =
  /\b(?:no|not|n't|declin\w*|refus\w*|disagree\w*|den(?:y|ies)|reject\w*|unable|cannot|can't|doesn't|don't|isn't|negative|busy|wrong)\b/i
const consent =
  /\b(?:yes|agree\w*|confirm\w*|accept\w*|consent\w*|positive|affirmative|is interested|available|correct|wants? to (?:continue|proceed|go on))\b/i
const answered =
  /\b(?:answer\w*|provid\w*|g(?:ives?|ave|iven)|tells?|told|shares?|responds?|repl\w+|collected|complete\w*|done|finished|otherwise|any(?:thing)?|all other|else)\b/i

interface NodeStanding {
  /** The node has no questions left. */
  readonly isDone: boolean
  readonly hasSpoken: boolean
}

function leadsOn(
  { edges }: GraphNode,
  said: string,
  { isDone, hasSpoken }: NodeStanding,
  likeness: Likeness,
): LlmEdge | undefined {
  const ways = edges.filter((edge) => edge.by === 'llm')
  const polarity = polarityIn(said)
  const byPolarity = polarity && ways.find(({ condition }) => polarityOf(condition) === polarity)
  if (byPolarity) return byPolarity
  const scored = ways
    .filter(({ condition }) => polarityOf(condition) === undefined)
    .map((edge) => ({ edge, score: likeness(edge.condition, said) }))
    .toSorted((one, other) => other.score - one.score)
  const [best] = scored
  if (best && best.score >= meantEnough) return best.edge
  if (!isDone || !hasSpoken) return undefined
  const [only, ...others] = ways
  const isPlain = only && others.length === 0 && polarityOf(only.condition) === undefined
  return ways.find(({ condition }) => answered.test(condition)) ?? (isPlain ? only : undefined)
}

function polarityOf(condition: string): 'yes' | 'no' | undefined {
  if (refusal.test(condition)) return 'no'
  return consent.test(condition) ? 'yes' : undefined
}
