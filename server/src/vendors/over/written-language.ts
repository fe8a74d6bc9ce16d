// A language as a vendor writes it, from what an agent says: `en`, `en-US`, `pt_BR`, `zh-Hant`, `Portuguese`.
import { codeOfLanguage } from '../../platform/language-names.ts'

export interface LanguageSpelling {
  /** Whether a region is part of it: as in `pt`, as in `pt-BR`, or in the tags of this list only. */
  readonly region: 'never' | 'always' | readonly string[]
  /** The regions of languages that come without one, where the vendor does not have the one with the most speakers. */
  readonly usual?: Readonly<Record<string, string>>
  /** The vendor's own names, by what would be written otherwise. */
  readonly own?: Readonly<Record<string, string>>
}

/** Undefined: none is named, or the caller's is taken. */
export function writtenLanguage(
  language: string | undefined,
  { region, usual = {}, own = {} }: LanguageSpelling,
): string | undefined {
  const asked = language?.trim().replaceAll('_', '-') ?? ''
  const code = codeOfLanguage(asked)
  if (code === null) return undefined
  const written = inSpelling(asked, code, region, usual)
  return own[written] ?? written
}

function inSpelling(
  asked: string,
  code: string,
  region: LanguageSpelling['region'],
  usual: Readonly<Record<string, string>>,
): string {
  if (region === 'never') return code
  const given = localeIn(asked)
  if (region === 'always') {
    const place = given?.maximize().region ?? usual[code] ?? new Intl.Locale(code).maximize().region
    return place ? `${code}-${place}` : code
  }
  const exact = [`${given}`, `${code}-${given?.region}`].find((tag) => region.includes(tag))
  return exact ?? code
}

/** The locale of a tag that says more than its language: a script or a region. */
const localeIn = (asked: string): Intl.Locale | undefined =>
  /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i.test(asked) && asked.includes('-')
    ? new Intl.Locale(asked)
    : undefined
