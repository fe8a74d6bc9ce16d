// Gladia. POST /v2/live with `X-Gladia-Key` says what is wanted and returns the address of a socket for one session.
//
//   → binary audio · {"type":"stop_recording"}
//   ← {"type":"transcript","data":{"is_final","utterance":{"text","language","end"}}}
//     {"type":"translation","data":{"utterance","translated_utterance"}} · {"type":"error"}
//
// Acknowledgements of byte ranges, fifty a second, are not asked for: a session that breaks off is replaced by a new one,
// which gets the whole sentence again (reopening.ts). A final cannot be asked for.
import { z } from 'zod'
import type { VendorAccount } from '../../ports/vendor.ts'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import {
  CallerLanguages,
  isTranslation,
  languageOf,
  modelOr,
  translatesToo,
  whisperCodes,
  wordsInMs,
} from '../over/hears/wishes.ts'
import { withOwn } from '../over/own-options.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { askForJson } from '../over/wire/vendor-request.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Session = z.object({ url: z.string() })
const Utterance = z.object({
  text: z.string(),
  language: z.string().nullish(),
  end: z.number(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).default([]),
})
// The messages of @gladiaio/sdk 2.1.0.
const types = [
  ...(['transcript', 'translation', 'error', 'audio_chunk', 'stop_recording'] as const),
  ...(['speech_start', 'speech_end', 'named_entity_recognition', 'sentiment_analysis'] as const),
  ...(['post_transcript', 'post_final_transcript', 'post_summarization', 'post_chapterization'] as const),
  ...(['start_session', 'start_recording', 'end_recording', 'end_session'] as const),
]
const Message = z.object({ type: z.enum(types) })
const Transcript = z.object({ data: z.object({ is_final: z.boolean(), utterance: Utterance }) })
const Translation = z.object({
  data: z.object({ utterance: Utterance, translated_utterance: z.object({ text: z.string() }) }),
})

const formats = {
  linear16: { encoding: 'wav/pcm', bit_depth: 16 },
  mulaw: { encoding: 'wav/ulaw', bit_depth: 8 },
  alaw: { encoding: 'wav/alaw', bit_depth: 8 },
} as const
// Gladia cuts utterances after five seconds unless it is told a longer limit.
const longestSeconds = 30
// Longer than the socket waits for its address, so that the socket's own error is told.
const sessionWithinMs = 10_000

// The language codes of @gladiaio/sdk 2.1.0, as of 2026-11.
const understood = [
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi',
  'hr ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no',
  'oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo',
  'zh',
].flatMap((line) => line.split(' '))

async function openSession(options: SttOptions, given: VendorAccount): Promise<{ url: string }> {
  const query = { region: given.credentials.region || undefined }
  const answer = await askForJson(
    {
      ...account.jsonRequest(given, '/v2/live', query),
      body: JSON.stringify(withOwn(sessionOf(options), hearsOptions.at('session', options))),
    },
    { label: account.label, account: given, signal: AbortSignal.timeout(sessionWithinMs) },
  )
  return { url: Session.parse(answer).url }
}

function sessionOf(options: SttOptions): Readonly<Record<string, unknown>> {
  const { endpointingMs, keyterms = [], rateHz, encoding } = options
  const language = languageOf(options, whisperCodes)
  return {
    ...formats[encoding],
    sample_rate: rateHz,
    channels: 1,
    model: modelOr('solaria-1', options),
    endpointing: endpointingMs / 1_000,
    maximum_duration_without_endpointing: longestSeconds,
    language_config: language ? { languages: [language] } : { languages: [], code_switching: true },
    realtime_processing: {
      ...(keyterms.length > 0 && {
        custom_vocabulary: true,
        custom_vocabulary_config: { vocabulary: keyterms },
      }),
      ...(isTranslation(options) && {
        translation: true,
        translation_config: { target_languages: ['en'] },
      }),
    },
    messages_config: {
      receive_partial_transcripts: true,
      receive_final_transcripts: true,
      receive_speech_events: false,
      receive_realtime_processing_events: isTranslation(options),
      receive_acknowledgments: false,
      receive_lifecycle_events: false,
    },
  }
}

function listening(options: SttOptions): SttListening {
  const languages = new CallerLanguages(options)
  const isTranslating = isTranslation(options)
  const final = (
    text: string,
    { language, end, words }: z.infer<typeof Utterance>,
  ): readonly SttMessage[] => [
    ...languages.hear(language, text),
    { type: 'final', text: text.trim(), endMs: end * 1_000, words: wordsInMs(words, ({ word }) => word) },
  ]
  return {
    bye: '{"type":"stop_recording"}',
    decode(raw): readonly SttMessage[] {
      const { type } = readVendorMessage(Message, raw)
      if (type === 'error') return [{ type: 'failed', reason: JSON.stringify(raw) }]
      if (type === 'translation') {
        const { utterance, translated_utterance: translated } = Translation.parse(raw).data
        return final(translated.text, utterance)
      }
      if (type !== 'transcript') return []
      const { is_final: isFinal, utterance } = Transcript.parse(raw).data
      // The translation follows.
      if (isFinal && !isTranslating) return final(utterance.text, utterance)
      return [{ type: 'partial', text: utterance.text.trim() }]
    },
  }
}

export const hears = socketVendor(account, {
  languages: understood,
  options: {
    model: '`model`; solaria-1 unless given',
    language: '`language_config.languages`; `auto`: with `code_switching`',
    samplingRateHz: '`sample_rate`: 8,000, 16,000 or 48,000',
    encoding: '`encoding`: linear16, mulaw or alaw',
    task: '`realtime_processing.translation` to English for `translate`',
    endpointingMs: '`endpointing`, in seconds',
    keyterms: '`realtime_processing.custom_vocabulary_config`',
  },
  ownOptions: hearsOptions,
  tasks: translatesToo,
  rates: [8_000, 16_000, 48_000],
  encodings: ['linear16', 'mulaw', 'alaw'],
  keepAlive: { everyMs: 8_000, message: '{"type":"audio_chunk","data":{"chunk":""}}' },
  connect: openSession,
  listen: listening,
})
