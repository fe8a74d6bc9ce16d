// Words of a clause that have a pronunciation of their own, marked up as the vendor wants it.
import type { Pronunciation } from '../../../ports/synthesizer.ts'

/**
 * `mark` returns what is written instead of the word; undefined: the vendor cannot be told. In one pass, so that nothing is
 * found in what was marked up before; the longest first, and of two entries for the same words the later one.
 */
export function markPronunciations(
  clause: string,
  pronunciations: readonly Pronunciation[] | undefined,
  mark: (pronunciation: Pronunciation, word: string) => string | undefined,
): string {
  const byWord = new Map((pronunciations ?? []).map((one) => [one.written.toLowerCase(), one]))
  byWord.delete('')
  if (byWord.size === 0) return clause
  const words = [...byWord.keys()].toSorted((a, b) => b.length - a.length).map(literally)
  // Not within another word.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return clause.replaceAll(pattern, (word) => {
    const pronunciation = byWord.get(word.toLowerCase())
    return (pronunciation && mark(pronunciation, word)) ?? word
  })
}

const literally = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
