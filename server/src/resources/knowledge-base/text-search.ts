// PostgreSQL's full text search: which of its configurations a language has, and how words are weighed.

/** The stemmers that every PostgreSQL from 14 on has. */
const stemmers: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}

/** The words of other languages are compared as they are. */
export const configurationOf = (language: string): string =>
  stemmers[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? 'simple'

/** How many passages of a repository have a word, as far as it is not rare. */
export interface WordCounts {
  readonly passages: number
  readonly common: ReadonlyMap<string, number>
}

export interface WeighedWord {
  readonly word: string
  /** The rarer the word, the more it says; all weights of a question together are 1. */
  readonly weight: number
  readonly passages: number
}

// What a word that is not among the common ones is taken to be in.
export const rarePassages = 5

export function weigh(words: readonly string[], { passages, common }: WordCounts): WeighedWord[] {
  const weighed = [...new Set(words)].map((word) => {
    const holders = Math.min(common.get(word) ?? rarePassages, passages)
    return { word, passages: holders, weight: Math.log(1 + (passages - holders + 0.5) / (holders + 0.5)) }
  })
  const whole = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1
  return weighed
    .map((one) => ({ ...one, weight: one.weight / whole }))
    .sort((one, other) => other.weight - one.weight)
}

// Ranking a passage takes some microseconds: this many take a few milliseconds.
const mostRanked = 4_000
// A statement has a fixed number of them; a caller's question has fewer.
export const mostWords = 12

/** The words to look passages up by: the rarest, as far as they are not in too many passages together. */
export function lookedUp(words: readonly WeighedWord[]): WeighedWord[] {
  let ranked = 0
  return words.filter(({ passages }, place) => {
    ranked += passages
    return place === 0 || ranked <= mostRanked
  })
}
