// The words that a voice says for a written sentence, by language.
import { englishWords } from './english.ts'

/** Spells out numbers, dates, amounts, signs and abbreviations. */
export type SpokenForm = (sentence: string) => string

const spokenForms: Readonly<Record<string, SpokenForm>> = { en: englishWords }

/** A language without rules of its own is left as it is. */
export function spokenForm(sentence: string, language = 'en'): string {
  const rules = Object.hasOwn(spokenForms, language) ? spokenForms[language] : undefined
  return rules ? rules(sentence) : sentence
}
