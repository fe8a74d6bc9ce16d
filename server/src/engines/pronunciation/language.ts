// What a language needs to be spoken: its written forms as words, and its words as phonemes.
import { phoneticRun, worldPhonetics } from './phonetic.ts'

export interface SpokenLanguage {
  /** Spells out numbers, amounts, times and addresses. */
  normalise(sentence: string): string
  /** Turns words into the IPA that the voice was trained on, with the stress mark before the stressed vowel. */
  pronounce(words: string): string
}

// Marks that the voice knows as pauses and melody.
const pauses = /[;:,.!?—…]/

/** Pronounces word by word; punctuation is kept, everything else between words is a space. */
export function pronounceWords(
  sentence: string,
  phonemesOf: (word: string, next: string | undefined) => string,
  letters: RegExp,
): string {
  const pieces =
    sentence
      .normalize('NFC')
      .match(new RegExp(`${letters.source}|${phoneticRun.source}|${pauses.source}`, 'giu')) ?? []
  return (
    pieces
      .map((piece, place) => {
        if (pauses.test(piece)) return piece
        if (phoneticRun.test(piece)) return ` ${worldPhonetics(piece)}`
        const next = pieces[place + 1]
        return ` ${phonemesOf(piece.toLowerCase(), next === undefined || pauses.test(next) ? undefined : next.toLowerCase())}`
      })
      .join('')
      .replace(/ {2,}/g, ' ')
      .trim()
      // The voice knows the tilde of nasal vowels as a symbol of its own.
      .normalize('NFD')
  )
}

/** Diphthongs that the voice knows as one symbol each, in the languages where it does. */
export const joinedDiphthongs = (phonemes: string): string =>
  phonemes.replaceAll('aɪ', 'I').replaceAll('aʊ', 'W').replaceAll('eɪ', 'A')

/** An ordered list of rewriting rules; the first that matches at a place applies. */
export type RewriteRules = readonly (readonly [pattern: string, sound: string])[]

/** Rewrites a word from left to right. Patterns may look back and ahead; `$&` is the match, `$1` its first group. */
export function rewriter(rules: RewriteRules): (word: string) => string {
  const compiled = rules.map(([pattern, sound]) => [new RegExp(pattern, 'uy'), sound] as const)
  return (word) => {
    let [at, sounds] = [0, '']
    while (at < word.length) {
      const [length, sound] = matchAt(compiled, word, at) ?? [1, '']
      sounds += sound
      at += Math.max(1, length)
    }
    return sounds
  }
}

function matchAt(rules: readonly (readonly [RegExp, string])[], word: string, at: number) {
  for (const [pattern, sound] of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(word)
    if (match) return [match[0].length, sound.replace('$&', match[0]).replace('$1', match[1] ?? '')] as const
  }
  return undefined
}

/** Writes the strong vowel of the nth syllable from the end in upper case; `nuclei` finds one match per syllable. */
export function stressOn(word: string, fromEnd: number, nuclei: RegExp): string {
  const syllables = [...word.matchAll(nuclei)]
  const stressed = syllables.at(-fromEnd) ?? syllables[0]
  if (!stressed) return word
  const [nucleus] = stressed
  const strong = nucleus.search(/[aeoáéóàèòâêôãõäö]/)
  const at = stressed.index + (strong < 0 ? nucleus.length - 1 : strong)
  return word.slice(0, at) + (word[at] ?? '').toUpperCase() + word.slice(at + 1)
}

export const soundTable = (listed: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listed
      .split(',')
      .map((pair) => pair.trim().split(/\s+/))
      .filter((pair): pair is [string, string] => pair.length === 2),
  )
