// The spoken forms by language: a written sentence in, the words that people say for it out.
import { chineseForms } from './chinese-numbers.ts'
import { englishWords } from './english.ts'
import { frenchNumbers } from './french-numbers.ts'
import { germanNumbers } from './german-numbers.ts'
import { hindiNumbers } from './hindi-numbers.ts'
import { italianNumbers } from './italian-numbers.ts'
import { japaneseForms } from './japanese-numbers.ts'
import { portugueseNumbers } from './portuguese-numbers.ts'
import { spanishNumbers } from './spanish-numbers.ts'
import { writtenForms } from './written-forms.ts'

type SpokenForm = (sentence: string) => string

export const spokenForms = {
  en: englishWords,
  es: writtenForms(spanishNumbers),
  fr: writtenForms(frenchNumbers),
  de: writtenForms(germanNumbers),
  pt: writtenForms(portugueseNumbers),
  it: writtenForms(italianNumbers),
  hi: writtenForms(hindiNumbers),
  ja: japaneseForms,
  zh: chineseForms,
} as const satisfies Readonly<Record<string, SpokenForm>>

/** The spoken form of a language; undefined: the language is not known here, and the text is said as it is written. */
export const spokenFormOf = (code: string | undefined): SpokenForm | undefined =>
  code !== undefined && Object.hasOwn(spokenForms, code)
    ? spokenForms[code as keyof typeof spokenForms]
    : undefined
