// Amazon Polly. POST /v1/speech (SynthesizeSpeech), signed: a request for each clause, whose PCM is streamed. An interruption
// aborts the request. PCM at 8 and 16 kHz only. Word times would be a second request for each clause, at the same price.

import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../ports/vendor.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { overHttp } from '../over/speaks/over-http.ts'
import { atRate, ssmlOf } from '../over/speaks/ssml.ts'
import { hostPart, vendorUrl } from '../over/wire/vendor-address.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { signedHeaders } from './aws-signature.ts'

const label = 'Amazon Polly'

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

/** Those that speak several languages; all others refuse to be told one that is not theirs. */
const indian = { en: 'en-IN', hi: 'hi-IN' }
const bilingual: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Aditi: indian,
  Kajal: indian,
  Hala: { ar: 'ar-AE' },
  Zayd: { ar: 'ar-AE' },
}

const hostOf = ({ region }: Readonly<Record<string, string>>) =>
  `polly.${hostPart(region) || 'us-east-1'}.amazonaws.com`

const urlOf = ({ credentials, baseUrl }: VendorAccount, path: string) =>
  vendorUrl({ scheme: 'https', host: hostOf(credentials), baseUrl }, path)

export const polly: TtsVendor = {
  label,
  host: hostOf,
  credentials: ['accessKeyId', 'secretAccessKey', 'region'],
  optionalCredentials: ['sessionToken'],
  abilities: { streaming: false, clauseEnds: true, wordTimes: false, languages: spoken },
  options: {
    voice: '`VoiceId`',
    voiceId: '`VoiceId`, instead of its name',
    model: null,
    language: '`LanguageCode` of bilingual voices; the voice, where none is named',
    engine:
      '`Engine`: standard, neural, long-form or generative; neural unless given, where the voice has it',
    temperature: null,
    similarityBoost: null,
    speed: 'SSML `prosody`, from 0.2 to 2',
    audioFormat: null,
    bufferSize: 'how much text it gets at a time, above 40 characters',
    stream: 'always streamed, a request for each clause',
    pronunciations: 'SSML `phoneme` and `sub`',
  },
  check: (account) => ({
    method: 'GET',
    url: urlOf(account, '/v1/voices'),
    headers: signed(account, 'GET', '/v1/voices', {}, ''),
  }),
  open: overHttp({
    label,
    languages: spoken,
    rateHz: (lineHz) => (lineHz === 8_000 ? 8_000 : 16_000),
    warm: (account) => ({
      url: urlOf(account, '/v1/lexicons'),
      headers: signed(account, 'GET', '/v1/lexicons', {}, ''),
    }),
    ask(clause, options, account) {
      const body = JSON.stringify(requestOf(clause, options))
      const headers = { 'content-type': 'application/json' }
      return {
        url: urlOf(account, '/v1/speech'),
        headers: signed(account, 'POST', '/v1/speech', headers, body),
        body,
      }
    },
  }),
}

function requestOf(clause: string, options: SynthesizerOptions): object {
  const { pronunciations = [], rateHz, language, engine } = options
  const speed = within(0.2, 2, options.speed)
  const code = writtenLanguage(language, { region: 'never' })
  const voice = voiceOf(options, usualVoices[code ?? ''] ?? 'Joanna')
  const isPlain = pronunciations.length === 0 && (speed === undefined || speed === 1)
  const rate = speed === undefined || speed === 1 ? undefined : `${Math.round(speed * 100)}%`
  return {
    OutputFormat: 'pcm',
    SampleRate: `${rateHz}`,
    VoiceId: voice,
    Engine: engine || (standardOnly.has(voice) ? 'standard' : 'neural'),
    LanguageCode: bilingual[voice]?.[code ?? ''],
    // Not every engine takes all of SSML, so it is used where it is needed only.
    ...(isPlain
      ? { Text: clause, TextType: 'text' }
      : { Text: `<speak>${atRate(ssmlOf(clause, pronunciations), rate)}</speak>`, TextType: 'ssml' }),
  }
}

const signed = (
  account: VendorAccount,
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => {
  const { accessKeyId = '', secretAccessKey = '', region = '', sessionToken } = account.credentials
  const request = { method, url: urlOf(account, path), headers, body, region, service: 'polly' } as const
  return signedHeaders(request, { accessKeyId, secretAccessKey, sessionToken })
}
