// Amazon Polly. POST /v1/speech (SynthesizeSpeech), signed: a request for each clause, whose PCM is streamed. An interruption
// aborts the request. PCM at 8 and 16 kHz only. Word times would be a second request for each clause, at the same price.

import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsVendor } from '../../ports/vendor.ts'
import { usualTtsOptions, voiceOf, within } from '../over/speaks/options.ts'
import { speakOverHttp } from '../over/speaks/over-http.ts'
import { inElement, ssmlOf } from '../over/speaks/ssml.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account, signedRequest } from './account.ts'
import { speaksOptions } from './own-options.ts'

// docs.aws.amazon.com/polly/latest/dg/supported-languages.html and available-voices.html, as of 2026-11.
const spoken = ['ar ca cs cy da de en es fi fr hi is it ja ko nl no pl pt ro ru sv tr yue zh'].flatMap(
  (line) => line.split(' '),
)

/** A neural voice for each language that has one. */
const usualVoices: Readonly<Record<string, string>> = {
  ar: 'Hala',
  ca: 'Arlet',
  cs: 'Jitka',
  cy: 'Gwyneth',
  da: 'Sofie',
  de: 'Vicki',
  en: 'Joanna',
  es: 'Lucia',
  fi: 'Suvi',
  fr: 'Lea',
  hi: 'Kajal',
  is: 'Dora',
  it: 'Bianca',
  ja: 'Kazuha',
  ko: 'Seoyeon',
  nb: 'Ida',
  nl: 'Laura',
  no: 'Ida',
  pl: 'Ola',
  pt: 'Camila',
  ro: 'Carmen',
  ru: 'Tatyana',
  sv: 'Elin',
  tr: 'Burcu',
  yue: 'Hiujin',
  zh: 'Zhiyu',
}

/** Voices that the neural engine does not have, and refuses. */
const standardOnly = new Set(
  `Aditi Astrid Carla Carmen Celine Chantal Conchita Cristiano Dora Enrique Ewa Filiz Geraint Giorgio Gwyneth Hans Jacek
   Jan Karl Liv Lotte Mads Maja Marlene Mathieu Maxim Miguel Mizuki Naja Nicole Penelope Raveena Ricardo Ruben Russell
   Tatyana Zeina`.split(/\s+/),
)

/** Voices of several languages; all others refuse a language that is not theirs. */
const indian = { en: 'en-IN', hi: 'hi-IN' }
const bilingual: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Aditi: indian,
  Kajal: indian,
  Hala: { ar: 'ar-AE' },
  Zayd: { ar: 'ar-AE' },
}

export const speaks: TtsVendor = {
  ...account.shared,
  abilities: { streaming: false, clauseEnds: true, wordTimes: false, languages: spoken },
  options: {
    ...usualTtsOptions,
    voice: '`VoiceId`',
    voiceId: '`VoiceId`, instead of its name',
    model: null,
    language: '`LanguageCode` of bilingual voices; the voice, where none is named',
    engine:
      '`Engine`: standard, neural, long-form or generative; neural unless given, where the voice has it',
    speed: 'SSML `prosody`, from 0.2 to 2',
    stream: 'always streamed, a request for each clause',
    pronunciations: 'SSML `phoneme` and `sub`',
  },
  ownOptions: speaksOptions,
  open: speakOverHttp({
    label: account.label,
    languages: spoken,
    rateHz: (lineHz) => (lineHz === 8_000 ? 8_000 : 16_000),
    warm: (given) => signedRequest(given, { method: 'GET', path: '/v1/lexicons' }),
    async ask(clause, options, given) {
      const body = JSON.stringify(requestOf(clause, options))
      const headers = { 'content-type': 'application/json' }
      const request = await signedRequest(given, { method: 'POST', path: '/v1/speech', headers, body })
      return { ...request, body }
    },
  }),
}

function requestOf(clause: string, options: SynthesizerOptions): object {
  const { pronunciations = [], rateHz, language, engine } = options
  const speed = within(0.2, 2, options.speed)
  const code = writtenLanguage(language, { region: 'never' })
  const voice = voiceOf(options, usualVoices[code ?? ''] ?? 'Joanna')
  const rate = speed === undefined || speed === 1 ? undefined : `${Math.round(speed * 100)}%`
  const { pitch, volume, domain, drc } = speaksOptions.at('ssml', options)
  const voiced = inElement('prosody', { rate, pitch, volume }, ssmlOf(clause, pronunciations))
  const compressed = inElement('amazon:effect', { name: drc === undefined ? undefined : 'drc' }, voiced)
  const ssml = inElement('amazon:domain', { name: domain }, compressed)
  const isPlain = pronunciations.length === 0 && !ssml.startsWith('<')
  return {
    OutputFormat: 'pcm',
    SampleRate: `${rateHz}`,
    VoiceId: voice,
    Engine: engine || (standardOnly.has(voice) ? 'standard' : 'neural'),
    LanguageCode: bilingual[voice]?.[code ?? ''],
    // Not every engine takes all of SSML, so it is used where it is needed only.
    ...speaksOptions.at('request', options),
    ...(isPlain ? { Text: clause, TextType: 'text' } : { Text: `<speak>${ssml}</speak>`, TextType: 'ssml' }),
  }
}
