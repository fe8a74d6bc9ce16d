// How Google's voices write languages: always with a region, of which most have one, and Chinese by what is spoken.
import { type LanguageSpelling, writtenLanguage } from '../written-language.ts'

/** Where there is more than the usual one. */
const others = ['en-AU', 'en-GB', 'en-IN', 'es-US', 'fr-CA', 'nl-BE', 'zh-HK']

const spelling: LanguageSpelling = {
  region: 'always',
  usual: { ar: 'XA', bn: 'IN', ur: 'IN' },
  own: { 'zh-CN': 'cmn-CN', 'zh-HK': 'yue-HK', 'no-NO': 'nb-NO' },
}

/** `de-DE` of `de-AT`: there are no voices of Austria. */
export const googleLanguage = (language: string | undefined): string | undefined =>
  writtenLanguage(writtenLanguage(language, { region: others }), spelling)
