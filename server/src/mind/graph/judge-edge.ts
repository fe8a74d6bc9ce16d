// Which edge of a node a caller's words select, without a language model.

import type { Likeness } from '../../engines/analysis/likeness.ts'
import { polarityIn } from '../../engines/dialogue/intents.ts'
import type { Edge, GraphNode } from '../../ports/call-plan.ts'

type LlmEdge = Extract<Edge, { by: 'llm' }>

// On the scale of the similarity: below this it is as often something else.
const meantEnough = 0.45

const refusal =
  /\b(?:no|not|n't|declin\w*|refus\w*|disagree\w*|den(?:y|ies)|reject\w*|unable|cannot|can't|doesn't|don't|isn't|negative|busy|wrong)\b/i
const consent =
  /\b(?:yes|agree\w*|confirm\w*|accept\w*|consent\w*|positive|affirmative|is interested|available|correct|wants? to (?:continue|proceed|go on))\b/i
const answered =
  /\b(?:answer\w*|provid\w*|g(?:ives?|ave|iven)|tells?|told|shares?|responds?|repl\w+|collected|complete\w*|done|finished|otherwise|any(?:thing)?|all other|else)\b/i

export interface Standing {
  /** The node has no questions left. */
  readonly isDone: boolean
  readonly hasSpoken: boolean
}

export function leadsOn(
  { edges }: GraphNode,
  said: string,
  { isDone, hasSpoken }: Standing,
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
