// How well a passage fits a question, from its meaning and from its words. Pure.

/** What is known of a passage. */
export interface Signs {
  /** The cosine of the angle between question and passage; undefined: there are no vectors. */
  readonly similarity: number | undefined
  /** The share of the question's words that it has, the rare ones counting more. */
  readonly coverage: number
}

/** Decided on half A of the questions in bench/knowledge/questions.json; see bench/knowledge-recall.ts. */
const weights = { meaning: 0.65, words: 0.35 } as const

export const scoreOf = ({ similarity, coverage }: Signs): number =>
  // Without vectors words have to do, and are worth as much as they usually are together with a meaning.
  similarity === undefined
    ? coverage * 0.75
    : weights.meaning * Math.max(0, similarity) + weights.words * coverage
