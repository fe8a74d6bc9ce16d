// What an agent asks for, as vendors take it.
import type { SynthesizerOptions } from '../../../ports/synthesizer.ts'
import { type LanguageSpelling, writtenLanguage } from '../written-language.ts'

/** `usual`: for agents that name none. */
export const voiceOf = <Usual extends string | undefined>(
  { voice, voiceId }: Pick<SynthesizerOptions, 'voice' | 'voiceId'>,
  usual: Usual,
): string | Usual => voiceId || voice || usual

/** The nearest value that a vendor accepts. */
export const within = (least: number, most: number, value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.min(most, Math.max(least, value))

// How Google's voices write languages: always with a region, and Chinese by what is spoken.

/** Regions whose voices differ from the usual ones of the language. */
const others = ['en-AU', 'en-GB', 'en-IN', 'es-US', 'fr-CA', 'nl-BE', 'zh-HK']

const spelling: LanguageSpelling = {
  region: 'always',
  usual: { ar: 'XA', bn: 'IN', ur: 'IN' },
  own: { 'zh-CN': 'cmn-CN', 'zh-HK': 'yue-HK', 'no-NO': 'nb-NO' },
}

/** `de-DE` of `de-AT`: there are no voices of Austria. */
export const googleLanguage = (language: string | undefined): string | undefined =>
  writtenLanguage(writtenLanguage(language, { region: others }), spelling)

/** What becomes of options that most vendors treat alike. */
export const usualTtsOptions = {
  engine: null,
  temperature: null,
  similarityBoost: null,
  audioFormat: null,
  bufferSize: 'how much text it gets at a time, above 40 characters',
  stream: 'always streamed',
  pronunciations: null,
} as const
