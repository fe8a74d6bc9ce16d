// Deepgram. Nova over wss /v1/listen, Flux over wss /v2/listen, `Authorization: Token`.
//
//   → binary audio · {"type":"Finalize"} · {"type":"KeepAlive"} · {"type":"CloseStream"}
//   ← {"type":"Results","is_final":…,"speech_final":…,"from_finalize":…,"channel":{"alternatives":[{"transcript":"…","words":[…]}]}}
//   ← {"type":"SpeechStarted"} · {"type":"UtteranceEnd"} · {"type":"Metadata"}
//
// Nova settles an utterance in parts (`is_final`); it is over when the vendor says so (`speech_final`) or was asked
// (`from_finalize`). Flux detects turns instead (flux.ts).
//
// Nova and Flux disconnect a client that sends nothing for ten seconds.
import { z } from 'zod'
import type { HeardWord } from '../../ports/transcriber.ts'
import { type SttListening, type SttOptions, socketVendor } from '../over/hears/over-socket.ts'
import { silenceOf } from '../over/hears/sound.ts'
import { isAny, languageOf, newLanguageTold, wordsInMs } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { type LanguageSpelling, writtenLanguage } from '../over/written-language.ts'
import { account } from './account.ts'
import { detectionOf, flux, fluxQuery, isMulti } from './flux.ts'
import { bye, FailureMessage, failed, finalOf, OtherMessage } from './messages.ts'
import { hearsOptions, isFlux } from './own-options.ts'

const Results = z.object({
  type: z.literal('Results'),
  is_final: z.boolean(),
  speech_final: z.boolean().optional(),
  from_finalize: z.boolean().optional(),
  channel: z.object({
    alternatives: z
      .array(
        z.object({
          transcript: z.string(),
          confidence: z.number().optional(),
          languages: z.array(z.string()).optional(),
          words: z
            .array(
              z.object({
                word: z.string(),
                punctuated_word: z.string().optional(),
                start: z.number(),
                end: z.number(),
              }),
            )
            .default([]),
        }),
      )
      .min(1),
  }),
})

const Message = z.discriminatedUnion('type', [Results, FailureMessage, OtherMessage])

// developers.deepgram.com/docs/models-languages-overview, of Nova-2 and Nova-3, as of 2026-11.
const understood = [
  'ar be bg bn bs ca cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mk mr ms ne nl',
  'no pa pl pt ro ru sk sl sr sv ta te th tl tr uk ur vi zh',
].flatMap((line) => line.split(' '))

// The regions that Deepgram knows; of any other it takes the language alone.
const regional = [
  ...['da-DK', 'de-CH', 'en-AU', 'en-GB', 'en-IN', 'en-NZ', 'en-US', 'es-419', 'fr-CA', 'hi-Latn', 'ko-KR'],
  ...['nl-BE', 'pt-BR', 'pt-PT', 'sv-SE', 'th-TH', 'zh-CN', 'zh-HK', 'zh-Hans', 'zh-Hant', 'zh-TW'],
]

const spelling: LanguageSpelling = { region: regional, own: { nb: 'no', fil: 'tl' } }

export const hears = socketVendor(account, {
  languages: understood,
  // developers.deepgram.com/docs/keyterm, as of 2026-11. With more, a stream falls silent.
  abilities: { keyterms: { most: 100, mostTokens: 500 } },
  options: {
    model: '`model`; `flux-…` uses `/v2/listen`',
    language: '`language`, `multi` where it is to find out; of Flux, `language_hint`',
    samplingRateHz: '`sample_rate`',
    encoding: '`encoding`: `linear16`, `mulaw` or `alaw`',
    endpointingMs:
      '`endpointing`; of Flux, `eot_threshold`, `eager_eot_threshold` and `eot_timeout_ms`: 0.7, 0.5 and 5,000 ms at 500',
    turnDetection: 'by Flux, unless asked not to: then `eot_threshold` is 1, and `ForceEndTurn` ends turns',
    keyterms: '`keyterm`; of models before Nova 3, `keywords`',
    stream: 'always streamed',
  },
  ownOptions: hearsOptions,
  furtherLacks({ model = '', language }) {
    if (!isFlux(model)) return ['turnDetection']
    // The English Flux model understands English only.
    return !isMulti(model) && (languageOf({ language }) ?? 'en') !== 'en' ? ['language'] : []
  },
  detectsTurns: detectionOf,
  encodings: ['linear16', 'mulaw', 'alaw'],
  connect: (options, given) =>
    isFlux(options.model)
      ? account.socket(given, '/v2/listen', fluxQuery(options))
      : account.socket(given, '/v1/listen', novaQuery(options)),
  // Flux has no message that keeps a connection alive: it gets its smallest chunk of silence instead.
  keepAlive: ({ model, rateHz, encoding }) => ({
    everyMs: 4_000,
    message: isFlux(model) ? silenceOf(80, rateHz, encoding) : '{"type":"KeepAlive"}',
  }),
  listen: (options) => (isFlux(options.model) ? flux(options) : nova(options)),
})

function novaQuery(options: SttOptions): Query {
  const { model: asked, language, rateHz, encoding, endpointingMs, keyterms = [] } = options
  const model = asked || 'nova-3'
  const isNova3 = model.startsWith('nova-3')
  return {
    model,
    language: isAny(options) ? 'multi' : writtenLanguage(language, spelling),
    encoding,
    sample_rate: rateHz,
    channels: 1,
    interim_results: true,
    punctuate: true,
    endpointing: endpointingMs,
    keyterm: isNova3 ? keyterms : [],
    keywords: isNova3 ? [] : keyterms,
    ...hearsOptions.query('query', options),
    ...hearsOptions.query('nova', options),
  }
}

function nova(options: SttOptions): SttListening {
  let settled = ''
  let settledWords: readonly HeardWord[] = []
  let isAsked = false
  const newLanguage = newLanguageTold(options)
  return {
    finalize() {
      isAsked = true
      return '{"type":"Finalize"}'
    },
    bye,
    decode(raw) {
      const message = readVendorMessage(Message, raw)
      if (message.type === 'Error' || message.type === 'FatalError') return [failed(message)]
      if (message.type === 'SpeechStarted') return [{ type: 'speech-started' }]
      if (message.type !== 'Results') return []
      const [best] = message.channel.alternatives
      const text = joined(settled, best?.transcript ?? '')
      const words = [
        ...settledWords,
        ...wordsInMs(best?.words ?? [], ({ word, punctuated_word: written = word }) => written),
      ]
      if (message.is_final) {
        settled = text
        settledWords = words
      }
      const languageEvents = newLanguage(best?.languages?.[0])
      const isOver = message.speech_final || (message.from_finalize && isAsked)
      if (!isOver) return text ? [...languageEvents, { type: 'partial', text }] : languageEvents
      settled = ''
      settledWords = []
      // The vendor had ended the utterance by itself when it was asked: no other final is due.
      if (!text && !message.from_finalize) return languageEvents
      isAsked = false
      return [...languageEvents, { ...finalOf(text, best?.confidence), words }]
    },
  }
}

const joined = (before: string, text: string): string => [before, text.trim()].filter(Boolean).join(' ')
