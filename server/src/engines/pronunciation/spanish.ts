// Spanish: spelling determines the sound, and accents the stress. As in Latin America: c and z sound like s.

import { spanishNumbers } from '../spoken-form/spanish-numbers.ts'
import { writtenForms } from '../spoken-form/written-forms.ts'
import { joinedDiphthongs, pronounceWords, rewriter, type SpokenLanguage, stressOn } from './language.ts'

// A stressed vowel is written in upper case while the rules run.
const rules = rewriter([
  ['ch', 'ʧ'],
  ['ll', 'ʝ'],
  ['rr', 'r'],
  ['qu(?=[eiEI])', 'k'],
  ['gu(?=[eiEI])', 'ɡ'],
  ['gü', 'ɡw'],
  ['g(?=[eiEI])', 'x'],
  ['c(?=[eiEI])', 's'],
  ['sc(?=[eiEI])', 's'],
  ['j', 'x'],
  ['ñ', 'ɲ'],
  ['h', ''],
  ['(?<![aeiouAEIOU])y$', 'i'],
  ['(?<=[aeoAEO])y$', 'ɪ'],
  ['y$', 'j'],
  ['y(?=[^aeiouAEIOU])', 'i'],
  ['y', 'ʝ'],
  // Between vowels, and after most consonants, the stops are not fully closed.
  ['[bv](?<=^.|[mn].)', 'b'],
  ['[bv]', 'β'],
  ['d(?<=^d|[nl]d)', 'd'],
  ['d', 'ð'],
  ['g(?<=^g|ng)', 'ɡ'],
  ['g', 'ɣ'],
  ['r(?<=^r|[nls]r)', 'r'],
  ['r', 'ɾ'],
  ['n(?=[bvpmf])', 'm'],
  ['n(?=[ckqgj])', 'ŋ'],
  ['x(?<=^x)', 's'],
  ['x', 'ks'],
  ['[cqk]', 'k'],
  ['[zs]', 's'],
  ['w', 'w'],
  // Diphthongs.
  ['u(?=[aeioAEIO])', 'w'],
  ['i(?=[aeouAEOU])', 'j'],
  ['(?<=[aeoAEO])i', 'ɪ'],
  ['(?<=[aeoAEO])u', 'ʊ'],
  ['A', 'ˈa'],
  ['E', 'ˈe'],
  ['I', 'ˈi'],
  ['O', 'ˈo'],
  ['U', 'ˈu'],
  ['ü', 'w'],
  ['[aeioufklmnpt]', '$&'],
])

const unstressed = new Set(
  'a al con de del e el en la las le les lo los me mi mis ni nos o os por que se si sin su sus te tu tus un una y'.split(
    ' ',
  ),
)

const accented: Readonly<Record<string, string>> = { á: 'A', é: 'E', í: 'I', ó: 'O', ú: 'U' }

/** Marks the stress: the written accent, or by rule the last syllable but one after a vowel, n or s, else the last. */
function withStress(word: string): string {
  if (/[áéíóú]/.test(word)) return word.replace(/[áéíóú]/g, (vowel) => accented[vowel] ?? vowel)
  return unstressed.has(word) ? word : stressOn(word, /[aeiouns]$/.test(word) ? 2 : 1, nuclei)
}

// One match per syllable: a strong vowel with its glides, or a weak one. The u of "que" and "gue" is silent.
const nuclei = /(?:(?<![qg])u|(?<=g)u(?=[ao])|[iü])?[aeo](?:[iuy](?![aeo]))?|[iu]+(?<!qu|gu(?=[ei]))/g

const phonemesOf = (word: string) => rules(withStress(word))

export const spokenSpanish: SpokenLanguage = {
  normalise: writtenForms(spanishNumbers),
  pronounce: (words) => joinedDiphthongs(pronounceWords(words, phonemesOf, /[a-záéíóúüñ]+/)),
}
