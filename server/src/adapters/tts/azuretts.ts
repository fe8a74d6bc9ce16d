// Azure Speech. POST /cognitiveservices/v1 with SSML, `Ocp-Apim-Subscription-Key`: a request for each clause, whose PCM is
// streamed over a connection that is kept. An interruption aborts the request.
//
// Its socket would give word times, at the price of a protocol that only Microsoft's own library describes; where a clause
// was cut off is estimated instead.

import { vendorUrl } from '../../platform/vendor-address.ts'
import { type LanguageSpelling, writtenLanguage } from '../../platform/written-language.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../ports/vendor.ts'
import { overHttp } from './over-http.ts'
import { voiceOf, within } from './over-options.ts'
import { atRate, escapeXml, ssmlOf } from './over-ssml.ts'

const label = 'Azure Speech'
// Speaks 90 languages.
const usualVoice = 'en-US-AvaMultilingualNeural'
const path = '/cognitiveservices/v1'

// learn.microsoft.com, language support of the Speech service (text to speech), as of 2026-11.
const spoken = [
  'af am ar as az bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is',
  'it iu ja jv ka kk km kn ko lo lt lv mk ml mn mr ms mt my ne nl no or pa pl ps pt ro ru si sk sl so',
  'sq sr su sv sw ta te th tr uk ur uz vi wuu yue zh zu',
].flatMap((line) => line.split(' '))

const hostOf = ({ region }: Readonly<Record<string, string>>) => `${region}.tts.speech.microsoft.com`
const tokenHostOf = ({ region }: Readonly<Record<string, string>>) => `${region}.api.cognitive.microsoft.com`

const urlOf = ({ credentials, baseUrl }: VendorAccount) =>
  vendorUrl({ scheme: 'https', host: hostOf(credentials), baseUrl }, path)

const headersOf = ({ credentials }: VendorAccount) => ({
  'Ocp-Apim-Subscription-Key': credentials.apiKey ?? '',
  // It refuses requests without one.
  'user-agent': 'parley',
})

export const azuretts: TtsVendor = {
  label,
  host: hostOf,
  credentials: ['apiKey', 'region'],
  abilities: { streaming: false, clauseEnds: true, wordTimes: false, languages: spoken },
  options: {
    voice: 'SSML `voice`, as in `en-US-AvaNeural`',
    voiceId: 'SSML `voice`, instead of its name',
    model: null,
    language: 'SSML `xml:lang`, of multilingual voices',
    engine: null,
    temperature: null,
    similarityBoost: null,
    speed: 'SSML `prosody`, from 0.5 to 2',
    audioFormat: null,
    bufferSize: 'how much text it gets at a time, above 40 characters',
    stream: 'always streamed, a request for each clause',
    pronunciations: 'SSML `phoneme` and `sub`',
  },
  check: (account) => ({
    method: 'POST',
    url: vendorUrl(
      { scheme: 'https', host: tokenHostOf(account.credentials), baseUrl: account.baseUrl },
      '/sts/v1.0/issueToken',
    ),
    headers: { ...headersOf(account), 'content-length': '0' },
  }),
  open: overHttp({
    label,
    languages: spoken,
    warm: (account) => ({ url: urlOf(account), headers: headersOf(account) }),
    ask: (clause, options, account) => ({
      url: urlOf(account),
      headers: {
        ...headersOf(account),
        'content-type': 'application/ssml+xml',
        'X-Microsoft-OutputFormat': `raw-${options.rateHz / 1000}khz-16bit-mono-pcm`,
      },
      body: documentOf(clause, options),
    }),
  }),
}

const spelling: LanguageSpelling = {
  ...{ region: 'always', usual: { bn: 'IN', ur: 'IN' }, own: { 'no-NO': 'nb-NO' } },
}

function documentOf(clause: string, options: SynthesizerOptions): string {
  const voice = voiceOf(options, usualVoice)
  const language = writtenLanguage(options.language, spelling) ?? 'en-US'
  const speed = within(0.5, 2, options.speed)
  const spoken = atRate(
    ssmlOf(clause, options.pronunciations),
    speed === undefined || speed === 1 ? undefined : `${speed}`,
  )
  const isMultilingual = /multilingual/i.test(voice)
  return (
    `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${language}">` +
    `<voice name="${escapeXml(voice)}">` +
    (isMultilingual ? `<lang xml:lang="${language}">${spoken}</lang>` : spoken) +
    '</voice></speak>'
  )
}
