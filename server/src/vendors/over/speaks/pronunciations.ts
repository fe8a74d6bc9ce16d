// Words of a clause that have a pronunciation of their own, marked up as the vendor wants it.
import type { Pronunciation } from '../../../ports/synthesizer.ts'

interface ClausePiece {
  readonly text: string
  /** Undefined: the text is said as it is written. */
  readonly pronunciation?: Pronunciation | undefined
}

/**
 * A clause, cut at the words that have a pronunciation: whole words in any case, the longest first, as in "New York City"
 * before "New York"; of two entries for the same words the later one.
 */
export function clausePieces(
  clause: string,
  pronunciations: readonly Pronunciation[] = [],
): readonly ClausePiece[] {
  const byWord = new Map(pronunciations.map((one) => [one.written.toLowerCase(), one]))
  byWord.delete('')
  if (byWord.size === 0) return [{ text: clause }]
  const words = [...byWord.keys()].toSorted((a, b) => b.length - a.length).map(literally)
  const separator = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return clause.split(separator).map((text, place) => ({
    text,
    pronunciation: place % 2 ? byWord.get(text.toLowerCase()) : undefined,
  }))
}

/** `mark` returns what is written instead of the word; undefined: the vendor cannot be told. */
export const markPronunciations = (
  clause: string,
  pronunciations: readonly Pronunciation[] | undefined,
  mark: (pronunciation: Pronunciation, word: string) => string | undefined,
): string =>
  clausePieces(clause, pronunciations)
    .map(({ text, pronunciation }) => (pronunciation && mark(pronunciation, text)) ?? text)
    .join('')

const literally = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
