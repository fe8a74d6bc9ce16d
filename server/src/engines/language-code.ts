// Turns what a user wrote as a language into the code that engines know it by: `pt-BR`, `Portuguese` and `PT` are
// `pt`.
import { languageName } from '../platform/language-names.ts'

/** The language of agents that speak whichever the caller speaks. */
export const anyLanguage = 'auto'

/**
 * The code of a language; undefined: none is named, or the caller's is taken. `codes`: those that may be written by
 * their names.
 */
export function languageCode(
  language: string | undefined,
  codes: readonly string[] = [],
): string | undefined {
  const primary = language?.trim().toLowerCase().split(/[-_]/)[0]
  if (!primary || primary === anyLanguage) return undefined
  return codes.find((code) => languageName(code).toLowerCase() === primary) ?? primary
}

/** Languages by their primary subtags, as in `en`; `any`: not known to refuse any. */
export type Languages = readonly string[] | 'any'

/** Whether a language is among these: "en-GB" is English, and so is "english", which some users write. */
export function speaksLanguage(languages: Languages, language: string | undefined): boolean {
  if (languages === 'any') return true
  const code = languageCode(language, languages)
  return code === undefined || languages.some((own) => canonical(own) === canonical(code))
}

/** One code of languages that have two: `cmn` and `zh`, `tl` and `fil`, `nb` and `no`. */
function canonical(code: string): string {
  if (!/^[a-z]{2,3}$/.test(code)) return code
  const [found = code] = Intl.getCanonicalLocales(code)
  return found === 'nb' ? 'no' : found
}

export const isAnyLanguage = (language: string | undefined): boolean =>
  language?.trim().toLowerCase() === anyLanguage
