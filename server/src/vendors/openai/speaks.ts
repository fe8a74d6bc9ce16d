// OpenAI, and servers that speak its interface. POST /v1/audio/speech, `response_format: pcm`: always 24 kHz.

import type { TtsVendor } from '../../ports/vendor.ts'
import { usualTtsOptions, voiceOf, within } from '../over/speaks/options.ts'
import { speakOverHttp } from '../over/speaks/over-http.ts'
import { account } from './account.ts'
import { speaksOptions } from './own-options.ts'

// platform.openai.com/docs/guides/text-to-speech: the languages of Whisper that it lists, as of 2026-11.
const spoken = [
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv',
  'mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh',
].flatMap((line) => line.split(' '))

const abilities = { streaming: false, clauseEnds: true, wordTimes: false, languages: spoken } as const

export const speaks: TtsVendor = {
  ...account.shared,
  abilities,
  options: {
    ...usualTtsOptions,
    voice: '`voice`',
    voiceId: '`voice`, instead of its name',
    model: '`model`',
    language: 'found out from the text',
    speed: '`speed`, from 0.25 to 4',
    stream: 'always streamed, a request for each clause',
  },
  ownOptions: speaksOptions,
  open: speakOverHttp({
    label: account.label,
    languages: abilities.languages,
    rateHz: 24_000,
    warm: (given) => account.request(given, '/v1/models'),
    ask: (clause, { model = 'gpt-4o-mini-tts', speed, ...options }, given) => ({
      ...account.jsonRequest(given, '/v1/audio/speech'),
      body: JSON.stringify({
        input: clause,
        model,
        voice: voiceOf(options, 'alloy').toLowerCase(),
        response_format: 'pcm',
        ...(speed !== undefined && { speed: within(0.25, 4, speed) }),
        ...speaksOptions.at('request', options),
      }),
    }),
  }),
}
