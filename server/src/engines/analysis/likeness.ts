// Similarity of two texts: by shared words, and by meaning if there is an embedder.
import type { Embedder } from '../../ports/embedder.ts'
import { closenessByMeaning } from '../dialogue/meaning-closeness.ts'
import { comparableWords } from '../dialogue/words.ts'

/** The likeness of two texts. 0: nothing in common; 1: the same. */
export type Likeness = (one: string, other: string) => number

const empty = new Set(
  "a an the and or of to in on at for with from is are was were be do does did have has had can could will would should may i you we they it me my your our their this that what which who how when where why please caller's callers caller user users customer customers customer's patient person whether if about any given provided stated mentioned says said field value string".split(
    ' ',
  ),
)

const stem = (word: string): string =>
  word
    .replace(/'s$/, '')
    .replace(/(?<=\w{3})(?:ing|ies|ed|es|s)$/, '')
    .replace(/(?<=\w{3})[ey]$/, '')

export const contentWords = (text: string): Set<string> =>
  new Set(
    comparableWords(text.replaceAll('_', ' '))
      .filter((word) => !empty.has(word))
      .map(stem),
  )

// Half of all field names end with one of these words, which say little by themselves.
const weak = new Set(['number', 'nam', 'dat', 'day', 'tim', 'address', 'cod', 'typ', 'amount', 'detail'])
const weightOf = (words: Iterable<string>): number =>
  [...words].reduce((sum, word) => sum + (weak.has(word) ? 0.3 : 1), 0)

/** The share of the first text's words that the second contains. */
export function sharedWords(wanted: string, given: string): number {
  const needed = contentWords(wanted)
  const there = contentWords(given)
  if (needed.size === 0) return 0
  return weightOf([...needed].filter((word) => there.has(word))) / weightOf(needed)
}

/** Embeds every text to be compared once, up front. */
export async function likenessOf(
  texts: readonly string[],
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<Likeness> {
  const measured = embedder && (await closenessByMeaning(embedder)(texts, signal))
  return (one, other) => Math.max(sharedWords(one, other), measured?.(one, other) ?? 0)
}
