// The languages of turn-taking. A call has one at a time: its agent's, then the one that the caller turns out to speak.
import { languageName } from '../../../platform/language-names.ts'
import { chinese } from './chinese.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { hindi } from './hindi.ts'
import { italian } from './italian.ts'
import { japanese } from './japanese.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'
import type { TurnLanguage } from './turn-language.ts'

export const turnLanguages = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  pt: portuguese,
  it: italian,
  hi: hindi,
  ja: japanese,
  zh: chinese,
} as const satisfies Readonly<Record<string, TurnLanguage>>

export type TurnLanguageCode = keyof typeof turnLanguages

export const turnLanguageCodes = Object.keys(turnLanguages) as TurnLanguageCode[]

const codes = new Map<string, TurnLanguageCode>(
  turnLanguageCodes.flatMap((code) => [[code, code] as const, [languageName(code).toLowerCase(), code]]),
)

/**
 * The language of an agent as a code: `pt-BR` and `Portuguese` are `pt`. English stands for what is not listed, and
 * until a caller's language is known.
 */
export const turnLanguageOf = (language: string | undefined): TurnLanguageCode =>
  codes.get(language?.trim().toLowerCase().split(/[-_]/)[0] ?? '') ?? 'en'
