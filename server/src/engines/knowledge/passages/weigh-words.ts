// How much the words of a question say: the rarer a word is in a repository, the more. Pure.

export interface WeighedWord {
  readonly word: string
  /** All weights of a question together are 1. */
  readonly weight: number
}

// What a word that hardly any passage has is taken to be in: a misheard word must not outweigh all others.
const rarePassages = 5

/** `count`: how many passages have a word. */
export function weighWords(
  words: readonly string[],
  passages: number,
  count: (word: string) => number,
): WeighedWord[] {
  const weighed = [...new Set(words)].map((word) => {
    const holders = Math.min(Math.max(count(word), rarePassages), passages)
    return { word, weight: Math.log(1 + (passages - holders + 0.5) / (holders + 0.5)) }
  })
  const whole = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1
  return weighed.map(({ word, weight }) => ({ word, weight: weight / whole }))
}
