// What a user wrote as a language, as the code that engines know it by: `pt-BR`, `Portuguese` and `PT` are `pt`.
import { languageName } from '../platform/language-names.ts'

/** Whichever language the caller speaks. */
export const anyLanguage = 'auto'

/** Undefined: none is named, or the caller's is taken. `codes`: those that may be written by their names. */
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

/** "en-GB" is English, and so is "english", which some users write. */
export function speaksLanguage(languages: Languages, language: string | undefined): boolean {
  if (languages === 'any') return true
  const code = languageCode(language, languages)
  return code === undefined || languages.some((own) => canonical(own) === canonical(code))
}

/** Some have two codes: `cmn` and `zh`, `tl` and `fil`, `nb` and `no`. */
function canonical(code: string): string {
  if (!/^[a-z]{2,3}$/.test(code)) return code
  const [found = code] = Intl.getCanonicalLocales(code)
  return found === 'nb' ? 'no' : found
}

export const isAnyLanguage = (language: string | undefined): boolean =>
  language?.trim().toLowerCase() === anyLanguage
