// Words of a clause that have a pronunciation of their own, marked up as the vendor wants it.
import type { Pronunciation } from '../../ports/synthesizer.ts'

/** `mark` returns what is written instead of the word; undefined: the vendor cannot be told. */
export function markPronunciations(
  clause: string,
  pronunciations: readonly Pronunciation[] | undefined,
  mark: (pronunciation: Pronunciation, word: string) => string | undefined,
): string {
  return (pronunciations ?? []).reduce((text, pronunciation) => {
    const { written } = pronunciation
    if (written === '') return text
    return text.replaceAll(wordOf(written), (word) => mark(pronunciation, word) ?? word)
  }, clause)
}

/** Not within another word. */
const wordOf = (written: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${written.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
    'giu',
  )
